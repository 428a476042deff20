import Synchronization

/// The keys of observable properties, by the location and by the key path of their storage.
///
/// The name comes from the description of the key path, which contains the names of stored properties (SE-0369). The
/// storage of a wrapped property is a stored property: `\Person._name` gives the key `name`. The description is read
/// once per property. After that, the identity of the key path finds the key without a lock; a literal keeps its
/// identity.
@usableFromInline
enum PropertyKeys {
  /// A key path of a property's storage; retained, so that no other key path gets its identity.
  private struct Storage: @unchecked Sendable, Hashable {  // guard: a literal without captures is immutable
    let keyPath: AnyKeyPath
  }

  private final class Entry: Sendable {
    let storage: Storage
    let key: InternedKey

    init(_ storage: Storage, _ key: InternedKey) {
      self.storage = storage
      self.key = key
    }
  }

  private static let byIdentity = SnapshotMap<Entry>()
  private static let byLocation = SnapshotMap<Entry>()
  /// The address of ``byLocation`` once it has an entry: it is loaded without a test for lazy initialization.
  private static let locations = Atomic<UInt>(0)
  /// The keys, with the number of identities of each equal key path: in a generic class, every use creates a new key
  /// path.
  private static let known = Locked<[Storage: (key: InternedKey, identities: Int)]>([:])

  /// Returns the key of a property by the key path of its ``KVProperty`` storage; nil if the program was compiled
  /// without reflection metadata, so that the storage has no name.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the storage.
  ///   - object: An object with the property. Its table can list the property under another name.
  ///   - property: A closure that returns the key path of the property itself, by which the table lists it.
  static func key(of keyPath: AnyKeyPath, in object: AnyObject, _ property: () -> AnyKeyPath) -> InternedKey? {
    if let entry = byIdentity.unmanagedValue(for: StringBits(ObjectIdentifier(keyPath))) {
      return entry.borrow { $0.key }
    }
    return keyByEquality(Storage(keyPath: keyPath), in: object, property)
  }

  /// Returns the key of a property by the location of its value; nil as for a key path.
  ///
  /// - Parameters:
  ///   - location: The location of the value.
  ///   - object: As for a key path.
  ///   - storage: A closure that returns the key path of the storage; called for a new location only.
  ///   - property: As for a key path.
  @inline(__always)
  static func key<Root: AnyObject, Value>(
    at location: PropertyLocation, in object: Root, _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>,
    _ property: () -> ReferenceWritableKeyPath<Root, Value>
  ) -> InternedKey? {
    if let locations = _KVReference<SnapshotMap<Entry>>(identity: locations.load(ordering: .acquiring)) {
      let entry = locations.borrow { map in
        map.unmanagedValue(for: location.bits)
      }
      if let entry { return entry.borrow { $0.key } }
    }
    return keyByPath(location, in: object, storage(), property)
  }

  /// Returns the key of the property at a location if a change of it has to be notified.
  ///
  /// Keys with manual notification are not among the observed keys of a registrar (KVO.15).
  @usableFromInline
  static func observedKey<Root: AnyObject, Value>(
    at location: PropertyLocation, in root: Root, _ registrar: _KVReference<_KVRegistrar>,
    _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>,
    _ property: () -> ReferenceWritableKeyPath<Root, Value>
  ) -> InternedKey? {
    guard let key = key(at: location, in: root, storage, property) else { return nil }
    return registrar.borrow({ $0.shouldNotifySetter(key) }) ? key : nil
  }

  @inline(never)
  private static func keyByPath<Root: AnyObject, Value>(
    _ location: PropertyLocation, in object: Root, _ storage: ReferenceWritableKeyPath<Root, KVProperty<Value>>,
    _ property: () -> ReferenceWritableKeyPath<Root, Value>
  ) -> InternedKey? {
    guard let key = key(of: storage, in: object, property) else { return nil }
    if location.isFound(by: storage, in: object) {
      byLocation.insert(Entry(Storage(keyPath: storage), key), for: location.bits)
      locations.store(_KVReference(byLocation).identity, ordering: .releasing)
    }
    return key
  }

  @inline(never)
  private static func keyByEquality(_ storage: Storage, in object: AnyObject, _ property: () -> AnyKeyPath)
    -> InternedKey?
  {
    let known = known.withLock { $0[storage]?.key }
    guard let key = known ?? listedKey(property(), of: object) ?? name(of: storage.keyPath).map({ InternedKey($0) })
    else {
      return nil
    }
    let identities = Self.known.withLock { known in
      known[storage] = (key, (known[storage]?.identities ?? 0) + 1)
      return known[storage]?.identities ?? 0
    }
    if identities <= maximumIdentities {
      byIdentity.insert(Entry(storage, key), for: StringBits(ObjectIdentifier(storage.keyPath)))
    }
    return key
  }

  private static let maximumIdentities = 4

  /// Returns the key under which the table of an object lists a property.
  private static func listedKey(_ property: AnyKeyPath, of object: AnyObject) -> InternedKey? {
    TypeInfo.of(object: object).accessors.first { $0.declaration.keyPath == property }?.key
  }

  private static func name(of keyPath: AnyKeyPath) -> String? {
    let text = keyPath.debugDescription
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let label = text[text.index(after: dot)...]
    guard label.first == "_", label.count > 1 else { return nil }
    return String(label.dropFirst())
  }
}
