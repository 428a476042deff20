/// Records the keys of a table, one call a key; the part that values and classes share.
///
/// A table hands out a ``KVValueKeys`` or a ``KVObjectKeys``, after the type it describes.
public class KVKeys<Root> {
  /// Asked by the accessors of a type that belongs to an actor.
  @usableFromInline final let check: IsolationCheck?
  final var declarations: [KeyDeclaration] = []

  init(actor: (any Actor)?) { check = actor.map { IsolationCheck($0) } }

  @usableFromInline final var unwritableKeyPath: String {
    "its key path is not writable: a \"let\", or computed without a setter"
  }
  @usableFromInline final var noSetter: String { "its table line has no setter" }
  /// Stands where there is nothing to write; the flags of the accessor keep everybody from calling it.
  @usableFromInline final var refusingWrite: AccessFunction {
    { _, _, _ in preconditionFailure("a read-only accessor was written") }
  }

  /// Adds a line; the one place where the erased functions of an accessor come to be.
  @inlinable @inline(__always)
  final func add<Value>(
    _ name: String, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping AccessFunction,
    write: @escaping AccessFunction, modify: ModifyFunction? = nil
  ) -> KVKeyHandle<Root, Value> {
    let declaration = KeyDeclaration(
      name, value: ValueType.of(Value.self), keyPath: keyPath, readOnlyReason: readOnlyReason,
      read: guarded(read, name, by: check), write: guarded(write, name, by: check),
      modify: guarded(modify, name, by: check))
    append(declaration)
    return KVKeyHandle(declaration: declaration, check: check)
  }

  @usableFromInline
  final func append(_ declaration: KeyDeclaration) { declarations.append(declaration) }
}
