extension PathCursor {
  /// The accessor of the component, if the owner is a ``KVObject`` that notifies of its changes and no operator
  /// follows; nil if that needs a closer look.
  @inline(__always)
  package var observedAccessor: Accessor? {
    guard let accessor = objectAccessor, accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]),
      !isFollowedByOperator
    else { return nil }
    return accessor
  }
}

extension KVKeyPath {
  /// Returns the accessor of the first component, if the object is a ``KVObject`` that notifies of its changes and no
  /// operator follows; nil if that needs a closer look.
  @inline(__always)
  package func observedAccessor(of object: AnyObject) -> Accessor? {
    let objects = ObjectCursor(storage, count - 1, object, at: 0)
    guard
      let accessor = objects.found?.takeUnretainedValue(),
      accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]), count == 1 || !storage.hops[1].isOperator
    else { return nil }
    return accessor
  }

  /// Returns whether the value of the path may be a collection, whose elements can change.
  ///
  /// It is certain only that a number, a string and an object are none.
  package func mayChangeInPart(of object: AnyObject) -> Bool {
    guard count == 1, let type = observedAccessor(of: object)?.value.type else { return true }
    let wrapped = optionalWrappedType(type) ?? type
    return !(wrapped is AnyClass || wrapped == String.self || wrapped is any KVNumeric.Type)
  }
}
