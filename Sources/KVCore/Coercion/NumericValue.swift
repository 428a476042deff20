/// A type whose values are numbers for key-value coding: they can be converted to and from all other numbers (CO.2).
///
/// The standard integer and floating-point types and `Bool` conform here. `Decimal` and `CGFloat` conform in
/// KVFoundation.
package protocol NumericValue: NumberInMemory, Sendable {
  /// The value of the number.
  var number: AnyNumber { get }
  /// Creates the nearest value toward zero, or `nil` if the number is out of range or NaN.
  ///
  /// - Parameter number: The number. NaN creates `nil`, unless the type can represent NaN.
  init?(number: AnyNumber)
}

extension NumericValue where Self: FixedWidthInteger {
  /// The value as an exact integer.
  package var number: AnyNumber { .integer(Int128(truncatingIfNeeded: self)) }

  /// Creates an integer by cutting off the fraction, or `nil` if the result does not fit.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: AnyNumber) {
    guard let integer = number.truncated, let value = Self(exactly: integer) else { return nil }
    self = value
  }

  /// Creates an integer by cutting off the fraction, or `nil` if the result does not fit.
  init?(nearest number: Double) {
    // Almost all numbers have 64 bits, to which the processor converts.
    if let integer = Int(exactly: number.rounded(.towardZero)) {
      self.init(exactly: integer)
    } else {
      self.init(number: .floating(number))
    }
  }
}

extension Int: NumericValue {}
extension Int8: NumericValue {}
extension Int16: NumericValue {}
extension Int32: NumericValue {}
extension Int64: NumericValue {}
extension UInt: NumericValue {}
extension UInt8: NumericValue {}
extension UInt16: NumericValue {}
extension UInt32: NumericValue {}
extension UInt64: NumericValue {}
extension Int128: NumericValue {}

extension UInt128: NumericValue, WideNumber {
  /// The value as an exact number.
  package var number: AnyNumber {
    Int128(exactly: self).map(AnyNumber.integer) ?? Double(exactly: self).map(AnyNumber.floating) ?? .wide(self)
  }

  /// The nearest `Double`.
  package var double: Double { Double(self) }

  /// The exact value.
  package var value: NumberValue { NumberValue(isNegative: false, digits: self) }

  /// Creates an integer by cutting off the fraction, or `nil` if the result does not fit.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: AnyNumber) {
    switch number {
    case .integer(let value): self.init(exactly: value)
    case .floating(let value): self.init(exactly: value.rounded(.towardZero))
    case .wide, .exact:
      guard let magnitude = number.value?.truncatedMagnitude else { return nil }
      self = magnitude
    }
  }
}

extension NumericValue where Self: BinaryFloatingPoint {
  /// The nearest `Double`.
  package var number: AnyNumber { .floating(Double(self)) }

  /// Creates the nearest value, or `nil` if the number is finite and too large.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: AnyNumber) {
    let nearest = number.double
    // A wide number is finite.
    if nearest.isInfinite, case .wide = number { return nil }
    self.init(nearest: nearest)
  }

  /// Creates the nearest value, or `nil` if the number is finite and too large.
  init?(nearest number: Double) {
    self = Self(number)
    if isInfinite, number.isFinite { return nil }
  }
}

extension Double: NumericValue {}
extension Float: NumericValue {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: NumericValue {}
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: NumericValue, WideNumber {
    /// The value as an exact number.
    package var number: AnyNumber {
      let double = Double(self)
      return Self(double) == self || isNaN ? .floating(double) : .wide(self)
    }

    /// The nearest `Double`.
    package var double: Double { Double(self) }

    /// The exact value.
    package var value: NumberValue { NumberValue(bits: self) ?? NumberValue(0) }

    /// Creates the nearest value.
    ///
    /// - Parameter number: A number of any type.
    package init?(number: AnyNumber) {
      switch number {
      case .integer(let value): self.init(value)
      case .wide(let value as UInt128): self.init(value)
      case .wide(let value as Self): self = value
      case .floating, .wide, .exact: self.init(nearest: number.double)
      }
    }
  }
#endif

extension Bool: NumericValue {
  /// One for `true`, zero for `false` (CO.3).
  package var number: AnyNumber { .integer(self ? 1 : 0) }

  /// Creates `false` from zero and `true` from any other number (CO.3), or `nil` from NaN.
  ///
  /// - Parameter number: A number of any type.
  package init?(number: AnyNumber) {
    if number.double.isNaN { return nil }
    self = !number.isZero
  }
}
