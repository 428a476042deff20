/// The value of a number, independent of its type: the common form for conversions between number types (CO.2).
package enum AnyNumber: Sendable {
  /// An integer of at most 128 bits with a sign.
  case integer(Int128)
  /// A binary floating-point number.
  case floating(Double)
  /// A number of a standard type that is neither.
  case wide(any WideNumber)
  /// A number with its own arithmetic, such as `Decimal`.
  case exact(any ExactNumber)
}

/// A standard number type that has other values than those of `Int128` and `Double`.
package protocol WideNumber: Sendable {
  /// The nearest `Double`.
  var double: Double { get }
  /// The value of the number, which is finite.
  var value: NumberValue { get }
}

extension AnyNumber {
  /// The nearest `Double`.
  package var double: Double {
    switch self {
    case .integer(let value): Int(exactly: value).map { Double($0) } ?? Double(value)
    case .floating(let value): value
    case .wide(let value): value.double
    case .exact(let value): value.double
    }
  }

  /// The exact value, where a double with a fraction is the decimal number that it is printed as; nil for NaN and infinity.
  var value: NumberValue? {
    switch self {
    case .integer(let value): NumberValue(value)
    case .floating(let value): NumberValue(value)
    case .wide(let value): value.value
    case .exact(let value): value.value
    }
  }

  /// The integer without the fraction, or `nil` for NaN, infinity and numbers that are too large.
  package var truncated: Int128? {
    switch self {
    case .integer(let value): value
    case .floating(let value): Int128(exactly: value.rounded(.towardZero))
    case .wide, .exact: value?.truncated
    }
  }

  /// Whether the number is zero.
  package var isZero: Bool {
    switch self {
    case .integer(let value): value == 0
    case .floating(let value): value == 0
    case .wide: false
    case .exact(let value): value.double == 0
    }
  }

  /// Parses a number: an integer, or a floating-point number in Swift's notation, independently of the locale (CO.5).
  init?(text: String) {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
    if let integer = Int128(text) {
      self = .integer(integer)
    } else if let double = Double(text), double.isFinite {
      self = .floating(double)
    } else {
      return nil
    }
  }
}
