/// All facts about one concrete type: its kind, its accessors and its reflected fields.
///
/// It is created at the first use of a value of the type, from its table and its mirror, and is never released (TAB.9).
/// A look-up takes no lock.
@usableFromInline
package final class TypeInfo: @unchecked Sendable {  // guard: immutable once made
  package enum Kind: UInt8 {
    case structure, object, record, tuple, enumeration, optional, ordered, unordered, keyed, number, hashable
  }

  private static let known = SnapshotMap<TypeInfo>()

  let type: Any.Type
  package let kind: Kind
  /// The boxer of the type.
  let boxer: any ValueBoxing.Type
  /// The type itself, if its values are collections.
  let collection: (any CollectionValue.Type)?
  /// Whether values of the type are references to objects.
  package let isObject: Bool
  /// Whether the type conforms to ``KeyValueCoding``, so that its hooks are called.
  let isCoding: Bool
  let isKVObject: Bool
  package let isObservable: Bool
  /// Whether objects of the type resolve the components of a key path behind them (``PathResolving``).
  let resolvesPaths: Bool
  /// Whether objects of the type answer for observations of paths through them.
  package let resolvesObservedPaths: Bool
  let table: KVTable
  let accessors: [Accessor]
  package let fields: ReflectedFields
  /// Whether values are collections that are wrapped to be read as such (COL.7).
  let isForeignCollection: Bool
  /// The fault of the table, which every access throws.
  let fault: KVError?
  private let listedKeys = Locked<[String]?>(nil)
  private let byName: [String: Accessor]
  private let slots: SnapshotMap<Accessor>.Table
  /// The places of reflected fields.
  private let storedLocations: SnapshotMap<StoredLocation>.Table?

  /// Returns the info of the type of a value, which is created at its first use.
  @inline(__always)
  package static func of(_ value: Any) -> TypeInfo {
    let type = Swift.type(of: value)
    if let info = known.value(for: StringBits(ObjectIdentifier(type))) { return info }
    return make(type, value)
  }

  /// Returns the info of the type of a value, if it has been created.
  @inline(__always)
  static func existing(of value: Any) -> TypeInfo? { existing(Swift.type(of: value)) }

  /// Returns the info of a type, if it has been created.
  @inline(__always)
  static func existing(_ type: Any.Type) -> TypeInfo? { known.value(for: StringBits(ObjectIdentifier(type))) }

  /// Returns the info of the type of an object, which is created at its first use.
  @inline(__always)
  static func of(object: AnyObject) -> TypeInfo {
    let type: Any.Type = Swift.type(of: object)
    if let info = known.value(for: StringBits(ObjectIdentifier(type))) { return info }
    return make(type, object)
  }

  /// Returns the accessor of a key of an object, found without a lock; nil if there is none or the table is faulty.
  @inline(__always)
  static func accessor(of object: AnyObject, _ key: String) -> _KVReference<Accessor>? {
    if let info = known.unmanagedValue(for: StringBits(ObjectIdentifier(Swift.type(of: object)))) {
      return info.borrow { $0.unmanagedAccessor(key) }
    }
    return make(Swift.type(of: object), object).unmanagedAccessor(key)
  }

  /// Returns the accessor of a key of a type that is not a class, or nil if there is none or no info has been created
  /// yet.
  @usableFromInline @inline(never)
  static func accessor(ofValueType type: Any.Type, _ key: String) -> _KVReference<Accessor>? {
    guard let info = known.unmanagedValue(for: StringBits(ObjectIdentifier(type))) else { return nil }
    return info.borrow { $0.isObject ? nil : $0.unmanagedAccessor(key) }
  }

  /// Returns whether values of a type notify observers.
  static func isObservable(_ type: Any.Type) -> Bool { type is any KVObservable.Type }

  /// Creates the info of a type.
  ///
  /// Two threads may create the same info at once. One of the two is kept.
  @inline(never)
  private static func make(_ type: Any.Type, _ value: Any) -> TypeInfo {
    known.insert(TypeInfo(type, sample: value), for: StringBits(ObjectIdentifier(type)))
  }

  private init(_ type: Any.Type, sample: Any) {
    self.type = type
    func boxer<Value>(_ type: Value.Type) -> any ValueBoxing.Type { valueBoxer(of: type) }
    self.boxer = _openExistential(type, do: boxer)
    isObject = type is AnyClass
    isKVObject = type is KVObject.Type
    isObservable = Self.isObservable(type)
    (resolvesPaths, resolvesObservedPaths) = isObject ? Self.resolves(type) : (false, false)
    let coding = type as? any KeyValueCoding.Type
    isCoding = coding != nil
    isForeignCollection = KVCore.isForeignCollection(type)
    let table = coding?.keyTable ?? .empty
    self.table = table
    let traits = TypeTraits.of(type).object
    collection = traits.collection
    if traits.optional != nil {
      kind = .optional
    } else if let collection {
      kind = collection.isKeyed ? .keyed : collection.isOrdered ? .ordered : .unordered
    } else if type == AnyHashable.self {
      kind = .hashable
    } else if type is KVRecord.Type {
      kind = .record
    } else if traits.number != nil {
      kind = .number
    } else {
      kind = isObject ? .object : ReflectedValue.kind(of: sample)
    }
    let reflects = (kind == .structure || kind == .object) && !table.listsAllKeys
    let fields =
      reflects
      ? ReflectedFields(of: sample, notifying: table.notifying, hiding: table.hidden, usingCustomMirror: false)
      : ReflectedFields()
    self.fields = fields
    let sources = table.sources(fields)
    let overridable = isObservable ? table.overridableKeys(of: type, sample) : []
    accessors = table.merged.map { declaration in
      Accessor(
        declaration, affecting: sources.affectingPaths(declaration.name), owner: type,
        notifiesItself: declaration.notifiesItself || fields.isObservableProperty(declaration.name),
        sourcesNotify: sources.notify(of: declaration.name),
        mayBeOverridden: overridable.contains(declaration.name) && fields.isObservableProperty(declaration.name))
    }
    var byName: [String: Accessor] = [:]
    for accessor in accessors {
      for alias in accessor.declaration.aliases { byName[alias] = accessor }
    }
    for accessor in accessors { byName[accessor.key.name] = accessor }
    fault = TableChecker.fault(of: table, type: type, sample: sample, fields: fields)
    self.byName = fault == nil ? byName : [:]
    slots = SnapshotMap<Accessor>.Table(for: self.byName.count)
    for (name, accessor) in self.byName { slots.insert(_KVReference(accessor), for: StringBits(name)) }
    let known = fault == nil ? fields.storedLocations.filter { byName[$0.key] == nil } : [:]
    storedLocations = known.isEmpty ? nil : SnapshotMap<StoredLocation>.Table(for: known.count)
    for (name, location) in known { storedLocations?.insert(_KVReference(location), for: StringBits(name)) }
  }

  /// Only an info that another thread was faster to create is released, before anybody has read its slots.
  deinit {
    slots.deallocate()
    storedLocations?.deallocate()
  }

  /// Returns the accessor of a key or alias.
  @inline(__always)
  func unmanagedAccessor(_ key: String) -> _KVReference<Accessor>? {
    #if DEBUG
      LookUpCount.addKey()
    #endif
    if let found = slots.value(for: StringBits(key)) { return found }
    return byName.isEmpty ? nil : accessorByContent(key)
  }

  @inline(never)
  private func accessorByContent(_ key: String) -> _KVReference<Accessor>? {
    byName[key].map { _KVReference($0) }
  }

  /// Returns the accessor of a key or alias.
  ///
  /// - Throws: The fault of the table, if it has one.
  package func accessor(_ key: String) throws(KVError) -> Accessor? {
    if let found = unmanagedAccessor(key) { return found.object }
    if let fault { throw fault }
    return nil
  }

  /// Returns the accessor that reads the reflected field of a key, which no table lists, if its place is known.
  @inline(__always)
  func reflectedAccessor(_ key: String) -> _KVReference<Accessor>? {
    guard let storedLocations else { return nil }
    if let location = storedLocations.value(for: StringBits(key)) { return location.borrow { $0.accessor(of: type) } }
    return reflectedAccessorByContent(key)
  }

  @inline(never)
  private func reflectedAccessorByContent(_ key: String) -> _KVReference<Accessor>? {
    fields.field(key)?.location?.accessor(of: type)
  }

  /// Whether a key of a value of the type is its own, and not a key of its elements or of a wrapped value.
  var hasKeys: Bool {
    switch kind {
    case .optional, .ordered, .unordered, .keyed: false
    default: true
    }
  }

  /// The fields of a value of the type.
  package func fields(of value: Any) -> ReflectedFields { fields.variesByValue ? ReflectedFields(of: value) : fields }

  /// Whether a key of a value of the type is a key of its elements.
  package var isMapped: Bool { kind == .ordered || kind == .unordered }

  /// Returns whether a key of a value is a key of its elements: of an array or set, or of another collection that has no
  /// such key itself (COL.7).
  package func mapsKey(_ key: String, of value: Any) -> Bool {
    isMapped || isForeignCollection && !isCoding && fields(of: value).field(key) == nil
  }

  /// Whether values of the type differ in their keys.
  var keysVary: Bool {
    switch kind {
    case .keyed, .record, .tuple: true
    case .enumeration: !table.listsAllKeys
    default: fields.variesByValue
    }
  }

  /// The names of the keys that messages list, sorted; found out at the first error.
  var knownKeys: [String] {
    if let keys = listedKeys.withLock({ $0 }) { return keys }
    let keys = Set(accessors.map(\.key.name) + fields.listedNames).sorted()
    listedKeys.withLock { $0 = keys }
    return keys
  }

  /// Whether the table is the type's own, and not that of a superclass.
  package var hasOwnTable: Bool { !(table === KVTable.empty) && table.type == type }

  /// Whether ``KVModel(_:)`` made the table of the type.
  package var isModel: Bool { hasOwnTable && table.isGenerated }

  /// The name of the type in messages.
  var name: String { typeName(type) }
}
