import Synchronization

extension KVKeyPath.Hop {
  /// Returns the accessor of the hop's key, from the hop's cache if it belongs to the object's class.
  @inlinable @inline(__always)
  func accessor(of object: AnyObject) -> _KVReference<Accessor>? {
    if let cached = cached(for: ObjectIdentifier(type(of: object))) { return cached }
    return accessor(ofClassOf: object)
  }

  @usableFromInline @inline(never)
  func accessor(ofClassOf object: AnyObject) -> _KVReference<Accessor>? {
    isKey ? kept(TypeInfo.accessor(of: object, key), of: type(of: object)) : nil
  }

  /// Returns the accessor of the hop's key for the structs that another accessor reads, optional or not; nil also if no
  /// `TypeInfo` exists for their type yet.
  @inline(__always)
  func accessor(ofStructsBy reader: _KVReference<Accessor>) -> _KVReference<Accessor>? {
    if let cached = cached(for: reader.borrow { $0.unwrappedID }) { return cached }
    return isKey ? accessor(ofType: reader.borrow { $0.value.unwrappedType }) : nil
  }

  @inline(never)
  private func accessor(ofType type: Any.Type) -> _KVReference<Accessor>? {
    TypeInfo.existing(type).flatMap { accessor(in: $0) }
  }

  /// Returns the accessor of the hop's key for the values of a type that is not a class.
  func accessor(in info: TypeInfo) -> _KVReference<Accessor>? {
    if let cached = cached(for: ObjectIdentifier(info.type)) { return cached }
    return isKey && info.hasKeys ? kept(info.unmanagedAccessor(key), of: info.type) : nil
  }

  /// Returns the accessor that reads the hop's key of an object: as ``accessor(of:)``, or by reflection.
  @inline(__always)
  func reader(of object: AnyObject) -> _KVReference<Accessor>? {
    accessor(of: object) ?? reflectedAccessor(in: TypeInfo.of(object: object))
  }

  /// Returns the accessor that reads the hop's key of values of a type: as ``accessor(in:)``, or by reflection.
  @inline(__always)
  func reader(in info: TypeInfo) -> _KVReference<Accessor>? { accessor(in: info) ?? reflectedAccessor(in: info) }

  /// Returns the accessor that reads the hop's key, which no table lists, by reflection.
  func reflectedAccessor(in info: TypeInfo) -> _KVReference<Accessor>? {
    isKey && policy == nil ? info.reflectedAccessor(key) : nil
  }

  @inlinable @inline(__always)
  func cached(for owner: ObjectIdentifier) -> _KVReference<Accessor>? {
    guard let cached = cache.load(ordering: .acquiring), cached.borrow({ $0.owner == owner })
    else { return nil }
    return cached
  }

  @inline(__always)
  private func kept(_ found: _KVReference<Accessor>?, of type: Any.Type) -> _KVReference<Accessor>? {
    // A key that is not permitted is never cached, so that each access meets the policy (SEC.1).
    var found = found
    if let policy, let accessor = found?.object {
      found = policy.permitted(accessor, of: type).map { _KVReference($0) }
    }
    if let found { cache.store(found, ordering: .releasing) }
    return found
  }
}
