import KVCore

// Reversible transformers of functions that return nil for values that do not convert.
extension KVTransformer {
  /// Creates a reversible transformer from functions that return nil for values that do not convert.
  ///
  /// ```swift
  /// let age = KVTransformer("age", forward: { (age: Int) in "\(age)" }, reverse: { Int($0) })
  /// try age.reverseTransform("36")        // 36
  /// try age.reverseTransform("old")       // throws: the String "old" does not convert to an Int
  /// ```
  ///
  /// The compiler uses this form if a function returns an optional that the other one does not take. If it does, as in
  /// `forward: { (age: Int?) in … }, reverse: { Int($0) }`, nil is a value (TRN.1).
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: Computes the result; see the initializer without `reverse`. nil is an error with the code
  ///     `invalidValue`.
  ///   - reverse: Computes the value from the result. nil is an error with the code `invalidValue`.
  public init<In, Out>(
    _ name: String? = nil, forward: @escaping @Sendable (In) throws -> Out?,
    reverse: @escaping @Sendable (Out) throws -> In?
  ) {
    self.init(
      confined: name, forward: Self.converting(name, isForward: true, forward),
      reverse: Self.converting(name, isForward: false, reverse))
  }

  /// Returns a function that throws where another one returns nil.
  @inlinable
  static func converting<In, Out>(
    _ name: String?, isForward: Bool, _ function: @escaping (In) throws -> Out?
  ) -> (In) throws -> Out {
    { value in
      guard let result = try function(value) else { throw unconverted(value, to: Out.self, name, isForward: isForward) }
      return result
    }
  }

  /// Returns the error of a value that does not convert.
  @usableFromInline
  static func unconverted(_ value: Any, to type: Any.Type, _ name: String?, isForward: Bool) -> KVError {
    TransformFunction.unconverted(value, to: type, name, isForward ? .forward : .backward)
  }
}
