#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WinSDK)
  import WinSDK
#endif

/// A place for one object a thread, empty on each thread at first.
///
/// The object is not retained: whoever puts it there keeps it.
package struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {  // guard: each thread sees its own place
  #if canImport(WinSDK)
    private let key = TlsAlloc()
  #else
    private let key: pthread_key_t
  #endif

  package init() {
    #if !canImport(WinSDK)
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { fatalError("no thread-specific data left") }
      self.key = key
    #endif
  }

  /// The object of this thread, as long as whoever put it there keeps it.
  package var unmanaged: Unmanaged<Object>? {
    #if canImport(WinSDK)
      let address = TlsGetValue(key)
    #else
      let address = pthread_getspecific(key)
    #endif
    guard let address else { return nil }
    return Unmanaged<Object>.fromOpaque(address)
  }

  /// The object of this thread.
  package var object: Object? {
    get { unmanaged?.takeUnretainedValue() }
    nonmutating set {
      let address = newValue.map { Unmanaged.passUnretained($0).toOpaque() }
      #if canImport(WinSDK)
        TlsSetValue(key, address)
      #else
        pthread_setspecific(key, address)
      #endif
    }
  }
}

/// Returns a number that no other thread has while this one runs.
package func currentThread() -> UInt {
  #if canImport(WinSDK)
    UInt(GetCurrentThreadId())
  #else
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  #endif
}
