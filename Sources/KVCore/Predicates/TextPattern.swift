/// What a text is compared with: prepared once, and compared with many texts without copying them if they are ASCII
/// (FLT.6, FLT.7, FLT.20).
final class TextPattern: Sendable {
  typealias Operator = PredicateComparison.Operator

  let `operator`: Operator
  let options: KVTextOptions
  private let folded: String
  /// The folded characters, or the parts of a pattern with wildcards.
  private let characters: [WildcardPart<Character>]
  /// The same as bytes, if all are ASCII, and no line break is among them, which may be one character of two bytes.
  private let bytes: [WildcardPart<UInt8>]?
  private let regex: RegexPattern?

  /// Creates a pattern for an operator that compares texts.
  ///
  /// - Throws: ``KVError`` (`invalidPredicate`) for a malformed regular expression.
  init(_ operator: Operator, _ text: String, _ options: KVTextOptions) throws(KVError) {
    self.operator = `operator`
    self.options = options
    folded = TextFolding.fold(text, options)
    regex = `operator` == .matches ? try RegexPattern(text, options) : nil
    characters =
      `operator` == .like
      ? WildcardPart.parts(of: text, options) : folded.map { WildcardPart<Character>.literal($0) }
    var bytes: [WildcardPart<UInt8>] = []
    for part in characters {
      switch part {
      case .any: bytes.append(.any)
      case .one: bytes.append(.one)
      case .literal(let character):
        if let value = character.asciiValue, character.utf8.count == 1, value != 0x0A, value != 0x0D {
          bytes.append(.literal(value))
        }
      }
    }
    self.bytes = bytes.count == characters.count ? bytes : nil
  }

  /// Returns why a text is no regular expression; nil if it is one.
  static func fault(ofRegex text: String) -> String? {
    do throws(KVError) {
      _ = try RegexPattern(text, [])
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether the operator holds for a text and the pattern's.
  func matches(_ text: String) throws(KVError) -> Bool {
    switch `operator` {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return `operator`.holds(KVOrdering(texts: TextFolding.fold(text, options), folded))
    case .notEqual: return try !isMatch(text)
    default: return try isMatch(text)
    }
  }

  @inline(__always)
  private func isMatch(_ text: String) throws(KVError) -> Bool {
    if let regex { return try regex.matches(text) }
    if let bytes, let answer = matchesASCII(text, bytes) { return answer }
    if `operator` == .like { return WildcardPart.isLike(text, characters, options) }
    let text = TextFolding.fold(text, options)
    switch `operator` {
    case .beginsWith: return text.hasPrefix(folded)
    case .endsWith: return text.hasSuffix(folded)
    case .contains: return WildcardPart.contains(Array(text), characters)
    default: return text == folded
    }
  }
}

extension PredicateComparison.Operator {
  /// Whether an operator that orders holds for the order of its sides.
  func holds(_ ordering: KVOrdering) -> Bool {
    switch self {
    case .less: ordering == .less
    case .lessOrEqual: ordering != .greater
    case .greater: ordering == .greater
    default: ordering != .less
    }
  }
}
