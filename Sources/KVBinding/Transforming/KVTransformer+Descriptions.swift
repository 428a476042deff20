import KVCore

// A closure without types takes an optional where the other function returns one, and its text is `Optional(3)` then.
extension KVTransformer {
  /// Returns a function that throws where another one returns the description of an optional with a value (TRN.1).
  ///
  /// A function that takes no optional, or returns no text, is returned as it is.
  @inlinable
  static func refusingDescriptions<In, Out>(
    _ name: String?, isForward: Bool, _ function: @escaping (In) throws -> Out
  ) -> (In) throws -> Out {
    if !mayDescribe(In.self, Out.self) { return function }
    return { input in
      let output = try function(input)
      try refuseDescription(output, of: input, name, isForward: isForward)
      return output
    }
  }

  /// Returns whether a function takes an optional and returns a text.
  @usableFromInline
  static func mayDescribe(_ input: Any.Type, _ output: Any.Type) -> Bool {
    optionalWrappedType(input) != nil && (optionalWrappedType(output) ?? output) == String.self
  }

  /// Throws if a text is the description of an optional with a value.
  @usableFromInline
  static func refuseDescription<In, Out>(_ output: Out, of input: In, _ name: String?, isForward: Bool) throws {
    guard let text = output as? String, text.hasPrefix("Optional("), text == String(describing: input),
      let type = optionalWrappedType(In.self)
    else { return }
    throw KVError(
      .invalidValue,
      """
      \(TransformFunction.title(name)) returns the text \(text)\(isForward ? "" : " on the way back"): its function takes an optional \
      \(type), as the other function returns one. Write the type of its parameter, { (value: \(type)) in … }, or unwrap the value.
      """)
  }
}
