/// A number type with its own exact arithmetic, for sums, averages and comparisons (OP.3).
package protocol ExactNumber: NumericValue, Comparable {
  /// The nearest `Double`.
  var double: Double { get }
  /// Whether the number is not a number.
  var isNaN: Bool { get }
  /// The exact value, or `nil` for NaN.
  var value: NumberValue? { get }
  /// Returns the sum of numbers, at least one of which is of this type.
  ///
  /// - Parameter numbers: The numbers, never empty. Their order has no meaning. At most one is `.integer` and at most
  ///   one is `.floating`: each is the sum of all numbers of its kind.
  /// - Returns: The sum. If the type cannot represent the sum, return its NaN or the nearest value, since the operator
  ///   cannot throw.
  static func sum(of numbers: [AnyNumber]) -> Self
  /// Returns the number divided by a positive count.
  ///
  /// - Parameter count: The number of summed elements, including nil elements.
  /// - Returns: The quotient, rounded if the type cannot represent it.
  func divided(by count: Int) -> Self
}

extension ExactNumber {
  /// Returns the order of two numbers, or `nil` if one of them is NaN.
  func order(to other: any ExactNumber) -> KVOrdering? {
    if isNaN || other.isNaN { return nil }
    if let other = other as? Self { return KVOrdering(self, other) }
    guard let value, let other = other.value else { return nil }
    return NumberValue.compare(value, other)
  }
}
