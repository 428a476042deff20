/// Reads a path of many values, one after the other, without boxing integers, doubles, texts and truth values.
@usableFromInline
package struct ScalarReader: @unchecked Sendable {  // guard: immutable; the path keeps its storage
  let path: KVKeyPath
  @usableFromInline let storage: _KVReference<KVKeyPath.Storage>

  package init(path: KVKeyPath) {
    self.path = path
    storage = _KVReference(path.storage)
  }

  /// Returns the value of the path of an object.
  @inline(__always)
  package func scalar(of object: AnyObject) throws(KVError) -> Scalar {
    var cursor: ObjectCursor?
    if let scalar = listedScalar(of: object, &cursor) { return scalar }
    return try scalar(of: object, continuing: cursor)
  }

  /// Returns the value of the path of an object, if tables lead from object to object; else nil, and how far they lead.
  @inline(__always)
  private func listedScalar(of object: AnyObject, _ cursor: inout ObjectCursor?) -> Scalar? {
    storage.borrow { storage in
      var objects = ObjectCursor(storage, storage.count - 1, object, at: 0)
      guard objects.advance() else {
        objects.end()
        return Scalar.none
      }
      guard let leaf = objects.leaf else {
        cursor = objects
        return nil
      }
      defer { objects.end() }
      return objects.with(leaf) { accessor, object in accessor.readScalar(object, noAddress) }
    }
  }

  /// Returns the value of any path of an object, from where a cursor stands, which ends.
  @inline(never)
  private func scalar(of object: AnyObject, continuing cursor: ObjectCursor?) throws(KVError) -> Scalar {
    if path.storage.count == 1,
      let accessor = path.storage.hops.pointee.reflectedAccessor(in: TypeInfo.of(object: object))
    {
      cursor?.end()
      return accessor.borrow { $0.readScalar(object, noAddress) }
    }
    guard let cursor else { return Scalar(try ObjectAccess.value(of: object, path)) }
    return Scalar(try ObjectAccess.value(of: object, path, continuing: cursor))
  }

  /// Returns the value of the path of any value.
  package func scalar(in value: Any) throws(KVError) -> Scalar {
    let info = TypeInfo.of(value)
    if info.isObject { return try scalar(of: object(in: value)) }
    if path.storage.count == 1, let accessor = path.storage.hops.pointee.reader(in: info) {
      return withOwner(in: value, isObject: false) { owner in
        accessor.borrow { $0.readScalar(owner.object, owner.address) }
      }
    }
    if path.storage.count == 1, path.storage.hops.pointee.key == "self", try Reader.isItself(value, path.policy) {
      return Scalar(value)
    }
    return Scalar(try KVC.value(of: value, forKeyPath: path))
  }

  // The value of the key of an object; nil if it is of another type, or the path longer: its getters are called once. They are
  // inlined where other libraries compare values, since a call for each would take as long as the reading.

  @inlinable @inline(__always)
  package func integer(of object: AnyObject) -> Int? { value(of: object, as: Int.self) }

  @inlinable @inline(__always)
  package func floating(of object: AnyObject) -> Double? { value(of: object, as: Double.self) }

  @inlinable @inline(__always)
  package func text(of object: AnyObject) -> String? { value(of: object, as: String.self) }

  @inlinable @inline(__always)
  func value<Value>(of object: AnyObject, as type: Value.Type) -> Value? {
    storage.borrow { storage in
      guard storage.count == 1, let leaf = storage.hops.pointee.accessor(of: object) else { return nil }
      return leaf.borrow { accessor in
        accessor.valueID == ObjectIdentifier(type) ? accessor.readTyped(object, as: type) : nil
      }
    }
  }
}

extension Accessor {
  /// Returns the value of an owner.
  @inline(__always)
  func readScalar(_ object: AnyObject, _ address: Address) -> Scalar {
    if valueID == ObjectIdentifier(Int.self) { return .integer(readTyped(object, address, as: Int.self)) }
    if valueID == ObjectIdentifier(String.self) { return .text(readTyped(object, address, as: String.self)) }
    if valueID == ObjectIdentifier(Double.self) { return .floating(readTyped(object, address, as: Double.self)) }
    return readUncommonScalar(object, address)
  }

  @inline(never)
  private func readUncommonScalar(_ object: AnyObject, _ address: Address) -> Scalar {
    if valueID == ObjectIdentifier(Bool.self) { return .bool(readTyped(object, address, as: Bool.self)) }
    if valueID == ObjectIdentifier(String?.self) {
      return readTyped(object, address, as: String?.self).map { .text($0) } ?? .none
    }
    if valueID == ObjectIdentifier(Int?.self) {
      return readTyped(object, address, as: Int?.self).map { .integer($0) } ?? .none
    }
    if valueID == ObjectIdentifier(Double?.self) {
      return readTyped(object, address, as: Double?.self).map { .floating($0) } ?? .none
    }
    if value.collection != nil || value.isObjectReference {
      return readAny(object, address).map { .other($0) } ?? .none
    }
    return Scalar(readAny(object, address))
  }
}
