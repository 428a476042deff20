extension JSONReader {
  /// Reads a number, whose first byte is the next: a minus or a digit.
  ///
  /// - Returns: An `Int` if it is whole, a `UInt64` if it is too large for one; else the nearest `Double`.
  mutating func number() throws(DocumentFault) -> Any {
    let start = position
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit { throw fault("a number of several digits does not begin with 0", at: start) }
    } else {
      try digits("a digit")
    }
    var isInteger = true
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
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int(text), integer != 0 || !isNegative { return integer }
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
    guard let magnitude = magnitude(text) else { return nil }
    return double < 0 ? Int(exactly: -Int128(magnitude)) : Int(exactly: magnitude) ?? magnitude
  }

  /// Returns the magnitude of a number; nil if it has a fraction, or does not fit.
  private static func magnitude(_ text: String) -> UInt64? {
    let parts = text.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    var magnitude: UInt64 = 0
    // How many tens the digits that were taken into the magnitude are still to be multiplied by.
    var tens = 0
    var isFraction = false
    var fractionCount = 0
    for byte in parts[0] where byte != UInt8(ascii: "-") {
      guard byte != UInt8(ascii: ".") else {
        isFraction = true
        continue
      }
      if isFraction { fractionCount += 1 }
      tens += 1
      guard byte != UInt8(ascii: "0") else { continue }
      guard let shifted = product(magnitude, tens) else { return nil }
      let (sum, overflow) = shifted.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if overflow { return nil }
      (magnitude, tens) = (sum, 0)
    }
    guard let exponent = parts.count < 2 ? 0 : Int(Substring(parts[1])) else { return nil }
    let power = tens - fractionCount + exponent
    return power < 0 ? nil : product(magnitude, power)
  }

  /// Returns a number multiplied by a power of ten; nil if it does not fit.
  private static func product(_ number: UInt64, _ power: Int) -> UInt64? {
    var result = number
    for _ in 0..<(number == 0 ? 0 : power) {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      result = product
    }
    return result
  }
}
