import KVCore

/// A regular expression of MATCHES.
///
/// A regular expression that is made of a text contains no functions of the program. Matching changes nothing in it.
final class RegexPattern: @unchecked Sendable {  // guard: immutable; see above
  private static let deepest = 100

  /// The stack that making and matching take, besides the reserve.
  private let size: Int
  private let regex: Regex<AnyRegexOutput>
  private let text: String
  private let ignoresDiacritics: Bool

  /// Creates a pattern.
  ///
  /// - Throws: ``KVError``: `invalidPredicate` if the text is no regular expression, `limitExceeded` if it is nested too
  ///   deeply.
  init(_ text: String, _ options: KVTextOptions) throws(KVError) {
    self.text = text
    ignoresDiacritics = options.contains(.diacriticInsensitive)
    // The parser of the standard library recurses.
    let nesting = RegexNesting(text)
    guard nesting.count <= Self.deepest else {
      throw KVError(
        .limitExceeded,
        "the pattern has more than \(Self.deepest) groups, classes and operators in classes; shorten it.",
        component: text)
    }
    size = nesting.stackSize
    try Self.checkStack(size, text)
    let pattern = ignoresDiacritics ? TextFolding.fold(text, .diacriticInsensitive) : text
    do {
      let regex = try Regex(pattern)
      self.regex = options.contains(.caseInsensitive) ? regex.ignoresCase() : regex
    } catch {
      throw KVError(
        .invalidPredicate, "\(KeyPathParser.excerpt(text)) is not a regular expression: \(error)", component: text,
        underlying: error)
    }
  }

  private static func checkStack(_ size: Int, _ text: String) throws(KVError) {
    if StackSpace.hasRoom(for: size) { return }
    let fault = NestingFault.stack
    throw KVError(
      .limitExceeded, "the pattern \(KeyPathParser.excerpt(text)) is \(fault.nested)\(fault.cure()).", component: text)
  }

  /// Whether the whole text matches.
  func matches(_ text: String) throws(KVError) -> Bool {
    // What is matched first is compiled then.
    try Self.checkStack(size, self.text)
    let text = ignoresDiacritics ? TextFolding.fold(text, .diacriticInsensitive) : text
    do { return try regex.wholeMatch(in: text) != nil } catch {
      throw KVError(.custom, "matching \(KeyPathParser.excerpt(self.text)) failed: \(error)", underlying: error)
    }
  }
}
