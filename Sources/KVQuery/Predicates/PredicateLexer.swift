import KVCore

/// Takes a format apart into words, numbers, texts, signs and arguments.
struct PredicateLexer {
  /// A token of a predicate.
  enum Token {
    case end
    case word(String)
    case number(any Sendable)
    case text(String)
    case sign(String)
    case value((any Sendable)?)
    case keyPath(KVKeyPath)
  }

  /// The byte that stands for an interpolated argument, which no text has.
  static let marker: UInt8 = 0xFF

  let bytes: [UInt8]
  /// Whether the format is one of an expression, for messages.
  private let isExpression: Bool
  private var arguments: PredicateArguments
  private var position = 0
  /// The token that comes next, and where it begins and ends.
  private(set) var token = Token.end
  private(set) var start = 0

  init(
    _ bytes: [UInt8], _ arguments: PredicateArguments, isExpression: Bool = false
  ) throws(KVError) {
    self.bytes = bytes
    self.isExpression = isExpression
    self.arguments = arguments
    try advance()
  }

  private func byte(_ offset: Int = 0) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }

  /// Whether a parenthesis follows the token, with or without blanks between.
  var isFollowedByParenthesis: Bool {
    var remaining = self
    remaining.skipBlanks()
    return remaining.byte() == UInt8(ascii: "(")
  }

  // MARK: Tokens

  /// Reads the next token.
  mutating func advance() throws(KVError) {
    skipBlanks()
    start = position
    guard position < bytes.count else {
      token = .end
      return try arguments.checkAllAreUsed(self)
    }
    switch byte() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): token = .text(try quoted())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): token = .number(try number())
    case UInt8(ascii: "%"): try specifier()
    case Self.marker: try interpolation()
    case let byte where Self.isWordByte(byte):
      if isTypographicQuote {
        throw fault("expected a key or a value", at: start, hint: " A text stands between \" and \", or ' and '.")
      }
      token = .word(word())
    default: token = try sign()
    }
  }

  /// Reads the next token, which is a key after a dot: it may begin with a digit.
  mutating func advanceToKey() throws(KVError) {
    skipBlanks()
    guard Self.isDigit(byte()) else { return try advance() }
    start = position
    token = .word(word())
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      if Self.isBlank(byte()) {
        position += 1
      } else if byte() >= 0x80, byte() != Self.marker, let count = unicodeBlank() {
        position += count
      } else {
        return
      }
    }
  }

  /// The bytes of a blank that is not ASCII.
  private func unicodeBlank() -> Int? {
    // U+0085, U+00A0; U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F; U+3000.
    switch (byte(), byte(1), byte(2)) {
    case (0xC2, 0x85, _), (0xC2, 0xA0, _): 2
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF): 3
    case (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80): 3
    default: nil
    }
  }

  /// Whether a quotation mark begins that editors of texts make of `"` and `'`.
  private var isTypographicQuote: Bool {
    // U+00AB, U+00BB; U+2018 to U+201F; U+2039, U+203A.
    switch (byte(), byte(1), byte(2)) {
    case (0xC2, 0xAB, _), (0xC2, 0xBB, _), (0xE2, 0x80, 0x98...0x9F), (0xE2, 0x80, 0xB9...0xBA): true
    default: false
    }
  }

  /// Reads a word; the colons of a function's name belong to it.
  private mutating func word() -> String {
    let start = position
    while position < bytes.count {
      if byte() == UInt8(ascii: ":") {
        guard Self.isWordByte(byte(1)) || byte(1) == UInt8(ascii: "(") else { break }
      } else if !Self.isWordByte(byte()) || byte() >= 0x80 && (unicodeBlank() != nil || isTypographicQuote) {
        break
      }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func sign(_ length: Int) -> Token {
    defer { position += length }
    return .sign(String(decoding: bytes[position..<position + length], as: UTF8.self))
  }

  private mutating func sign() throws(KVError) -> Token {
    switch (byte(), byte(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "="), UInt8(ascii: "<")),
      (UInt8(ascii: "="), UInt8(ascii: ">")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
      (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
      (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "&"), UInt8(ascii: "&")),
      (UInt8(ascii: "|"), UInt8(ascii: "|")), (UInt8(ascii: "*"), UInt8(ascii: "*")),
      (UInt8(ascii: ":"), UInt8(ascii: "=")):
      return sign(2)
    default: return sign(1)
    }
  }

  // MARK: Numbers and texts

  private mutating func number() throws(KVError) -> any Sendable {
    let start = position
    if byte() == UInt8(ascii: "0"), let radix = Self.radix(byte(1)) {
      position += 2
      let digits = position
      while Self.isDigit(byte()) || Self.isLetter(byte()) { position += 1 }
      let text = String(decoding: bytes[digits..<position], as: UTF8.self)
      guard let value = Int128(text, radix: radix) else {
        throw fault("expected the digits of an integer of base \(radix) that fits in 128 bits", at: start)
      }
      return Self.shortest(value)
    }
    while Self.isDigit(byte()) { position += 1 }
    var isInteger = true
    if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
      isInteger = false
      position += 1
      while Self.isDigit(byte()) { position += 1 }
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if Self.isDigit(byte(1 + sign)) {
        isInteger = false
        position += 1 + sign
        while Self.isDigit(byte()) { position += 1 }
      }
    }
    if Self.isWordByte(byte()) { throw fault("expected the end of the number", at: position) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      guard let value = Int128(text) else { throw fault("expected an integer that fits in 128 bits", at: start) }
      return Self.shortest(value)
    }
    guard let value = Double(text), value.isFinite else {
      throw fault("expected a number that a Double has", at: start)
    }
    return value
  }

  /// Returns an integer as an `Int` if it is one.
  static func shortest(_ value: Int128) -> any Sendable {
    if let value = Int(exactly: value) { return value }
    return value
  }

  /// Reads a text in quotes.
  mutating func quoted() throws(KVError) -> String {
    let (open, quote) = (position, byte())
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      switch byte() {
      case quote:
        position += 1
        return String(decoding: content, as: UTF8.self)
      case Self.marker:
        throw fault("expected no interpolation in quotes: write it without them", at: position)
      case UInt8(ascii: "\\"):
        content += try escape()
      case let byte:
        content.append(byte)
        position += 1
      }
    }
    throw fault(
      "the quote opened here is never closed; expected \(quote == 0x22 ? "\"" : "'")", at: open, found: "the end")
  }

  private mutating func escape() throws(KVError) -> [UInt8] {
    let start = position
    position += 2
    switch bytes.count > start + 1 ? bytes[start + 1] : 0 {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      let digits = bytes[position..<min(position + 4, bytes.count)]
      guard digits.count == 4, digits.allSatisfy({ Self.isDigit($0) || Self.isLetter($0) }),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(value)
      else { throw fault("expected four hexadecimal digits of a character after \\u", at: start) }
      position += 4
      return Array(String(Character(scalar)).utf8)
    case let other where other == 0x22 || other == 0x27 || other == 0x5C || other == 0x2F: return [other]
    // The pattern of LIKE and MATCHES has escapes of its own.
    case let other where other > 0x20 && other < 0x7F || other == UInt8(ascii: " "): return [0x5C, other]
    default: throw fault("expected a character to escape after \\", at: start)
    }
  }

  // MARK: Arguments

  private mutating func interpolation() throws(KVError) {
    position += 1
    switch arguments.next() {
    case .value(let value)?: token = .value(value)
    case .keyPath(let path)?: token = .keyPath(path)
    case nil: throw fault("expected no character of this kind", at: start)
    }
  }

  private mutating func specifier() throws(KVError) {
    position += 1
    while "hlqztjL".utf8.contains(byte()) { position += 1 }
    let letter = byte()
    position += 1
    guard "@KdiuxXoDUOfFeEgGaAcsS".utf8.contains(letter) else {
      position = min(position, bytes.count)
      throw fault(
        "expected %@, %K, %d, %f or another specifier of a format", at: start,
        hint: " The remainder of a division is modulus:by:(a, b).")
    }
    guard let argument = arguments.next() else {
      throw fault("expected an argument for each specifier: there are too few arguments", at: start)
    }
    token = try argument.token(for: letter, number: arguments.used, fault: { fault($0, at: start) })
  }

  // MARK: Faults

  /// Returns the error of a token.
  func fault(_ expected: String, hint: String = "") -> KVError {
    fault(expected, at: start, found: found, hint: hint)
  }

  /// The name of the token in messages.
  private var found: String {
    if case .end = token { return "the end" }
    return text(start..<min(max(position, start + 1), bytes.count))
  }

  func fault(_ expected: String, at position: Int, found: String? = nil, hint: String = "") -> KVError {
    let offset = display(0..<position).count
    let found = found ?? (position < bytes.count ? character(at: position) : "the end")
    let whole = display(0..<bytes.count)
    let shown = found == "the end" ? found : "\"\(shortened(found))\""
    return KVError(
      .invalidPredicate,
      "\(KeyPathParser.excerpt(whole)) is not \(isExpression ? "an expression" : "a predicate"): at offset \(offset), \(expected), and found \(shown).\(hint)",
      keyPath: whole, component: found, offset: offset)
  }

  private func character(at position: Int) -> String {
    String(display(position..<min(position + 40, bytes.count)).prefix(1))
  }

  private func text(_ range: Range<Int>) -> String { display(range) }

  /// Returns the text of some bytes, with specifiers for interpolated arguments.
  private func display(_ range: Range<Int>) -> String {
    guard bytes[range].contains(Self.marker) else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: bytes[range].flatMap { $0 == Self.marker ? Array("%@".utf8) : [$0] }, as: UTF8.self)
  }

  /// Returns the error for what is known and not supported.
  func unsupported(_ name: String, _ reason: String) -> KVError {
    let fault = fault("expected something else")
    return KVError(
      .invalidPredicate,
      "\(name) is not supported: \(reason). (At offset \(fault.offset ?? 0) of \(KeyPathParser.excerpt(fault.keyPath ?? "")).)",
      keyPath: fault.keyPath, component: name, offset: fault.offset)
  }
}
