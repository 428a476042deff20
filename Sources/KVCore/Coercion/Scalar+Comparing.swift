// The order and the equality of scalars, for sorting and for filters (SRT.3, FLT.5).

extension Scalar {
  /// The order of two values; nil if they cannot be compared, if one of them is nil, or a NaN and the other a number.
  @inlinable
  package static func compare(_ left: Scalar, _ right: Scalar) -> KVOrdering? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return KVOrdering(left, right)
    case (.text(let left), .text(let right)): return KVOrdering(texts: left, right)
    case (.floating(let left), .floating(let right)): return compare(left, right)
    case (.floating(let left), .integer(let right)) where isSmall(right): return compare(left, Double(right))
    case (.integer(let left), .floating(let right)) where isSmall(left): return compare(Double(left), right)
    case (.none, _), (_, .none): return nil
    default: return compareOthers(left, right)
    }
  }

  /// Whether a double has all integers up to an integer.
  @inlinable @inline(__always)
  static func isSmall(_ integer: Int) -> Bool { integer.magnitude < 1 << 53 }

  @inlinable @inline(__always)
  static func compare(_ left: Double, _ right: Double) -> KVOrdering? {
    left.isNaN || right.isNaN ? nil : KVOrdering(left, right)
  }

  @usableFromInline @inline(never)
  static func compareOthers(_ left: Scalar, _ right: Scalar) -> KVOrdering? {
    if let left = left.number, let right = right.number { return AnyNumber.compare(left, right) }
    guard let left = left.any, let right = right.any else { return nil }
    if let ordering = KVOrdering(of: left, and: right) { return ordering }
    if let ordering = KVOrdering(of: right, and: left) { return ordering.reversed }
    guard let (left, right) = RawValues.alike(left, right) else { return nil }
    return KVOrdering(of: left, and: right) ?? KVOrdering(of: right, and: left)?.reversed
  }

  /// Whether two values are equal: as CO.7 says, and an enum and a value of its raw type by the raw value.
  @inlinable
  package static func areEqual(_ left: Scalar, _ right: Scalar) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left == right
    case (.text(let left), .text(let right)): return left == right
    case (.floating(let left), .floating(let right)): return left == right
    case (.bool(let left), .bool(let right)): return left == right
    case (.none, .none): return true
    case (.none, _), (_, .none): return false
    default: return othersAreEqual(left, right)
    }
  }

  @usableFromInline @inline(never)
  static func othersAreEqual(_ left: Scalar, _ right: Scalar) -> Bool {
    if let left = left.number, let right = right.number { return AnyNumber.compare(left, right) == .same }
    guard let left = left.any, let right = right.any else { return false }
    if Equality.areEqual(left, right) { return true }
    guard type(of: left) != type(of: right), let (left, right) = RawValues.alike(left, right) else { return false }
    return Equality.areEqual(left, right)
  }

  /// The number, also that of an enum whose raw values are numbers; nil for other values.
  package var operand: AnyNumber? {
    if let number { return number }
    guard case .other(let value) = self, let raw = value as? any RawRepresentable else { return nil }
    return AnyNumber(of: raw.rawValue)
  }

  /// Whether the value is NaN.
  package var isNaN: Bool {
    switch self {
    case .floating(let value): value.isNaN
    case .other: operand?.double.isNaN ?? false
    case .none, .bool, .integer, .text: false
    }
  }

  /// Whether two values are numbers and one of them is NaN, so that they have no order.
  package static func haveNaN(_ left: Scalar, _ right: Scalar) -> Bool {
    left.operand != nil && right.operand != nil && (left.isNaN || right.isNaN)
  }
}

/// Enums with raw values, which are compared with raw values, and texts of other types than `String`.
package enum RawValues {
  /// Returns two values in a form in which they may be compared.
  ///
  /// An enum with raw values and a raw value of it are two enums, or else raw values. A `Substring` and a `Character` are
  /// strings. The result is nil if neither is anything of this, or both are enums of two types.
  static func alike(_ left: Any, _ right: Any) -> (Any, Any)? {
    if let text = string(left) { return alike(text, right) ?? (text, right) }
    if let text = string(right) { return alike(left, text) ?? (left, text) }
    if let raw = left as? any RawRepresentable {
      if let other = right as? any RawRepresentable {
        return type(of: left) == type(of: right) ? (raw.rawValue, other.rawValue) : nil
      }
      if let made = value(of: raw, from: right) { return (left, made) }
      return (raw.rawValue, right)
    }
    guard let raw = right as? any RawRepresentable else { return nil }
    if let made = value(of: raw, from: left) { return (made, right) }
    return (left, raw.rawValue)
  }

  /// Returns the value of an enum's type with a raw value, if the type has an order or an equality of its own.
  private static func value<T: RawRepresentable>(of sample: T, from raw: Any) -> Any? {
    guard T.self is any Comparable.Type else { return nil }
    return (raw as? T.RawValue).flatMap { T(rawValue: $0) }
  }

  /// Returns the text of a string, a part of one, a character, or an enum whose raw values are texts; nil for other
  /// values.
  package static func text(of value: Any) -> String? {
    let value = (value as? any RawRepresentable)?.rawValue ?? value
    return value as? String ?? string(value)
  }

  /// Returns a text of another type than `String` as one; nil for other values.
  private static func string(_ value: Any) -> String? {
    switch value {
    case let text as Substring: String(text)
    case let character as Character: String(character)
    default: nil
    }
  }
}
