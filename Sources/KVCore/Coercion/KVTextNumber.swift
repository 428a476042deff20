/// A number type that is read from text without a detour by another type, which would lose digits (CO.5).
protocol KVTextNumber: KVNumeric {
  /// Returns the number that a text in Swift's decimal notation stands for.
  static func parsed(_ text: String) -> ParsedNumber<Self>
}

/// What a text stands for.
enum ParsedNumber<Number> {
  case number(Number)
  /// A number that the type does not have.
  case outOfRange
  /// No number, or a fraction where an integer is needed.
  case noNumber
}

extension KVTextNumber where Self: FixedWidthInteger {
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

extension KVTextNumber where Self: BinaryFloatingPoint & LosslessStringConvertible {
  static func parsed(_ text: String) -> ParsedNumber<Self> {
    guard DecimalText(text) != nil, let number = Self(text) else { return .noNumber }
    return number.isFinite ? .number(number) : .outOfRange
  }
}

extension Int: KVTextNumber {}
extension Int8: KVTextNumber {}
extension Int16: KVTextNumber {}
extension Int32: KVTextNumber {}
extension Int64: KVTextNumber {}
extension Int128: KVTextNumber {}
extension UInt: KVTextNumber {}
extension UInt8: KVTextNumber {}
extension UInt16: KVTextNumber {}
extension UInt32: KVTextNumber {}
extension UInt64: KVTextNumber {}
extension UInt128: KVTextNumber {}
extension Double: KVTextNumber {}
extension Float: KVTextNumber {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: KVTextNumber {}
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: KVTextNumber {}
#endif
