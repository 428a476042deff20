/// A transfer of unboxed values from one property to another: both have one type, or that of the target is its optional,
/// or a function maps one type to the other.
package struct TypedTransfer {
  private let reader: _KVReference<Accessor>
  private let writer: _KVReference<Accessor>
  private let map: _KVReference<TypedMap>?
  /// Whether the target has any value that is set, until somebody sets another one.
  package let keepsValues: Bool
  /// Whether a function is called before the value is set.
  package var hasMap: Bool { map != nil }
  /// The key that is set.
  package var key: InternedKey { writer.borrow { $0.key } }

  /// Creates a transfer; nil if the types do not match, their values cannot be compared, or the target cannot be
  /// written.
  package init?(from reader: _KVReference<Accessor>, to writer: _KVReference<Accessor>, by map: TypedMap? = nil) {
    let (from, to) = (reader.object, writer.object)
    guard to.flags.contains(.isWritable) else { return nil }
    let isOfOneType = from.valueID == to.valueID || from.valueID == to.unwrappedID
    guard map?.fits(from, to) ?? (isOfOneType && from.value.canCompare) else { return nil }
    self.reader = reader
    self.writer = writer
    keepsValues = to.flags.contains(.keepsValues)
    // The caller retains the map.
    self.map = map.map { _KVReference($0) }
  }

  /// Whether values have to be boxed, because a transaction logs writes.
  @inline(__always)
  package static var isSuspended: Bool { WriteLog.isActive }

  /// Sets the target's property to the source's value, mapped if there is a map.
  ///
  /// - Parameters:
  ///   - source: The object that is read.
  ///   - target: The object that is written.
  ///   - skippingEqual: Whether nothing is set if the target has an equal value.
  ///   - checks: Whether the target is read again afterwards.
  ///   - isCancelled: A closure that returns whether nothing must be set any more, called after the map.
  /// - Returns: Whether the target has the value then; true if it is not read again.
  /// - Throws: The error of the map; nothing has changed then.
  @inline(__always)
  package func move(
    _ source: AnyObject, _ target: AnyObject, skippingEqual: Bool, checks: Bool, unless isCancelled: () -> Bool
  ) throws -> Bool {
    let options = Accessor.TransferOptions(skippingEqual: skippingEqual, checking: checks)
    return try reader.borrow { reader in
      try writer.borrow { writer in
        guard let map else { return reader.transfer(reader, source, writer, target, options) }
        return try map.borrow {
          try $0.transfer(reader, source, writer, target, options, isCancelled)
        }
      }
    }
  }
}

extension KVKeyPath {
  /// Returns the last object and the accessor of the last key, if tables lead from object to object.
  package func leaf(of root: AnyObject) -> (owner: AnyObject, accessor: _KVReference<Accessor>)? {
    var objects = ObjectCursor(storage, count - 1, root, at: 0)
    defer { objects.end() }
    guard objects.advance(), let accessor = objects.leaf else { return nil }
    return (objects.object, accessor)
  }

  /// Returns the last object and the accessor of the last key, as ``leaf(of:)`` does, also behind an object that resolves
  /// the rest of the path from one object only.
  package func resolvedLeaf(of root: AnyObject) -> (owner: AnyObject, accessor: _KVReference<Accessor>)? {
    var objects = ObjectCursor(storage, count - 1, root, at: 0)
    defer { objects.end() }
    guard objects.advance() else { return nil }
    if objects.leaf == nil, !isLimited, let resolver = objects.resolver, let owner = resolver.onlyOwner {
      objects.replaceOwner(by: owner)
      guard objects.advance() else { return nil }
    }
    return objects.leaf.map { (objects.object, $0) }
  }

  /// Returns the accessor of the first component, if the object is a ``KVObject`` that notifies of its changes and no
  /// operator follows; nil if that needs a closer look.
  @inline(__always)
  package func observedAccessor(of object: AnyObject) -> _KVReference<Accessor>? {
    let objects = ObjectCursor(storage, count - 1, object, at: 0)
    guard
      let accessor = objects.found,
      accessor.borrow({ $0.flags.isSuperset(of: [.isOfKVObject, .canNotify]) }),
      count == 1 || !storage.hops[1].isOperator
    else { return nil }
    return accessor
  }

  /// Returns the key of a path of one component, if a property of a ``KVObject`` has it that notifies itself of all its
  /// changes: it is no collection, and nothing affects it.
  package func selfNotifyingKey(of object: AnyObject) -> InternedKey? {
    observedAccessor(of: object)?.borrow { accessor in
      let isPlain =
        accessor.flags.contains(.needsNoNotification) && !accessor.isManual && accessor.affecting.isEmpty
        && accessor.value.collection == nil
      return isPlain ? accessor.key : nil
    }
  }

  /// Returns the type of the value, if tables lead from object to object and declare it.
  package func declaredType(from root: AnyObject) -> Any.Type? {
    var objects = ObjectCursor(storage, count - 1, root, at: 0)
    defer { objects.end() }
    return objects.advance() ? objects.leaf?.borrow { $0.value.type } : nil
  }
}
