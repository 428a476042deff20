import Foundation

/// `Decimal` takes part in coercion, comparison and operators, in its own arithmetic (CO.2, OP.3, OP.4).
///
/// A `Double` becomes the decimal number that it is printed as: 0.1 is one tenth, and equal to it. An integer is exact.
extension Decimal {
  /// The value itself.
  package var number: KVNumber { .exact(self) }

  /// The nearest decimal number; nil for NaN, infinity, and what is out of range.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: KVNumber) {
    switch number {
    case .integer(let value): self.init(integer: value)
    case .floating(let value):
      guard let decimal = Decimal(printed: value) else { return nil }
      self = decimal
    case .exact(let value):
      if let decimal = value as? Decimal {
        if decimal.isNaN { return nil }
        self = decimal
      } else if let decimal = Decimal(printed: value.double) {
        self = decimal
      } else {
        return nil
      }
    }
  }

  /// The nearest `Double`.
  package var double: Double {
    // `doubleValue` multiplies the digits one by one and misses the nearest double; the parser of text does not.
    isNaN ? .nan : Double(description) ?? .nan
  }

  /// The integer that remains when the fraction is cut off; nil for NaN and what needs more than 128 bits.
  package var truncated: Int128? {
    guard !isNaN else { return nil }
    let text = description.prefix { $0 != "." }
    return text == "-" || text.isEmpty ? 0 : Int128(text)
  }

  /// Returns the sum, exact as long as it has no more than 38 digits; NaN if a number is none, or out of range.
  ///
  /// - Parameter numbers: The numbers.
  package static func sum(of numbers: [KVNumber]) -> Decimal {
    numbers.reduce(Decimal.zero) { sum, number in sum + (Decimal(number: number) ?? .nan) }
  }

  /// Returns the number divided by a count, to 38 digits.
  ///
  /// - Parameter count: The count, which is positive.
  package func divided(by count: Int) -> Decimal { self / Decimal(count) }

  /// Whether the number is less than another; false if one of them is NaN.
  ///
  /// - Parameter other: A number of any kind.
  package func isLess(than other: KVNumber) -> Bool { compare(other).map { $0 < 0 } ?? false }

  /// Whether the number is equal to another; false if one of them is NaN.
  ///
  /// - Parameter other: A number of any kind.
  package func isEqual(to other: KVNumber) -> Bool { compare(other) == 0 }

  /// Returns -1, 0 or 1; nil if one of the numbers is NaN.
  private func compare(_ other: KVNumber) -> Int? {
    if isNaN { return nil }
    guard let decimal = Decimal(number: other) else {
      let double = other.double
      return double.isNaN ? nil : double < 0 ? 1 : -1
    }
    if self != decimal { return self < decimal ? -1 : 1 }
    // A double that is nearer to zero than any decimal number became zero.
    if isZero, case .floating(let double) = other, double != 0 { return double < 0 ? 1 : -1 }
    return 0
  }

  /// Makes a number from an integer; always exact, since the digits of a decimal number are 128 bits and a sign.
  private init(integer: Int128) {
    let magnitude = integer.magnitude
    let high = Decimal(UInt64(truncatingIfNeeded: magnitude >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: magnitude))
    let sum = high * (Decimal(UInt64.max) + 1) + low
    self = integer < 0 ? -sum : sum
  }

  /// Makes a number from the digits that a double is printed with; nil for NaN, infinity, and what is out of range.
  private init?(printed double: Double) {
    guard double.isFinite else { return nil }
    let text = double.magnitude.description
    let mantissa = text.prefix { $0 != "e" }
    let digits = mantissa.filter { $0 != "." }
    let fraction = mantissa.firstIndex(of: ".").map { mantissa.distance(from: $0, to: mantissa.endIndex) - 1 } ?? 0
    guard let significand = UInt64(digits) else { return nil }
    let exponent = (text.firstIndex(of: "e").flatMap { Int(text[text.index(after: $0)...]) } ?? 0) - fraction
    // Exponents run from -128 to 127; the digits have room for some more zeros, but not for leading ones.
    if significand == 0 || exponent < -128 {
      self = .zero
      return
    }
    guard exponent <= 127 else { return nil }
    self.init(sign: double < 0 ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
    if isNaN { return nil }
  }
}
