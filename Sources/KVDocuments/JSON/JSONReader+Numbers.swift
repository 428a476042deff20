import KVCore

extension JSONReader {
  /// Reads a number, whose first byte is the next: a minus or a digit.
  ///
  /// - Returns: The integer if it has neither a fraction nor an exponent, as an `Int`, or if that is too small as a
  ///   `UInt64` or an `Int128`; else the nearest `Double`.
  mutating func number() throws(DocumentFault) -> Any {
    let isInteger = try numberToken()
    if isInteger, let small = smallInteger { return small }
    return try exactNumber(isInteger)
  }

  /// Checks a number, whose first byte is the next.
  mutating func skipNumber() throws(DocumentFault) {
    let isInteger = try numberToken()
    // A number of so few bytes is in range unless it has an exponent.
    if position - tokenStart <= 38, isInteger || !bytes[tokenStart..<position].contains(where: { $0 | 0x20 == 0x65 }) {
      return
    }
    _ = try exactNumber(isInteger)
  }

  var isDigit: Bool { mutating get { next.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false } }

  /// Finds the end of a number, and goes there.
  ///
  /// - Returns: Whether it has neither a fraction nor an exponent.
  private mutating func numberToken() throws(DocumentFault) -> Bool {
    (tokenStart, isInToken) = (position, true)
    defer { isInToken = false }
    var isInteger = true
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit { throw fault("a number of several digits does not begin with 0", at: tokenStart) }
    } else {
      try digits("a digit")
    }
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits("a digit behind the point")
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits("a digit of the exponent")
    }
    return isInteger
  }

  private mutating func digits(_ what: String) throws(DocumentFault) {
    guard isDigit else { throw expected(what) }
    repeat {
      while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    } while position == bytes.count && refill()
  }

  /// The integer, if it has up to 18 digits and is no negative zero.
  private var smallInteger: Int? {
    let isNegative = bytes[tokenStart] == UInt8(ascii: "-")
    let digits = bytes[(isNegative ? tokenStart + 1 : tokenStart)..<position]
    guard digits.count <= 18 else { return nil }
    var magnitude = 0
    for digit in digits { magnitude = magnitude &* 10 &+ Int(digit &- UInt8(ascii: "0")) }
    return isNegative ? (magnitude == 0 ? nil : -magnitude) : magnitude
  }

  private func exactNumber(_ isInteger: Bool) throws(DocumentFault) -> Any {
    let text = String(decoding: bytes[tokenStart..<position], as: UTF8.self)
    // Negative zero is none of the integers.
    if isInteger, text != "-0" {
      if let integer = Int(text) { return integer }
      if let integer = UInt64(text) { return integer }
      if let integer = Int128(text) { return integer }
      throw fault(
        """
        the integer \(Self.short(text)) has more than 128 bits; write it as a string, or with an exponent to have the \
        nearest double
        """, at: tokenStart)
    }
    guard let double = Double(text), double.isFinite else {
      throw fault("the number \(Self.short(text)) is out of range", at: tokenStart)
    }
    return double
  }

  private static func short(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
