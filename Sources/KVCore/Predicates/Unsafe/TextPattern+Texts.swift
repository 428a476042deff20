extension TextPattern {
  /// Returns whether an ASCII text matches; nil if what decides is not ASCII, or the text is not in memory.
  @inline(__always)
  func matchesASCII(_ text: String, _ pattern: [WildcardPart<UInt8>]) -> Bool? {
    text.utf8.withContiguousStorageIfAvailable { matchesASCII($0, pattern) } ?? nil
  }

  /// Returns whether an ASCII text matches; nil if what decides is not ASCII.
  @inline(__always)
  private func matchesASCII(_ text: UnsafeBufferPointer<UInt8>, _ pattern: [WildcardPart<UInt8>]) -> Bool? {
    let mask: UInt8 = options.contains(.caseInsensitive) ? 0xFF : 0
    switch `operator` {
    case .beginsWith:
      for index in 0..<pattern.count {
        guard index < text.count else { return false }
        let byte = text[index]
        if byte >= 0x80 { return nil }
        guard pattern[index].matches(Self.folded(byte, mask)) else {
          // A mark may follow, which no letter of the pattern has.
          return false
        }
      }
      return pattern.count < text.count && text[pattern.count] >= 0x80 ? nil : true
    case .endsWith:
      for offset in 1..<(pattern.count + 1) {
        guard offset <= text.count else { return false }
        let byte = text[text.count - offset]
        if byte >= 0x80 { return nil }
        guard pattern[pattern.count - offset].matches(Self.folded(byte, mask)) else { return false }
      }
      return pattern.count < text.count && text[text.count - pattern.count - 1] >= 0x80 ? nil : true
    case .contains:
      return text.isASCII ? Self.contains(text, pattern, mask) : nil
    case .like:
      guard text.isASCII, !text.contains(0x0D) else { return nil }
      return WildcardPart.isLike(text.lazy.map { Self.folded($0, mask) }, pattern) { $0 + 1 }
    default:
      guard text.count == pattern.count else { return text.isASCII ? false : nil }
      for index in 0..<pattern.count {
        let byte = text[index]
        if byte >= 0x80 { return nil }
        if !pattern[index].matches(Self.folded(byte, mask)) {
          return text.isASCII ? false : nil
        }
      }
      return true
    }
  }

  /// Returns whether ASCII bytes contain a pattern without wildcards.
  @inline(__always)
  private static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: [WildcardPart<UInt8>], _ mask: UInt8
  ) -> Bool {
    guard case .literal(let first)? = pattern.first else { return true }
    // A letter is sought in both of its cases, so that only what may be the rest is folded.
    let other = mask != 0 && first &- 0x61 < 26 ? first & 0xDF : first
    var start = 0
    while start <= text.count - pattern.count {
      if text[start] == first || text[start] == other {
        var matched = 1
        while matched < pattern.count, pattern[matched].matches(folded(text[start + matched], mask)) { matched += 1 }
        if matched == pattern.count { return true }
      }
      start += 1
    }
    return false
  }

  @inline(__always)
  private static func folded(_ byte: UInt8, _ mask: UInt8) -> UInt8 {
    mask != 0 && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
