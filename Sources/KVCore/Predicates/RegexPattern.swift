/// A regular expression of MATCHES.
///
/// A regular expression that is made of a text contains no functions of the program. Matching changes nothing in it.
final class RegexPattern: @unchecked Sendable {  // guard: immutable; see above
  private static let deepest = 100

  private let regex: Regex<AnyRegexOutput>
  private let text: String
  private let ignoresDiacritics: Bool

  /// Creates a pattern.
  ///
  /// - Throws: ``KVError`` (`invalidPredicate`) if the text is no regular expression, or is nested too deeply.
  init(_ text: String, _ options: KVTextOptions) throws(KVError) {
    self.text = text
    ignoresDiacritics = options.contains(.diacriticInsensitive)
    // The parser of the standard library recurses.
    guard text.utf8.count(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) <= Self.deepest else {
      throw KVError(.limitExceeded, "the pattern has more than \(Self.deepest) groups.", component: text)
    }
    let pattern = ignoresDiacritics ? TextFolding.fold(text, .diacriticInsensitive) : text
    do {
      let regex = try Regex(pattern)
      self.regex = options.contains(.caseInsensitive) ? regex.ignoresCase() : regex
    } catch {
      throw KVError(
        .invalidPredicate, "\(KeyPathParser.excerpt(text)) is no regular expression: \(error)", component: text,
        underlying: error)
    }
  }

  /// Whether the whole text matches.
  func matches(_ text: String) throws(KVError) -> Bool {
    let text = ignoresDiacritics ? TextFolding.fold(text, .diacriticInsensitive) : text
    do { return try regex.wholeMatch(in: text) != nil } catch {
      throw KVError(.custom, "matching \(KeyPathParser.excerpt(self.text)) failed: \(error)", underlying: error)
    }
  }
}
