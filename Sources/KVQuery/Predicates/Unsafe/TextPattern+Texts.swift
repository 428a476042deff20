import KVCore

extension TextPattern {
  /// Returns whether an ASCII text matches; nil if what decides is not ASCII, or the text is not in memory.
  @inline(__always)
  func matchesASCII(_ text: String, _ pattern: SearchPattern<UInt8>) -> Bool? {
    text.utf8.withContiguousStorageIfAvailable { matchesASCII($0, pattern) } ?? nil
  }

  /// Returns whether a text matches a pattern of LIKE; nil if it is not ASCII, or not in memory.
  func matchesASCII(_ text: String, _ pattern: LikePattern<UInt8>) -> LikeAnswer? {
    text.utf8.withContiguousStorageIfAvailable { text in
      text.isASCII && !text.contains(0x0D) ? pattern.matches(ascii(text)) : nil
    } ?? nil
  }

  @inline(__always)
  private func ascii(_ text: UnsafeBufferPointer<UInt8>) -> ASCIIText {
    ASCIIText(text, ignoresCase: options.contains(.caseInsensitive))
  }

  /// Returns whether an ASCII text matches; nil if what decides is not ASCII.
  @inline(__always)
  private func matchesASCII(_ text: UnsafeBufferPointer<UInt8>, _ pattern: SearchPattern<UInt8>) -> Bool? {
    let (folded, pattern, search) = (ascii(text), pattern.elements, pattern)
    switch `operator` {
    case .beginsWith:
      for index in 0..<pattern.count {
        guard index < text.count else { return false }
        if text[index] >= 0x80 { return nil }
        // A mark may follow, which no letter of the pattern has.
        if pattern[index] != folded[index] { return false }
      }
      return pattern.count < text.count && text[pattern.count] >= 0x80 ? nil : true
    case .endsWith:
      for offset in 1..<(pattern.count + 1) {
        guard offset <= text.count else { return false }
        if text[text.count - offset] >= 0x80 { return nil }
        if pattern[pattern.count - offset] != folded[text.count - offset] { return false }
      }
      return pattern.count < text.count && text[text.count - pattern.count - 1] >= 0x80 ? nil : true
    case .contains:
      return text.isASCII ? search.firstEnd(in: folded, from: 0, to: text.count) != nil : nil
    default:
      guard text.count == pattern.count else { return text.isASCII ? false : nil }
      for index in 0..<pattern.count {
        if text[index] >= 0x80 { return nil }
        if pattern[index] != folded[index] { return text.isASCII ? false : nil }
      }
      return true
    }
  }
}
