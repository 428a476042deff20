/// Says more about a key that a table declares: each method returns the handle, so that calls chain.
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

  /// Adds other names for the key; reading, writing and observing any of them is doing so to the key.
  ///
  /// - Parameter names: The other names. Each is a key of its own, and must not be one already (TAB.6).
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func alias(_ names: String...) -> Self {
    declaration.aliases += names
    return self
  }

  /// Makes the key read-only by name, whatever the property itself allows.
  ///
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func readOnly() -> Self {
    declaration.isReadOnly = true
    return self
  }

  /// Declares what the value depends on (DEP.1): keys of the same object, or paths from it.
  ///
  /// - Parameter keyPaths: The affecting key paths. A subclass that declares the key again adds to them.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func affected(by keyPaths: String...) -> Self {
    declaration.affecting += keyPaths
    return self
  }

  /// Lets strings convert to numbers when the key is written: exact, and free of locale (CO.5).
  ///
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func lenient() -> Self {
    declaration.isLenient = true
    return self
  }

  /// Turns automatic notification off: only what the model tells by hand is heard (KVO.15).
  ///
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func notifiesManually() -> Self {
    declaration.notifiesManually = true
    return self
  }

  /// Notes something about the key for those who enumerate it: a display name, a unit, a hint.
  ///
  /// - Parameters:
  ///   - name: What is noted: any text, such as `unit`.
  ///   - value: The note; found again in ``KVKeyDescription/metadata``.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func metadata(_ name: String, _ value: any Sendable) -> Self {
    declaration.metadata[name] = value
    return self
  }

  /// Declares the key's validator (VAL.1).
  ///
  /// Nothing validates by itself (VAL.2): `validate(_:forKeyPath:)` does, and bindings may.
  ///
  /// - Parameter validator: Receives a value of the key's type. It returns `.valid`, or `.replaced(with:)` and the value
  ///   to use instead, or throws whatever says best why the value will not do.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func validated(_ validator: @escaping (Value) throws -> KVValidation) -> Self {
    declaration.validator = { any in
      guard let value = any as? Value else { return .valid }
      return try validator(value)
    }
    return self
  }
}
