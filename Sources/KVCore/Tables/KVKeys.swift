/// Records the keys of a table, one call a key; the part that values and classes share.
///
/// A table hands out a ``KVValueKeys`` or a ``KVObjectKeys``, after the type it describes.
public class KVKeys<Root> {
  /// The actor that the accessors run on only, if the type belongs to one.
  @usableFromInline final let actor: (any Actor)?
  final var declarations: [KeyDeclaration] = []

  init(actor: (any Actor)?) { self.actor = actor }

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
    let check = actor.map { IsolationCheck($0, name) }
    let declaration = KeyDeclaration(
      name, value: ValueType.of(Value.self), keyPath: keyPath, readOnlyReason: readOnlyReason,
      read: guarded(read, by: check), write: guarded(write, by: check), modify: guarded(modify, by: check))
    append(declaration)
    return KVKeyHandle(declaration: declaration, check: check)
  }

  @usableFromInline
  final func append(_ declaration: KeyDeclaration) { declarations.append(declaration) }
}
