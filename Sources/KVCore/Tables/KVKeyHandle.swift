/// A declared key of a table, whose methods add to the declaration and can be chained.
///
/// ```swift
/// key("age", \.age)
///   .alias("years")
///   .validated { age in if age < 0 { throw AgeError.negative } ; return .valid }
///   .metadata("unit", "years")
/// ```
public struct KVKeyHandle<Root, Value> {
  @usableFromInline let declaration: KeyDeclaration
  @usableFromInline let check: IsolationCheck?

  @usableFromInline
  init(declaration: KeyDeclaration, check: IsolationCheck?) {
    self.declaration = declaration
    self.check = check
  }

  /// Adds aliases for the key: reading, writing or observing an alias reads, writes or observes the key.
  ///
  /// - Parameter names: The aliases. Each must be unique among the keys and aliases of the table (TAB.6).
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func alias(_ names: String...) -> Self {
    declaration.aliases += names
    return self
  }

  /// Makes the key read-only for access by key, even if the property can be set.
  ///
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func readOnly() -> Self {
    declaration.isReadOnly = true
    return self
  }

  /// Declares the keys and key paths that affect the value of the key (DEP.1).
  ///
  /// - Parameters:
  ///   - keyPaths: The affecting key paths, which begin at the same object. The paths of a subclass that declares the key
  ///     again are added to those of its superclass (DEP.4).
  ///   - file: The file of the call, which diagnostics name if a path turns out faulty.
  ///   - line: The line of the call.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func affected(by keyPaths: String..., file: StaticString = #fileID, line: UInt = #line) -> Self {
    declaration.affecting += keyPaths
    declaration.affectingLocations += keyPaths.map { _ in CodeLocation(file: file, line: line) }
    return self
  }

  /// Converts between text and the values of the key, exactly and independently of the locale (CO.5).
  ///
  /// When the key is written, strings are converted to numbers, `Bool`, enums by the names of their cases, and types that
  /// are `LosslessStringConvertible`; with KVBinding or KVDocuments also to `Date` (RFC 3339), `URL`, `UUID` and `Data`
  /// (base 64). When the key is read as a `String`, its values are converted to text. ``converted(from:to:_:back:)``
  /// declares other conversions.
  ///
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func lenient() -> Self {
    declaration.isLenient = true
    return self
  }

  /// Turns automatic notification off for the key: observers are notified of manual changes only (KVO.15).
  ///
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func notifiesManually() -> Self {
    declaration.notifiesManually = true
    return self
  }

  /// Declares that the class itself notifies of all changes of the key, so that a write by key need not.
  ///
  /// - Returns: The handle, for further calls.
  @discardableResult
  package func notifiesItself() -> Self {
    declaration.notifiesItself = true
    return self
  }

  /// Adds metadata for code that enumerates keys: a display name, a unit, a hint.
  ///
  /// - Parameters:
  ///   - name: The name of the metadata: any text, such as `unit`.
  ///   - value: The value, which ``KVKeyDescription/metadata`` contains under the name.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func metadata(_ name: String, _ value: any Sendable) -> Self {
    declaration.metadata[name] = value
    return self
  }

  /// Declares the validator of the key (VAL.1).
  ///
  /// Setting never validates by itself (VAL.2). `validate(_:forKeyPath:)` calls the validator; bindings call it by
  /// option.
  ///
  /// - Parameter validator: A closure that receives a value of the key's type. It returns `.valid` or
  ///   `.replaced(with:)` with the value to use instead, or throws an error that says why the value is invalid.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func validated(_ validator: @escaping (Value) throws -> KVValidation) -> Self {
    declaration.validatesNil = false
    declaration.validator = { _, any in
      guard let any, let value = valueCast(any, to: Value.self) else { return .valid }
      return try validator(value)
    }
    return self
  }
}
