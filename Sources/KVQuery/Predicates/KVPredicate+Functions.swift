import KVCore

extension KVPredicate {
  /// Registers a function for formats, for the whole process (FLT.11).
  ///
  /// ```swift
  /// try KVPredicate.registerFunction("initials") { arguments in … }
  /// try KVPredicate(format: "initials(name) == 'AL'")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name: one word.
  ///   - replacing: Whether it may replace a registered function of the same name. Predicates that have been evaluated
  ///     keep the old one. A built-in function stays.
  ///   - body: Returns the result for the arguments. It has no effects, and returns the same for equal arguments.
  /// - Throws: ``KVError`` (`unsupported`) if the name is taken or no word.
  public static func registerFunction(
    _ name: String, replacing: Bool = false, _ body: @escaping @Sendable ([Any?]) throws -> Any?
  ) throws(KVError) {
    try PredicateFunctions.register(name, replacing: replacing, body)
  }

  /// Removes a registered function.
  ///
  /// - Parameter name: The name.
  public static func unregisterFunction(_ name: String) { PredicateFunctions.unregister(name) }
}
