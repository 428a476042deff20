/// What the code that ``KVModel(_:)`` generates adds to a line. It is not API.
extension KVKeyHandle {
  /// Names the property of a key that has another name.
  @discardableResult
  public func _property(_ name: String) -> Self {
    declaration.otherProperty = name
    return self
  }

  /// Lets the key be affected by those of some properties that are keys of the table: the macro does not see which
  /// names in a getter are inherited keys (MOD.4).
  @discardableResult
  public func _affected(
    byKeysAmong names: String..., file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    declaration.mentions += names.map { ($0, CodeLocation(file: file, line: line)) }
    return self
  }
}

extension KVValidation {
  /// Returns the result of a validator, which may throw or not.
  public static func _result(_ result: @autoclosure () throws -> KVValidation) throws -> KVValidation { try result() }
}
