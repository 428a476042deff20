/// A type whose values are numbers for key-value coding: they convert to and from all other numbers (CO.2).
///
/// The standard integer and floating-point types and `Bool` conform here; `Decimal` conforms in KVBinding, which may use
/// Foundation. Conform a number type of your own to let it take part in coercion, comparison and operators.
public protocol KVNumeric: Sendable {
  /// The value.
  var number: KVNumber { get }
  /// Makes the nearest value toward zero; nil if the number is out of range, or no number at all.
  ///
  /// - Parameter number: The number. NaN makes nil, unless the type has a NaN of its own.
  init?(number: KVNumber)
}

/// A number type with an exact arithmetic of its own, for sums, averages and comparisons (OP.3).
public protocol KVExactNumber: KVNumeric {
  /// The nearest `Double`.
  var double: Double { get }
  /// The integer that remains when the fraction is cut off; nil if it is too large.
  var truncated: Int128? { get }
  /// Returns the sum of numbers, of which one at least is of this type.
  ///
  /// - Parameter numbers: The numbers, in no order that matters, with at most one each of `.integer` and `.floating`:
  ///   the sums of all numbers of those kinds. Never empty.
  /// - Returns: The sum; where the type cannot hold it, its NaN or the nearest value, since there is no error to throw.
  static func sum(of numbers: [KVNumber]) -> Self
  /// Returns the number divided by a count, which is positive.
  ///
  /// - Parameter count: How many numbers were summed, those that are nil among them.
  /// - Returns: The quotient, rounded where the type cannot hold it.
  func divided(by count: Int) -> Self
  /// Whether the number is less than another.
  ///
  /// Compare in the arithmetic of this type where it can hold the other number: ``double`` loses digits.
  ///
  /// - Parameter other: A number of any kind.
  /// - Returns: Whether it is less; false if either is NaN.
  func isLess(than other: KVNumber) -> Bool
  /// Whether the number is equal to another.
  ///
  /// - Parameter other: A number of any kind.
  /// - Returns: Whether it is equal; false if either is NaN. Where neither this nor ``isLess(than:)`` holds, this
  ///   number is the greater one, or one of them is NaN.
  func isEqual(to other: KVNumber) -> Bool
}

extension KVNumeric where Self: FixedWidthInteger {
  /// The value as an exact integer.
  public var number: KVNumber { .integer(Int128(truncatingIfNeeded: self)) }

  /// Cuts off a fraction; nil if the rest does not fit.
  ///
  /// - Parameter number: A number of any type.
  public init?(number: KVNumber) {
    guard let integer = number.truncated, let value = Self(exactly: integer) else { return nil }
    self = value
  }
}

extension Int: KVNumeric {}
extension Int8: KVNumeric {}
extension Int16: KVNumeric {}
extension Int32: KVNumeric {}
extension Int64: KVNumeric {}
extension UInt: KVNumeric {}
extension UInt8: KVNumeric {}
extension UInt16: KVNumeric {}
extension UInt32: KVNumeric {}
extension UInt64: KVNumeric {}
extension Int128: KVNumeric {}

extension UInt128: KVNumeric {
  /// The value as an exact integer, or the nearest floating-point number if it is 2¹²⁷ or more.
  public var number: KVNumber { Int128(exactly: self).map(KVNumber.integer) ?? .floating(Double(self)) }
}

extension Double: KVNumeric {
  /// The value itself.
  public var number: KVNumber { .floating(self) }
  /// The nearest double.
  ///
  /// - Parameter number: A number of any type.
  public init?(number: KVNumber) { self = number.double }
}

extension Float: KVNumeric {
  /// The value, widened.
  public var number: KVNumber { .floating(Double(self)) }

  /// The nearest float; nil if a finite number is too large for one.
  ///
  /// - Parameter number: A number of any type.
  public init?(number: KVNumber) {
    self = Float(number.double)
    if isInfinite, number.double.isFinite { return nil }
  }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: KVNumeric {
    /// The value, widened.
    public var number: KVNumber { .floating(Double(self)) }

    /// The nearest value; nil if a finite number is too large for the type.
    ///
    /// - Parameter number: A number of any type.
    public init?(number: KVNumber) {
      self = Float16(number.double)
      if isInfinite, number.double.isFinite { return nil }
    }
  }
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: KVNumeric {
    /// The value, rounded.
    public var number: KVNumber { .floating(Double(self)) }
    /// The nearest value.
    ///
    /// - Parameter number: A number of any type.
    public init?(number: KVNumber) { self = Float80(number.double) }
  }
#endif

extension Bool: KVNumeric {
  /// One for true, zero for false (CO.3).
  public var number: KVNumber { .integer(self ? 1 : 0) }

  /// False for zero, true for any other number (CO.3); nil for NaN.
  ///
  /// - Parameter number: A number of any type.
  public init?(number: KVNumber) {
    if number.double.isNaN { return nil }
    self = !number.isZero
  }
}
