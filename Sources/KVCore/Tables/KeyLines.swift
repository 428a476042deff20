/// The lines of a table that is being built, one per key; the common part of tables of values and of classes.
@usableFromInline
final class KeyLines<Root> {
  /// The isolation check that accessors run if the type is isolated to an actor.
  @usableFromInline let check: IsolationCheck?
  var declarations: [KeyDeclaration] = []
  /// The names of properties that notify of their changes, as ``KVModel(_:)`` makes them.
  var notifying: Set<String> = []
  /// Whether ``KVModel(_:)`` makes the table.
  var areGenerated = false

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
    _ name: String, keyPath: AnyKeyPath?, readOnlyReason: String = "", read: @escaping AccessFunction,
    write: @escaping AccessFunction, modify: ModifyFunction? = nil
  ) -> KVKeyHandle<Root, Value> {
    KVKeyHandle(
      declaration: declare(
        name, ValueType.of(Value.self), keyPath, readOnlyReason, read: read, write: write, modify: modify),
      check: check)
  }

  /// Adds the line of a writable property; a function of its own, since most lines are such, and each calls it.
  @inlinable @inline(__always)
  func add<Value>(
    _ name: String, keyPath: AnyKeyPath, keepsValues: Bool = false, read: @escaping AccessFunction,
    write: @escaping AccessFunction
  ) -> KVKeyHandle<Root, Value> {
    KVKeyHandle(
      declaration: declare(name, ValueType.of(Value.self), keyPath, keepsValues, read: read, write: write),
      check: check)
  }

  @usableFromInline @inline(never)
  func declare(
    _ name: String, _ value: ValueType, _ keyPath: AnyKeyPath, _ keepsValues: Bool, read: @escaping AccessFunction,
    write: @escaping AccessFunction
  ) -> KeyDeclaration {
    let declaration = declare(name, value, keyPath, "", read: read, write: write, modify: nil)
    declaration.keepsValues = keepsValues
    return declaration
  }

  /// Declares a key; not inlined, since it is called for each line of each table.
  @usableFromInline @inline(never)
  func declare(
    _ name: String, _ value: ValueType, _ keyPath: AnyKeyPath?, _ readOnlyReason: String,
    read: @escaping AccessFunction, write: @escaping AccessFunction, modify: ModifyFunction?
  ) -> KeyDeclaration {
    let declaration = KeyDeclaration(
      name, value: value, keyPath: keyPath, readOnlyReason: readOnlyReason,
      read: check.guarding(read, name), write: check.guarding(write, name), modify: check.guarding(modify, name))
    declarations.append(declaration)
    return declaration
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
}
