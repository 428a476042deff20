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
