import KVCore

/// The bytes of an ASCII text, in lower case if case is ignored; each is one character, since no line break is among them
/// that is sought.
struct ASCIIText: SearchedText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let ignoresCase: Bool

  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, ignoresCase: Bool) {
    self.bytes = bytes
    self.ignoresCase = ignoresCase
  }

  @inline(__always)
  var count: Int { bytes.count }

  @inline(__always)
  subscript(index: Int) -> UInt8 { ignoresCase ? TextFolding.lowercased(bytes[index]) : bytes[index] }

  /// A letter is sought in both of its cases, so that only what may be the rest is folded.
  @inline(__always)
  func firstIndex(of byte: UInt8, in range: ClosedRange<Int>) -> Int? {
    let other = ignoresCase && byte &- 0x61 < 26 ? byte & 0xDF : byte
    var index = range.lowerBound
    while index <= range.upperBound {
      if bytes[index] == byte || bytes[index] == other { return index }
      index += 1
    }
    return nil
  }

  func characterEnd(from index: Int) -> Int? { index + 1 }

  func characterStart(before index: Int) -> Int? { index - 1 }
}
