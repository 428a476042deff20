/// Splits Swift source into tokens.
///
/// Any bytes are accepted: what is no Swift becomes tokens of which no declaration is made. Nesting (comments, strings
/// in interpolations in strings) is kept in arrays, so that it is not limited by the stack, and each byte is visited a
/// constant number of times.
struct Lexer {
  /// A string literal whose interpolation is being read.
  private struct OpenString {
    let pounds: Int
    let isMultiline: Bool
    /// The parentheses that are open in the interpolation.
    var parentheses = 1
  }

  private let source: [UInt8]
  private var position = 0
  private var tokens: [Token] = []
  private var openStrings: [OpenString] = []
  private var followsSpace = false
  private var isFirstOnLine = true
  /// The number signs of regular expressions that nothing ends: the rest of the source is not searched again.
  private var poundsWithoutEnd: Set<Int> = []
  /// Where a slash was looked for that ends a regular expression, and not found: none before begins one.
  private var regexSearchEnd = 0

  private init(_ source: [UInt8]) { self.source = source }

  /// Returns the tokens of a source.
  ///
  /// - Parameter source: UTF-8.
  /// - Complexity: O(*n*) in the number of bytes.
  static func tokens(of source: [UInt8]) -> [Token] {
    var lexer = Lexer(source)
    while lexer.skipTrivia() { lexer.readToken() }
    return lexer.tokens
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    #if DEBUG
      StepCount.add()
    #endif
    let index = position + offset
    return index < source.count ? source[index] : nil
  }

  private func starts(with text: String) -> Bool {
    let count = text.utf8.count
    guard position + count <= source.count else { return false }
    return text.utf8.elementsEqual(source[position..<position + count])
  }

  // MARK: White space and comments

  /// Skips white space and comments, and returns whether a token follows.
  private mutating func skipTrivia() -> Bool {
    while let byte = byte() {
      if Ascii.isNewline(byte) {
        isFirstOnLine = true
        followsSpace = true
        position += 1
      } else if byte <= Ascii.space || byte == Ascii.delete {
        followsSpace = true
        position += 1
      } else if starts(with: "//") {
        skipLine()
      } else if starts(with: "/*") {
        skipComment()
      } else {
        return true
      }
    }
    return false
  }

  private mutating func skipLine() {
    followsSpace = true
    while let byte = byte(), !Ascii.isNewline(byte) { position += 1 }
  }

