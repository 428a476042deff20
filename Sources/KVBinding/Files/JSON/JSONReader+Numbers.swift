extension JSONReader {
  /// Reads a number, whose first byte is the next: a minus or a digit.
  ///
  /// - Returns: An `Int` if it is whole, a `UInt64` if it is too large for one; else the nearest `Double`.
  mutating func number() throws(DocumentFault) -> Any {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit { throw fault("a number of several digits does not begin with 0", at: start) }
    } else {
      try digits("a digit")
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits("a digit behind the point")
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits("a digit of the exponent")
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Negative zero is none of the integers.
    if let integer = Int(text), integer != 0 || text.utf8.count == 1 { return integer }
    guard let double = Double(text), double.isFinite else {
      let short = text.count > 40 ? "\(text.prefix(40))…" : text
      throw fault("the number \(short) is out of range", at: start)
    }
    return Self.integer(text, double) ?? double
  }

  var isDigit: Bool { next.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }

  private mutating func digits(_ what: String) throws(DocumentFault) {
    guard isDigit else { throw expected(what) }
    while isDigit { position += 1 }
  }

  /// Returns the integer that a number stands for; nil if it is none, or none of 64 bits.
  private static func integer(_ text: String, _ double: Double) -> Any? {
    guard double.rounded(.towardZero) == double, double.magnitude <= 0x1p64 else { return nil }
    if double == 0, double.sign == .minus { return nil }
    // Below this each double without a fraction stands for one integer.
    if double.magnitude < 0x1p53 { return Int(double) }
    let parts = text.split { $0 == "e" || $0 == "E" }
    let digits = parts[0].split(separator: ".")
    guard let exponent = parts.count < 2 ? 0 : Int(parts[1]) else { return nil }
    // The digits without the point, and how many zeros follow them.
    var whole = digits.joined()
    var zeros = exponent - (digits.count < 2 ? 0 : digits[1].utf8.count)
    if zeros < 0 {
      guard whole.utf8.suffix(-zeros).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
      whole.removeLast(min(-zeros, whole.utf8.count))
      zeros = 0
    }
    guard zeros < 20 else { return nil }
    whole += String(repeating: "0", count: zeros)
    return Int(whole) ?? UInt64(whole)
  }
}
