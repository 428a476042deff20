/// The lines of a table that is being built, one per key; the common part of tables of values and of classes.
@usableFromInline
final class KeyLines<Root> {
  /// The isolation check that accessors run if the type is isolated to an actor.
  @usableFromInline let check: IsolationCheck?
  var declarations: [KeyDeclaration] = []
  /// The names of properties that notify of their changes, as ``KVModel(_:)`` makes them.
  var notifying: Set<String> = []

  init(actor: (any Actor)?) { check = actor.map { IsolationCheck($0) } }

  @usableFromInline var unwritableKeyPath: String {
    "its key path is not writable: a \"let\", or computed without a setter"
  }
  @usableFromInline var noSetter: String { "its table line has no setter" }
  /// The write function of a read-only key; the flags of the accessor prevent its call.
  @usableFromInline var refusingWrite: AccessFunction {
    { _, _, _ in preconditionFailure("a read-only accessor was written") }
  }

  /// Adds a table line; the only function that creates the erased functions of an accessor.
  @inlinable @inline(__always)
  func add<Value>(
    _ name: String, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping AccessFunction,
    write: @escaping AccessFunction, modify: ModifyFunction? = nil
  ) -> KVKeyHandle<Root, Value> {
    let declaration = KeyDeclaration(
      name, value: ValueType.of(Value.self), keyPath: keyPath, readOnlyReason: readOnlyReason,
      read: check.guarding(read, name), write: check.guarding(write, name), modify: check.guarding(modify, name))
    append(declaration)
    return KVKeyHandle(declaration: declaration, check: check)
  }

  /// Adds a table line whose setter throws.
  func add<Value>(
    _ name: String, read: @escaping AccessFunction,
    throwingWrite write: @escaping ThrowingWriteFunction
  ) -> KVKeyHandle<Root, Value> {
    let handle: KVKeyHandle<Root, Value> = add(
      name, keyPath: nil, readOnlyReason: "", read: read, write: refusingWrite)
    let check = check
    handle.declaration.throwingWrite = { owner, value in
      check?.preconditionIsolated(name)
      try write(owner, value)
    }
    return handle
  }

  @usableFromInline
  func append(_ declaration: KeyDeclaration) { declarations.append(declaration) }
}
