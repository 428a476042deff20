/// The value of a number, whatever its type: the form in which numbers of different types meet (CO.2).
public enum KVNumber: Sendable {
  /// An integer, exact for every standard integer type.
  case integer(Int128)
  /// A binary floating-point number.
  case floating(Double)
  /// A number with an arithmetic of its own, such as `Decimal`.
  case exact(any KVExactNumber)
}

extension KVNumber {
  /// The nearest `Double`.
  public var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .floating(let value): value
    case .exact(let value): value.double
    }
  }

  /// The integer that remains when the fraction is cut off, or `nil` for NaN, infinity and what is too large.
  public var truncated: Int128? {
    switch self {
    case .integer(let value): value
    case .floating(let value): Int128(exactly: value.rounded(.towardZero))
    case .exact(let value): value.truncated
    }
  }

  /// Whether the number is zero.
  public var isZero: Bool {
    switch self {
    case .integer(let value): value == 0
    case .floating(let value): value == 0
    case .exact(let value): value.double == 0
    }
  }

  /// Reads a number from text: an integer, or a floating-point number in Swift's notation; free of locale (CO.5).
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

  /// Orders two numbers, exactly: nil if one of them is NaN.
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

  /// Orders an integer and a double without rounding the integer.
  private static func compare(_ integer: Int128, _ double: Double) -> Ordering? {
    if double.isNaN { return nil }
    guard let whole = Int128(exactly: double.rounded(.towardZero)) else { return double < 0 ? .greater : .less }
    if integer != whole { return Ordering(integer, whole) }
    let fraction = double - double.rounded(.towardZero)
    return fraction == 0 ? .same : fraction > 0 ? .less : .greater
  }
}
