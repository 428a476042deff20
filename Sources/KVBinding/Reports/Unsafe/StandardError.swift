#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(ucrt)
  import ucrt
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// Writes a line to standard error.
func writeToStandardError(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  #if canImport(ucrt)
    _ = _write(2, bytes, UInt32(bytes.count))
  #else
    _ = write(2, bytes, bytes.count)
  #endif
}
