extension TextPattern {
  /// Returns whether an ASCII text matches; nil if what decides is not ASCII, or the text is not in memory.
  @inline(__always)
  func matchesASCII(_ text: String, _ pattern: [WildcardPart<UInt8>]) -> Bool? {
    text.utf8.withContiguousStorageIfAvailable { matchesASCII($0, pattern) } ?? nil
  }
}
