import Synchronization

/// The declaration of a key in a table line.
///
/// The ``KVKeyHandle`` of the line changes the declaration while the table is being built. No other code accesses it
/// before the table is complete, and no code changes it afterwards.
@usableFromInline
package final class KeyDeclaration {
  let key: InternedKey
  let value: ValueType
  let read: AccessFunction
  /// Never called if there is a `readOnlyReason`. (An optional closure would be called through a thunk.)
  let write: AccessFunction
  /// Accesses the stored value in place, if the line supports it; for collections, where it pays.
  var modify: ModifyFunction?
  /// Whether `modify` was given to the line, rather than made of its key path.
  var modifiesStorage = false
  let keyPath: AnyKeyPath?
  /// The reason why the key cannot be written; empty if it can.
  let readOnlyReason: String
  var isReadOnly = false
  var aliases: [String] = []
  package var affecting: [String] = []
  /// Where the paths of `affecting` are declared.
  var affectingLocations: [CodeLocation] = []
  /// The names in the getter that affect the key if they are keys, with the place of the line (MOD.4).
  var mentions: [(name: String, location: CodeLocation)] = []
  /// The name of the property, if it is not that of the key.
  var otherProperty: String?
  var metadata: [String: any Sendable] = [:]
  var isLenient = false
  /// The conversions of values that are written, and those of values that are read (TAB.10).
  var conversions: (written: [Conversion], read: [Conversion]) = ([], [])
  package var notifiesManually = false
  /// Whether the property notifies of what its setter changes, as ``KVModel(_:)`` makes it.
  var notifiesItself = false
  /// Whether the setter stores any value as it is, as ``KVModel(_:)`` knows.
  var keepsValues = false
  /// Whether the functions of the line that edit a collection notify of their edits.
  var editsNotify = false
  /// Validates a value of the declared type for an owner.
  var validator: ((_ owner: Any, _ value: Any?) throws -> KVValidation)?
  /// Whether the validator is called with nil for a property that is not optional (VAL.3).
  var validatesNil = false
  /// Writes a copy of the value at an address, if the setter of the line throws; `write` is not called then (TAB.10).
  var throwingWrite: ThrowingWriteFunction?
  var counted: CountedCollection.Functions?
  var indexed: ToManyAccessors?
  var unordered: ToManyAccessors?

  @usableFromInline
  init(
    _ name: String, value: ValueType, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping AccessFunction,
    write: @escaping AccessFunction, modify: ModifyFunction? = nil
  ) {
    key = InternedKey(name)
    self.value = value
    self.keyPath = keyPath
    self.readOnlyReason = readOnlyReason
    self.read = read
    self.write = write
    self.modify = modify
  }

  /// Whether ``isStored`` is known: 1 if it is true, 2 if not.
  private let storedState = Atomic<UInt8>(0)

  /// Whether the line has a key path to what is stored, so that writing it runs no code of the model.
  ///
  /// A key path to a property with observers, or one that a subclass can override, is one to a computed property.
  var isStored: Bool {
    let state = storedState.load(ordering: .relaxed)
    if state != 0 { return state == 1 }
    // The description of a key path has the name or the offset of what is stored (SE-0369).
    let isStored = keyPath.map { !$0.debugDescription.contains("<computed") } ?? false
    storedState.store(isStored ? 1 : 2, ordering: .relaxed)
    return isStored
  }

  /// Whether the line lists a `let`, whose value never changes.
  package var isConstant: Bool { !readOnlyReason.isEmpty && isStored }

  var name: String { key.name }
  var property: String { otherProperty ?? name }

  var isWritable: Bool { readOnlyReason.isEmpty && !isReadOnly }

  /// Whether the line lets the key notify, apart from notifications by its property and by keys that affect it.
  var canNotify: Bool { notifiesManually || notifiesItself || isWritable || indexed != nil || unordered != nil }

  /// The coercion that converts values to the type of the key.
  var coercion: Coercion {
    var coercion = Coercion(lenient: isLenient)
    coercion.conversions = conversions.written
    return coercion
  }

  /// The coercion that converts values of the key to the type that a reader requests.
  package var readingCoercion: Coercion {
    var coercion = Coercion()
    coercion.yieldsText = isLenient
    coercion.conversions = conversions.read
    return coercion
  }

  /// The kind of collection, or `nil` if the key is not a to-many key.
  var toMany: KVKeyDescription.ToMany? {
    indexed != nil ? .ordered : unordered != nil ? .unordered : .init(value.type)
  }
}
