extension KVKeyHandle {
  /// Declares a validator of the key that receives the owner, and another one for nil (VAL.3).
  ///
  /// ```swift
  /// key("quantity", \.quantity).validated { order, quantity in
  ///   if quantity > order.stock { throw OrderError.soldOut }
  ///   return .valid
  /// } nil: { _ in .replaced(with: 1) }
  /// ```
  ///
  /// - Parameters:
  ///   - validator: A closure that receives the owner of the key and a value of the key's type; nil is one if the property
  ///     is optional. It returns `.valid` or `.replaced(with:)` with the value to use instead, or throws an error that
  ///     says why the value is invalid.
  ///   - validateNil: A closure that is called for nil if the property is not optional. It may replace nil. Without it nil
  ///     is refused with `nilValue`.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func validated(
    _ validator: @escaping (Root, Value) throws -> KVValidation, nil validateNil: ((Root) throws -> KVValidation)? = nil
  ) -> Self {
    let (check, key) = (self.check, declaration.name)
    declaration.validatesNil = validateNil != nil
    declaration.validator = { owner, any in
      guard let owner = owner as? Root else { return .valid }
      check?.preconditionIsolated(key)
      guard let any else { return try validateNil?(owner) ?? .valid }
      guard let value = valueCast(any, to: Value.self) else { return .valid }
      return try validator(owner, value)
    }
    return self
  }
}
