/// What a text is compared with: prepared once, and compared with many texts without copying them if they are ASCII
/// (FLT.6, FLT.7, FLT.20).
final class TextPattern: Sendable {
  typealias Operator = PredicateComparison.Operator

  private let `operator`: Operator
  private let options: KVTextOptions
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

  /// Whether a text matches, for an operator that does not order.
  func matches(_ text: String) throws(KVError) -> Bool {
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

  /// Returns the order of a text and the pattern's.
  func order(_ text: String) -> KVOrdering {
    KVOrdering(texts: TextFolding.fold(text, options), folded)
  }

  /// Returns whether an ASCII text matches; nil if what decides is not ASCII.
  @inline(__always)
  func matchesASCII<Bytes: RandomAccessCollection<UInt8>>(
    _ text: Bytes, _ pattern: [WildcardPart<UInt8>]
  ) -> Bool? where Bytes.Index == Int {
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
      guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
      return WildcardPart.contains(text.lazy.map { Self.folded($0, mask) }, pattern)
    case .like:
      guard text.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else { return nil }
      return WildcardPart.isLike(text.lazy.map { Self.folded($0, mask) }, pattern) { $0 + 1 }
    default:
      guard text.count == pattern.count else { return text.allSatisfy { $0 < 0x80 } ? false : nil }
      for index in 0..<pattern.count {
        let byte = text[index]
        if byte >= 0x80 { return nil }
        if !pattern[index].matches(Self.folded(byte, mask)) {
          return text.allSatisfy { $0 < 0x80 } ? false : nil
        }
      }
      return true
    }
  }

  @inline(__always)
  private static func folded(_ byte: UInt8, _ mask: UInt8) -> UInt8 {
    mask != 0 && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
