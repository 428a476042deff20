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
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// Thread-local storage for the address of one object, which is `nil` on each thread at first.
///
/// The object is released when its thread ends (not on Windows).
enum ThreadSlot {
  #if canImport(WinSDK)
    private static let key = TlsAlloc()

    /// The address that the current thread has stored.
    static var address: UnsafeMutableRawPointer? {
      get { TlsGetValue(key) }
      set { TlsSetValue(key, newValue) }
    }
  #else
    private static let key = {
      var key = pthread_key_t()
      guard pthread_key_create(&key, releaseObject) == 0 else { fatalError("no thread-specific data left") }
      return key
    }()

    /// The address that the current thread has stored.
    static var address: UnsafeMutableRawPointer? {
      get {
        #if os(Linux)
          threadObject()
        #else
          pthread_getspecific(key)
        #endif
      }
      set {
        #if os(Linux)
          setThreadObject(newValue)
        #endif
        pthread_setspecific(key, newValue)
      }
    }
  #endif
}

#if os(Linux)
  // A thread-local variable of C is read in a few instructions; that of pthread releases the object. They are in
  // Sources/KVRuntime, since Swift has no thread-local variables.
  @_silgen_name("kv_threadObject")
  private func threadObject() -> UnsafeMutableRawPointer?
  @_silgen_name("kv_setThreadObject")
  private func setThreadObject(_ object: UnsafeMutableRawPointer?)
#endif

#if canImport(Darwin)
  private let releaseObject: @convention(c) (UnsafeMutableRawPointer) -> Void = {
    Unmanaged<AnyObject>.fromOpaque($0).release()
  }
#elseif !canImport(WinSDK)
  private let releaseObject: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    #if os(Linux)
      // The object's deinit, or that of another one that the thread releases, may store a new one.
      setThreadObject(nil)
    #endif
    if let object = $0 { Unmanaged<AnyObject>.fromOpaque(object).release() }
  }
#endif

/// Returns a number that identifies the current thread while it runs.
package func currentThread() -> UInt {
  #if canImport(WinSDK)
    UInt(GetCurrentThreadId())
  #else
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  #endif
}

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
  // The modules of these platforms leave out this function, which their C libraries have.
  @_silgen_name("pthread_getattr_np")
  private func getAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32
#endif

/// Returns the lowest address of the current thread's stack and its size in bytes; zeros if the platform does not tell.
func stackBounds() -> (lowest: UInt, size: UInt) {
  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    var attributes = pthread_attr_t()
    guard getAttributes(pthread_self(), &attributes) == 0 else { return (0, 0) }
    defer { pthread_attr_destroy(&attributes) }
    var (address, size): (UnsafeMutableRawPointer?, Int) = (nil, 0)
    guard pthread_attr_getstack(&attributes, &address, &size) == 0 else { return (0, 0) }
    return (UInt(bitPattern: address), UInt(size))
  #elseif canImport(Darwin)
    let size = UInt(pthread_get_stacksize_np(pthread_self()))
    return (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
  #else
    (0, 0)
  #endif
}
