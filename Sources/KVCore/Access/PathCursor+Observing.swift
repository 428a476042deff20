extension PathCursor {
  /// The accessor of the component, where an object of a ``KVObject`` class tells of its changes and no operator follows;
  /// nil where it takes more to know.
  @inline(__always)
  package var observedAccessor: Accessor? {
    guard let accessor = objectAccessor, accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]),
      !isFollowedByOperator
    else { return nil }
    return accessor
  }

  /// Whether the component is a key that a table lists of a struct: nobody can observe it.
  package var isInStruct: Bool { frames.top != nil && !isBoxed }
}

extension KVKeyPath {
  /// The accessor of the first component, where an object of a ``KVObject`` class tells of its changes and no operator
  /// follows; nil where it takes more to know.
  @inline(__always)
  package func observedAccessor(of object: AnyObject) -> Accessor? {
    let objects = ObjectCursor(storage, count - 1, object, at: 0)
    guard
      let accessor = objects.found?.takeUnretainedValue(),
      accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]), count == 1 || !storage.hops[1].isOperator
    else { return nil }
    return accessor
  }

  /// Whether the value of the path may be a collection, whose elements come and go: certain are a number, a string and an
  /// object.
  package func mayChangeInPart(of object: AnyObject) -> Bool {
    guard count == 1, let type = observedAccessor(of: object)?.value.type else { return true }
    let wrapped = optionalWrappedType(type) ?? type
    return !(wrapped is AnyClass || wrapped == String.self || wrapped is any KVNumeric.Type)
  }
}
