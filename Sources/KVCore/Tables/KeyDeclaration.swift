/// One line of an accessor table: what its author declared of a key.
///
/// Mutable while the table is being built, by the ``KVKeyHandle`` of the line; nobody else sees it before the table is
/// complete, and nobody changes it afterwards.
@usableFromInline
package final class KeyDeclaration {
  let key: KVKey
  let value: ValueType
  let read: AccessFunction
  /// Never called where there is a `readOnlyReason`. (An optional closure would be called through a thunk.)
  let write: AccessFunction
  /// Hands over the place of the value, where the line can tell it; for collections, which are worth it.
  let modify: ModifyFunction?
  let keyPath: AnyKeyPath?
  /// Why the key cannot be written; empty if it can.
  let readOnlyReason: String
  var isReadOnly = false
  var aliases: [String] = []
  var affecting: [String] = []
  var metadata: [String: any Sendable] = [:]
  var isLenient = false
  package var notifiesManually = false
  /// Judges a value of the declared type (as `Any`).
  var validator: ((Any) throws -> KVValidation)?
  var indexed: IndexedAccessors?
  var unordered: UnorderedAccessors?

  @usableFromInline
  init(
    _ name: String, value: ValueType, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping AccessFunction,
    write: @escaping AccessFunction, modify: ModifyFunction? = nil
  ) {
    key = KVKey(name)
    self.value = value
    self.keyPath = keyPath
    self.readOnlyReason = readOnlyReason
    self.read = read
    self.write = write
    self.modify = modify
  }

  var name: String { key.name }

  var isWritable: Bool { readOnlyReason.isEmpty && !isReadOnly }

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
