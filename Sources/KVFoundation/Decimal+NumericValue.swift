import Foundation
import KVCore

/// `Decimal` takes part in coercion, comparison and operators, in its own arithmetic (CO.2, OP.3, OP.4).
///
/// A `Double` with a fraction becomes the decimal number that it is printed as: 0.1 is one tenth, and equal to it. An integer
/// is exact.
extension Decimal {
  /// The value itself.
  package var number: AnyNumber { .exact(self) }

  /// The nearest decimal number; nil for NaN, infinity, and what is out of range.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: AnyNumber) {
    switch number {
    case .integer(let value): self.init(integer: value)
    case .floating(let value):
      if let integer = Int128(exactly: value) {
        self.init(integer: integer)
        return
      }
      guard let decimal = Decimal(printed: value) else { return nil }
      self = decimal
    case .wide(let value as UInt128): self.init(magnitude: value)
    case .wide(let value):
      guard let decimal = Decimal(printed: value.double) else { return nil }
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

  /// The exact value; nil for NaN.
  package var value: NumberValue? {
    guard !isNaN, let digits = UInt128(magnitude.significand.description) else { return nil }
    return NumberValue(isNegative: self < 0, digits: digits, tens: exponent)
  }

  /// Returns the sum, exact as long as it has no more than 38 digits; NaN if a number is none, or out of range.
  ///
  /// - Parameter numbers: The numbers.
  package static func sum(of numbers: [AnyNumber]) -> Decimal {
    numbers.reduce(Decimal.zero) { sum, number in sum + (Decimal(number: number) ?? .nan) }
  }

  /// Returns the number divided by a count, to 38 digits.
  ///
  /// - Parameter count: The count, which is positive.
  package func divided(by count: Int) -> Decimal { self / Decimal(count) }

  /// Makes a number from an integer; always exact, since the digits of a decimal number are 128 bits and a sign.
  private init(integer: Int128) {
    self.init(magnitude: integer.magnitude)
    if integer < 0 { negate() }
  }

  private init(magnitude: UInt128) {
    let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
    self = Decimal(high) * (Decimal(UInt64.max) + 1) + Decimal(low)
  }

  /// Makes a number from the digits that a double is printed with; nil for NaN, infinity, and what is out of range.
  private init?(printed double: Double) {
    guard let (digits, exponent) = double.printedDigits else { return nil }
    // Exponents run from -128 to 127; the digits have room for some more zeros, but not for leading ones.
    if digits == 0 || exponent < -128 {
      self = .zero
      return
    }
    guard exponent <= 127 else { return nil }
    self.init(sign: double < 0 ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
    if isNaN { return nil }
  }
}
