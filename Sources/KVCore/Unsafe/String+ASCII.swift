extension String {
  /// Whether all characters are ASCII.
  @inlinable @inline(__always)
  package var isASCII: Bool { utf8.withContiguousStorageIfAvailable(\.isASCII) ?? utf8.allSatisfy { $0 < 0x80 } }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are ASCII; eight are looked at at once.
  @inlinable @inline(__always)
  package var isASCII: Bool {
    guard count >= 8 else { return allSatisfy { $0 < 0x80 } }
    let bytes = UnsafeRawBufferPointer(self)
    // The last eight, some of which may be looked at twice.
    var bits = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    for offset in stride(from: 0, to: count - 8, by: 8) {
      bits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
