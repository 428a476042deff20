/// The value of a number, independent of its type: the common form for conversions between number types (CO.2).
package enum KVNumber: Sendable {
  /// An integer; exact for every standard integer type but `UInt128` (from 2¹²⁷ on).
  case integer(Int128)
  /// A binary floating-point number.
  case floating(Double)
  /// A number with its own arithmetic, such as `Decimal`.
  case exact(any KVExactNumber)
}

extension KVNumber {
  /// The nearest `Double`.
  package var double: Double {
    switch self {
    case .integer(let value): Int(exactly: value).map { Double($0) } ?? Double(value)
    case .floating(let value): value
    case .exact(let value): value.double
    }
  }

  /// The integer without the fraction, or `nil` for NaN, infinity and numbers that are too large.
  package var truncated: Int128? {
    switch self {
    case .integer(let value): value
    case .floating(let value): Int128(exactly: value.rounded(.towardZero))
    case .exact(let value): value.truncated
    }
  }

  /// Whether the number is zero.
  package var isZero: Bool {
    switch self {
    case .integer(let value): value == 0
    case .floating(let value): value == 0
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

  /// Returns the exact order of two numbers, or `nil` if one of them is NaN.
  static func compare(_ left: KVNumber, _ right: KVNumber) -> Ordering? {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): return Ordering(a, b)
    case (.floating(let a), .floating(let b)): return a.isNaN || b.isNaN ? nil : Ordering(a, b)
    case (.integer(let a), .floating(let b)): return compare(a, b)
    case (.floating(let a), .integer(let b)): return compare(b, a)?.reversed
    case (.exact(let a), _):
      if a.isLess(than: right) { return .less }
      if a.isEqual(to: right) { return .same }
      return a.double.isNaN || right.double.isNaN ? nil : .greater
    case (_, .exact): return compare(right, left)?.reversed
    }
  }

  /// Returns the order of an integer and a double without rounding the integer.
  private static func compare(_ integer: Int128, _ double: Double) -> Ordering? {
    if double.isNaN { return nil }
    guard let whole = Int128(exactly: double.rounded(.towardZero)) else { return double < 0 ? .greater : .less }
    if integer != whole { return Ordering(integer, whole) }
    let fraction = double - double.rounded(.towardZero)
    return fraction == 0 ? .same : fraction > 0 ? .less : .greater
  }
}
