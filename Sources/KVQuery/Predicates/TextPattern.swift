import KVCore

/// A text that is prepared once, and compared with many texts without copying them if they are ASCII
/// (FLT.6, FLT.7, FLT.20).
///
/// A comparison takes time that is proportional to both texts together, but for that of a regular expression.
final class TextPattern: Sendable {
  typealias Operator = PredicateComparison.Operator

  let `operator`: Operator
  let options: KVTextOptions
  private let text: String
  private let folded: String
  /// The folded characters, of CONTAINS and ENDSWITH.
  private let characters: SearchPattern<Character>
  /// The folded text as bytes, if all are ASCII, and no line break is among them, which may be one character of two bytes.
  private let bytes: SearchPattern<UInt8>?
  private let like: LikePattern<Character>?
  /// The pattern of LIKE for ASCII texts, if it has none but such bytes.
  private let likeBytes: LikePattern<UInt8>?
  private let regex: RegexPattern?

  /// Creates a pattern for an operator that compares texts.
  ///
  /// - Throws: ``KVError`` (`invalidPredicate`) for a malformed regular expression.
  init(_ operator: Operator, _ text: String, _ options: KVTextOptions) throws(KVError) {
    self.operator = `operator`
    self.options = options
    self.text = text
    folded = TextFolding.fold(text, options)
    regex = `operator` == .matches ? try RegexPattern(text, options) : nil
    let parts = `operator` == .like ? LikePattern<Character>.parts(of: text, options) : []
    like = `operator` == .like ? LikePattern(parts) : nil
    likeBytes = `operator` == .like ? LikePattern(ascii: parts) : nil
    characters = SearchPattern(`operator` == .contains || `operator` == .endsWith ? Array(folded) : [])
    let isOfBytes = like == nil && folded.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }
    bytes = isOfBytes ? SearchPattern(Array(folded.utf8)) : nil
  }

  /// Returns why a text is no regular expression; nil if it is one.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if the stack has no room for it.
  static func fault(ofRegex text: String) throws(KVError) -> String? {
    do throws(KVError) {
      _ = try RegexPattern(text, [])
      return nil
    } catch {
      if error.code == .limitExceeded { throw error }
      return error.message
    }
  }

  /// Whether the operator holds for a text and the pattern's.
  func matches(_ text: String) throws(KVError) -> Bool {
    switch `operator` {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return `operator`.isSatisfied(by: KVOrdering(texts: TextFolding.fold(text, options), folded))
    case .notEqual: return try !isMatch(text)
    default: return try isMatch(text)
    }
  }

  @inline(__always)
  private func isMatch(_ text: String) throws(KVError) -> Bool {
    if let regex { return try regex.matches(text) }
    if let bytes, let answer = matchesASCII(text, bytes) { return answer }
    if let like { return try isLike(text, like) }
    let text = TextFolding.fold(text, options)
    switch `operator` {
    case .beginsWith: return text.hasPrefix(folded)
    // From its end, the characters of a text of flags take quadratic time.
    case .endsWith: return FoldedCharacters(folded: text).ends(with: characters.elements)
    case .contains:
      let text = FoldedCharacters(folded: text)
      return characters.firstEnd(in: text, from: 0, to: text.count) != nil
    default: return text == folded
    }
  }

  private func isLike(_ text: String, _ pattern: LikePattern<Character>) throws(KVError) -> Bool {
    switch likeBytes.flatMap({ matchesASCII(text, $0) }) ?? pattern.matches(FoldedCharacters(text, options)) {
    case .match: return true
    case .noMatch: return false
    case .tooManyComparisons:
      throw KVError(
        .limitExceeded,
        """
        LIKE compares \(KeyPathParser.excerpt(self.text)) more than \(LikePattern<Character>.comparisonsPerElement) times \
        for each character of a text: shorten what has a ? between two *, or write it without ?.
        """, component: self.text)
    }
  }
}

extension PredicateComparison.Operator {
  /// Whether an operator that orders holds for the order of its sides.
  func isSatisfied(by ordering: KVOrdering) -> Bool {
    switch self {
    case .less: ordering == .less
    case .lessOrEqual: ordering != .greater
    case .greater: ordering == .greater
    default: ordering != .less
    }
  }
}
