/// The limits that keep hostile or cyclic data from exhausting the stack.
enum Limits {
  /// How deeply collections may be nested in collections.
  static let nesting = 200
  /// How deeply operators may be nested in operators, and written collections in collections: their calls take more stack.
  static let nestedCalls = 100
}