  private mutating func skipComment() {
    followsSpace = true
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else {
        if byte().map(Ascii.isNewline) ?? false { isFirstOnLine = true }
        position += 1
      }
    } while depth > 0 && position < source.count
    position = min(position, source.count)
  }

  // MARK: Tokens

  private mutating func append(_ kind: Token.Kind, from start: Int) {
    tokens.append(
      Token(kind: kind, range: start..<position, followsSpace: followsSpace, isFirstOnLine: isFirstOnLine))
    followsSpace = false
    isFirstOnLine = false
  }

  private mutating func readToken() {
    let start = position
    guard let first = byte() else { return }
    switch first {
    case Ascii.quote: readString(pounds: 0, from: start)
    case Ascii.pound: readPound()
    case Ascii.backtick: readQuotedName()
    case Ascii.zero...Ascii.nine: readNumber()
    case Ascii.slash where followsNoOperand && readRegex(pounds: 0): break
    case _ where Self.punctuation.contains(first) && !(first == Ascii.period && byte(1) == Ascii.period):
      position += 1
      append(.punctuation, from: start)
      countParenthesis(first)
    case _ where OperatorCharacters.length(at: position, in: source) > 0: readOperator()
    default:
      skipName()
      append(.identifier, from: start)
    }
  }

  private static let punctuation = Set("(){}[],;:.@\\".utf8)

  /// Counts the parentheses of an interpolation, and goes on with its string after the last one.
  private mutating func countParenthesis(_ byte: UInt8) {
    guard let last = openStrings.indices.last else { return }
    if byte == Ascii.openParenthesis {
      openStrings[last].parentheses += 1
    } else if byte == Ascii.closeParenthesis {
      openStrings[last].parentheses -= 1
      guard openStrings[last].parentheses == 0 else { return }
      let string = openStrings.removeLast()
      readStringPiece(pounds: string.pounds, isMultiline: string.isMultiline, from: position)
    }
  }

  private mutating func skipName() {
    repeat {
      position += 1
    } while position < source.count && Ascii.isPartOfName(source[position])
      && OperatorCharacters.length(at: position, in: source) == 0
  }

  /// Reads a name in backticks; without a second one on the line, the backtick is a token.
  private mutating func readQuotedName() {
    let start = position
    var end = position + 1
    while end < source.count, source[end] != Ascii.backtick, !Ascii.isNewline(source[end]) { end += 1 }
    position = end < source.count && source[end] == Ascii.backtick ? end + 1 : start + 1
    append(.identifier, from: start)
  }

  private mutating func readNumber() {
    let start = position
    while let byte = byte() {
      let isFraction = byte == Ascii.period && (self.byte(1).map { Ascii.zero...Ascii.nine ~= $0 } ?? false)
      let isExponentSign =
        (byte == Ascii.plus || byte == Ascii.minus) && isExponent(source[position - 1], after: start)
      guard Ascii.isPartOfName(byte) || isFraction || isExponentSign else { break }
      position += 1
    }
    append(.number, from: start)
  }

  /// Returns whether a letter of a number is its exponent: `e` in a decimal one, `p` in a hexadecimal one.
  private func isExponent(_ byte: UInt8, after start: Int) -> Bool {
    let isHexadecimal = start + 1 < position && source[start + 1] | 0x20 == UInt8(ascii: "x")
    return byte | 0x20 == UInt8(ascii: isHexadecimal ? "p" : "e")
  }

  private mutating func readOperator() {
    let start = position
    // An operator with periods begins with one.
    let hasPeriods = byte() == Ascii.period
    while position < source.count, !starts(with: "//"), !starts(with: "/*") {
      let length = hasPeriods && byte() == Ascii.period ? 1 : OperatorCharacters.length(at: position, in: source)
      guard length > 0 else { break }
      position += length
    }
    append(.operator, from: start)
  }

  private mutating func readPound() {
    let start = position
    while byte() == Ascii.pound { position += 1 }
    let pounds = position - start
    if byte() == Ascii.quote { return readString(pounds: pounds, from: start) }
    if byte() == Ascii.slash {
      position = start
      if readRegex(pounds: pounds) { return }
      position = start + pounds
    } else if pounds == 1, byte().map(Ascii.isPartOfName) ?? false {
      skipName()
    }
    append(.pound, from: start)
  }

  // MARK: Literals

  private mutating func readString(pounds: Int, from start: Int) {
    let isMultiline = starts(with: "\"\"\"") && (pounds == 0 || !endsOnLine(pounds: pounds))
    position += isMultiline ? 3 : 1
    readStringPiece(pounds: pounds, isMultiline: isMultiline, from: start)
  }

  /// Returns whether a string with number signs that begins with three quotes ends on its line: `#"""#`.
  private func endsOnLine(pounds: Int) -> Bool {
    var index = position + 1
    while index < source.count, !Ascii.isNewline(source[index]) {
      if source[index] == Ascii.quote, hasPounds(pounds, at: index + 1) { return true }
      index += 1
    }
    return false
  }

  /// Reads up to the end of a string literal, or to its next interpolation.
  private mutating func readStringPiece(pounds: Int, isMultiline: Bool, from start: Int) {
    while let byte = byte() {
      if byte == Ascii.backslash, hasPounds(pounds, at: position + 1) {
        position += 1 + pounds
        if self.byte() == Ascii.openParenthesis {
          append(.string, from: start)
          openStrings.append(OpenString(pounds: pounds, isMultiline: isMultiline))
          position += 1
          return append(.punctuation, from: position - 1)
        }
        position = min(position + 1, source.count)
      } else if byte == Ascii.quote, closes(pounds: pounds, isMultiline: isMultiline) {
        position += (isMultiline ? 3 : 1) + pounds
        return append(.string, from: start)
      } else if !isMultiline, Ascii.isNewline(byte) {
        break
      } else {
        position += 1
      }
    }
    append(.string, from: start)
  }

  private func closes(pounds: Int, isMultiline: Bool) -> Bool {
    isMultiline
      ? starts(with: "\"\"\"") && hasPounds(pounds, at: position + 3) : hasPounds(pounds, at: position + 1)
  }

  private func hasPounds(_ count: Int, at index: Int) -> Bool {
    index + count <= source.count && source[index..<index + count].allSatisfy { $0 == Ascii.pound }
  }

  /// Whether a slash begins a regular expression: the token before it is no operand of a division.
  private var followsNoOperand: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .string, .regex, .pound: return false
    case .identifier: return Keywords.precedingOperand.contains(Substring(decoding: source[last.range], as: UTF8.self))
    case .operator: return last.followsSpace || !Self.postfix.contains(source[last.range.lowerBound])
    case .punctuation: return !Self.closing.contains(source[last.range.lowerBound])
    }
  }

  private static let postfix = Set("?!".utf8)
  private static let closing = Set(")]}".utf8)

  /// Reads a regular expression; without an end, nothing is read and the slash is an operator.
  private mutating func readRegex(pounds: Int) -> Bool {
    let start = position
    var end = position + pounds + 1
    guard end < source.count, !poundsWithoutEnd.contains(pounds),
      pounds > 0 || !(source[end] == Ascii.space || source[end] == Ascii.tab || end < regexSearchEnd)
    else { return false }
    defer { if pounds == 0, position == start { regexSearchEnd = end } }
    var parentheses = 0
    while end < source.count {
      #if DEBUG
        StepCount.add()
      #endif
      switch source[end] {
      case Ascii.backslash where pounds > 0 || end + 1 == source.count || !Ascii.isNewline(source[end + 1]): end += 1
      case Ascii.slash where hasPounds(pounds, at: end + 1):
        position = end + 1 + pounds
        append(.regex, from: start)
        return true
      case let byte where pounds == 0 && Ascii.isNewline(byte): return false
      case Ascii.openParenthesis: parentheses += 1
      case Ascii.closeParenthesis:
        parentheses -= 1
        if pounds == 0, parentheses < 0 { return false }
      default: break
      }
      end += 1
    }
    if pounds > 0 { poundsWithoutEnd.insert(pounds) }
    return false
  }
}
