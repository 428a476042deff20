/// One line of an accessor table: what its author declared of a key.
///
/// Mutable while the table is being built, by the ``KVKeyHandle`` of the line; nobody else sees it before the table is
/// complete, and nobody changes it afterwards.
@usableFromInline
final class KeyDeclaration {
  let key: KVKey
  let value: ValueType
  let read: ReadFunction
  let write: WriteFunction?
  let keyPath: AnyKeyPath?
  /// Why there is no `write`.
  let readOnlyReason: String
  var isReadOnly = false
  var aliases: [String] = []
  var affecting: [String] = []
  var metadata: [String: any Sendable] = [:]
  var isLenient = false
  var notifiesManually = false
  /// Judges a value of the declared type (as `Any`).
  var validator: ((Any) throws -> KVValidation)?
  var indexed: IndexedAccessors?
  var unordered: UnorderedAccessors?

  @usableFromInline
  init(
    _ name: String, value: ValueType, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping ReadFunction,
    write: WriteFunction?
  ) {
    key = KVKey(name)
    self.value = value
    self.keyPath = keyPath
    self.readOnlyReason = readOnlyReason
    self.read = read
    self.write = write
  }

  var name: String { key.name }

  var isWritable: Bool { write != nil && !isReadOnly }

  /// How a value is made to fit the key.
  var coercion: Coercion { Coercion(lenient: isLenient) }

  /// What kind of collection the key holds, if any.
  var toMany: KVKeyDescription.ToMany? {
    if indexed != nil { return .ordered }
    if unordered != nil { return .unordered }
    guard let collection = value.type as? any CollectionValue.Type else { return nil }
    return collection.isKeyed ? nil : collection.isOrdered ? .ordered : .unordered
  }
}
