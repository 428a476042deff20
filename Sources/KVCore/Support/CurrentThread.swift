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

/// Returns a number that no other thread has while this one runs.
func currentThread() -> UInt {
  #if canImport(WinSDK)
    UInt(GetCurrentThreadId())
  #else
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  #endif
}
