extension JSONReader {
  mutating func readNumber() throws(KVError) -> Any {
    let start = position
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var magnitude: UInt64 = 0
    var overflows = false
    let digits = position
    while let digit = digit() {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      overflows = overflows || overflow || carry
      magnitude = sum
    }
    if position == digits { throw fault("expected a digit, found \(found)") }
    if position > digits + 1, bytes[digits] == UInt8(ascii: "0") {
      position = digits
      throw fault("a number does not begin with the digit 0")
    }
    let isInteger = try !readFractionAndExponent()
    if isInteger, !overflows {
      if isNegative, magnitude == 0 { return -0.0 }  // an integer has no negative zero
      if isNegative, magnitude <= UInt64(Int.max) + 1 { return Int(truncatingIfNeeded: 0 &- magnitude) }
      if !isNegative { return Int(exactly: magnitude) ?? magnitude }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let double = Double(text), double.isFinite else {
      position = start
      throw fault("the number \(text.prefix(40)) is too large")
    }
    return double
  }

  /// Skips the part of a number behind its first digits; whether there is one.
  private mutating func readFractionAndExponent() throws(KVError) -> Bool {
    let start = position
    if peek() == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    return position > start
  }

  private mutating func skipDigits() throws(KVError) {
    if digit() == nil { throw fault("expected a digit, found \(found)") }
    while digit() != nil {}
  }

  private mutating func digit() -> UInt8? {
    guard let byte = peek(), byte &- UInt8(ascii: "0") <= 9 else { return nil }
    position += 1
    return byte &- UInt8(ascii: "0")
  }
}
