/// A number type with its own exact arithmetic, for sums, averages and comparisons (OP.3).
package protocol KVExactNumber: KVNumeric {
  /// The nearest `Double`.
  var double: Double { get }
  /// The integer without the fraction, or `nil` if it is too large.
  var truncated: Int128? { get }
  /// Returns the sum of numbers, at least one of which is of this type.
  ///
  /// - Parameter numbers: The numbers, never empty. Their order has no meaning. At most one is `.integer` and at most
  ///   one is `.floating`: each is the sum of all numbers of its kind.
  /// - Returns: The sum. If the type cannot represent the sum, return its NaN or the nearest value, since the operator
  ///   cannot throw.
  static func sum(of numbers: [KVNumber]) -> Self
  /// Returns the number divided by a positive count.
  ///
  /// - Parameter count: The number of summed elements, including nil elements.
  /// - Returns: The quotient, rounded if the type cannot represent it.
  func divided(by count: Int) -> Self
  /// Returns whether the number is less than another one.
  ///
  /// Compare in the arithmetic of this type if it can represent the other number, since ``double`` loses digits.
  ///
  /// - Parameter other: A number of any kind.
  /// - Returns: Whether the number is less; `false` if either number is NaN.
  func isLess(than other: KVNumber) -> Bool
  /// Returns whether the number is equal to another one.
  ///
  /// If neither this method nor ``isLess(than:)`` returns `true`, this number is the greater one or one of the numbers
  /// is NaN.
  ///
  /// - Parameter other: A number of any kind.
  /// - Returns: Whether the numbers are equal; `false` if either number is NaN.
  func isEqual(to other: KVNumber) -> Bool
}
