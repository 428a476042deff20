/// The limits that keep hostile or cyclic data from exhausting the stack (KVC.18).
enum Limits {
  /// The maximum depth of collections in collections.
  static let nesting = 200
  /// The maximum depth of operators in operators, and of collections in collections when writing, whose calls take more
  /// stack.
  static let nestedCalls = 100
}
