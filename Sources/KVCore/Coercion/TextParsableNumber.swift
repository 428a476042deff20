/// A number type that is read from text without a detour by another type, which would lose digits (CO.5).
protocol TextParsableNumber: NumericValue {
  /// Returns the number that a text in Swift's decimal notation stands for.
  static func parsed(_ text: String) -> ParsedNumber<Self>
}

/// The result of parsing a text as a number.
enum ParsedNumber<Number> {
  case number(Number)
  /// A number that the type does not have.
  case outOfRange
  /// No number, or a fraction where an integer is needed.
  case noNumber
}

extension TextParsableNumber where Self: FixedWidthInteger {
  /// Texts are read as one of three types, so that the code of reading is not compiled for each.
  static func parsed(_ text: String) -> ParsedNumber<Self> {
    // Most texts are plain digits.
    if let number = Int(text) { return exactly(number) }
    guard let integer = DecimalText(text)?.integer else { return .noNumber }
    if let number = Int128(integer) { return exactly(number) }
    return UInt128(integer).map(exactly) ?? .outOfRange
  }

  private static func exactly(_ number: some FixedWidthInteger) -> ParsedNumber<Self> {
    Self(exactly: number).map { .number($0) } ?? .outOfRange
  }
}

extension TextParsableNumber where Self: BinaryFloatingPoint & LosslessStringConvertible {
  static func parsed(_ text: String) -> ParsedNumber<Self> {
    guard DecimalText(text) != nil, let number = Self(text) else { return .noNumber }
    return number.isFinite ? .number(number) : .outOfRange
  }
}

extension Int: TextParsableNumber {}
extension Int8: TextParsableNumber {}
extension Int16: TextParsableNumber {}
extension Int32: TextParsableNumber {}
extension Int64: TextParsableNumber {}
extension Int128: TextParsableNumber {}
extension UInt: TextParsableNumber {}
extension UInt8: TextParsableNumber {}
extension UInt16: TextParsableNumber {}
extension UInt32: TextParsableNumber {}
extension UInt64: TextParsableNumber {}
extension UInt128: TextParsableNumber {}
extension Double: TextParsableNumber {}
extension Float: TextParsableNumber {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: TextParsableNumber {}
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: TextParsableNumber {}
#endif
