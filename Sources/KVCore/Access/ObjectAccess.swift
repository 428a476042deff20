/// The short way to keys of tables on chains of objects.
///
/// Each function either does all of its work or nothing, and leaves the rest to the common way, so that the rules of
/// key-value coding stand in one place only.
@usableFromInline
enum FastAccess {
  /// Returns the accessor of a key, or nil if the table has none.
  @usableFromInline @inline(never)
  static func accessor(of object: AnyObject, _ key: String) -> Unmanaged<Accessor>? {
    TypeInfo.accessor(of: object, key)
  }

  /// Returns the accessor of a key that is to be written, or nil if the table has none or a transaction takes notes.
  @usableFromInline @inline(never)
  static func writer(of object: AnyObject, _ key: String) -> Unmanaged<Accessor>? {
    WriteLog.isActive ? nil : TypeInfo.accessor(of: object, key)
  }

  /// Writes a value of the accessor's own type, unless somebody has to be told of it.
  @inlinable @inline(__always)
  static func write<Value>(
    _ value: Value, by accessor: Unmanaged<Accessor>, to owner: AnyObject
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      guard
        accessor.takes(Value.self), accessor.flags.contains(.needsNoNotification) || isUnobserved(owner, accessor)
      else { return false }
      accessor.writeTyped(value, to: owner)
      return true
    }
  }

  /// Writes a boxed value if it is of the accessor's own type, unless somebody has to be told of it.
  @inline(__always)
  private static func assign(
    _ value: Any, by accessor: Unmanaged<Accessor>, to owner: AnyObject
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      guard
        accessor.flags.contains(.isWritable),
        accessor.flags.contains(.needsNoNotification) || isUnobserved(owner, accessor)
      else { return false }
      return accessor.assignExactly(value, to: owner)
    }
  }

  /// Whether nobody has ever observed an observable owner.
  @usableFromInline
  static func isUnobserved(_ owner: AnyObject, _ accessor: Accessor) -> Bool {
    accessor.flags.contains(.isOfKVObject)
      ? unsafeDowncast(owner, to: KVObject.self)._activeRegistrar == nil
      : (owner as? any KVObservable)?._activeRegistrar == nil
  }

  /// Walks a path that is given as text, if the text was used before; see ``resolveLeaf(of:from:)``.
  @usableFromInline @inline(never)
  static func resolveLeaf(
    ofText text: String, from root: AnyObject, isWritten: Bool = false
  ) -> (owner: AnyObject, accessor: Unmanaged<Accessor>)? {
    if isWritten, WriteLog.isActive { return nil }
    return KeyPathCache.shared.existing(text)?._withUnsafeGuaranteedRef { resolveLeaf(of: $0, from: root) }
  }

  /// Walks a path of plain keys over objects; returns the last object and the accessor of the last key.
  @usableFromInline @inline(never)
  static func resolveLeaf(
    of path: KVKeyPath.Storage, from root: AnyObject, startingAt start: Int = 0, isWritten: Bool = false
  ) -> (owner: AnyObject, accessor: Unmanaged<Accessor>)? {
    if isWritten, WriteLog.isActive { return nil }
    let last = path.count - 1
    guard last > start else { return accessor(at: path.hops + last, of: root).map { (root, $0) } }
    guard var owner = object(at: path.hops + start, of: root) else { return nil }
    for index in start + 1..<last {
      guard let next = object(at: path.hops + index, of: owner) else { return nil }
      owner = next
    }
    guard let accessor = accessor(at: path.hops + last, of: owner) else { return nil }
    return (owner, accessor)
  }

  /// Returns the object that a hop leads to, if its accessor is that of a reference.
  @inline(__always)
  private static func object(at hop: UnsafeMutablePointer<KVKeyPath.Hop>, of owner: AnyObject) -> AnyObject? {
    accessor(at: hop, of: owner)?._withUnsafeGuaranteedRef { accessor in
      accessor.flags.contains(.isObjectReference) ? accessor.readObject(owner) : nil
    }
  }

  /// Reads the key of a hop for each object of an array; false if some element needs the common way.
  static func values(
    of collection: any CollectionValue, at hop: UnsafeMutablePointer<KVKeyPath.Hop>, to results: inout [Any?]
  ) throws(KVError) -> Bool {
    guard let array = collection as? any OrderedValue, type(of: array).elementType is AnyClass else { return false }
    let count = array.elementCount
    try array.withElementMemory { start, stride throws(KVError) in
      for index in 0..<count {
        let reference = start.load(fromByteOffset: index * stride, as: UnsafeRawPointer.self)
        let found = Unmanaged<AnyObject>.fromOpaque(reference)._withUnsafeGuaranteedRef { object -> Bool in
          guard let accessor = accessor(at: hop, of: object) else { return false }
          results.append(accessor._withUnsafeGuaranteedRef { $0.readAny(object) })
          return true
        }
        guard found else { return }
      }
    }
    return results.count == count
  }

  /// Returns the accessor of a hop's key, from the hop's cache if it belongs to the object's class.
  @inline(__always)
  static func accessor(
    at hop: UnsafeMutablePointer<KVKeyPath.Hop>, of object: AnyObject
  ) -> Unmanaged<Accessor>? {
    if let cached = hop.pointee.cache.load(ordering: .acquiring),
      cached._withUnsafeGuaranteedRef({ $0.owner == ObjectIdentifier(type(of: object)) })
    {
      return cached
    }
    guard hop.pointee.isKey, let found = TypeInfo.accessor(of: object, hop.pointee.key) else { return nil }
    hop.pointee.cache.store(found, ordering: .releasing)
    return found
  }

  /// Returns the accessor of a key of a type that is no class, or nil if its table has none or was not asked for yet.
  @usableFromInline @inline(never)
  static func accessor(ofValueType type: Any.Type, _ key: String) -> Accessor? {
    guard let info = TypeInfo.existing(type), !info.isObject else { return nil }
    return info.unmanagedAccessor(key)?.takeUnretainedValue()
  }

  // MARK: The general case

  /// Returns the value of a key of an object.
  @usableFromInline @inline(never)
  static func value(of object: AnyObject, forKey key: String) throws(KVError) -> Any? {
    if let accessor = TypeInfo.accessor(of: object, key) {
      return accessor._withUnsafeGuaranteedRef { $0.readAny(object) }
    }
    do throws(KVError) { return try Reader.value(ofKey: key, in: object) } catch {
      throw error.located(path: key, root: typeName(type(of: object)))
    }
  }

  @usableFromInline @inline(never)
  static func convertedValue<Value>(
    of object: AnyObject, forKey key: String, as type: Value.Type
  ) throws(KVError) -> Value {
    try convert(value(of: object, forKey: key), of: object, forKey: key, as: type)
  }

  @usableFromInline @inline(never)
  static func convert<Value>(
    _ value: Any?, of owner: Any, forKey key: String, as type: Value.Type
  ) throws(KVError) -> Value {
    do throws(CoercionFailure) { return try Coercion().convert(value, to: type) } catch {
      throw Failure.reading(error, key: key).located(path: key, root: typeName(Swift.type(of: owner)))
    }
  }

  @usableFromInline
  static func value(of object: AnyObject, _ path: KVKeyPath) throws(KVError) -> Any? {
    if let (owner, accessor) = resolveLeaf(of: path.storage, from: object) {
      return accessor._withUnsafeGuaranteedRef { $0.readAny(owner) }
    }
    return try KVC.value(of: object, forKeyPath: path)
  }

  @usableFromInline @inline(never)
  static func set(boxed value: Any, forKey key: String, of object: AnyObject) throws(KVError) {
    if let accessor = writer(of: object, key), assign(value, by: accessor, to: object) { return }
    try set(value, forKey: key, of: object)
  }

  @usableFromInline @inline(never)
  static func set(boxed value: Any, _ path: KVKeyPath, of object: AnyObject) throws(KVError) {
    if let (owner, accessor) = resolveLeaf(of: path.storage, from: object, isWritten: true),
      assign(value, by: accessor, to: owner)
    {
      return
    }
    try set(value, path, of: object)
  }

  @usableFromInline @inline(never)
  static func set(_ value: Any?, forKey key: String, of object: AnyObject) throws(KVError) {
    do throws(KVError) {
      _ = try Writer.set(value, forKey: key, of: object, TypeInfo.of(object: object))
    } catch {
      throw error.located(path: key, root: typeName(type(of: object)))
    }
  }

  @usableFromInline @inline(never)
  static func set(_ value: Any?, _ path: KVKeyPath, of object: AnyObject) throws(KVError) {
    var root = object
    try KVC.setValue(value, forKeyPath: path, in: &root)
  }
}
