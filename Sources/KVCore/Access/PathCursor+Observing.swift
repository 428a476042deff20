extension PathCursor {
  /// Whether the component is a key.
  package var isAtKey: Bool { hops[index].isKey }

  /// The index of the element that the component names; nil if it is another component.
  package var elementIndex: Int? { hops[index].element }

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
  /// Returns whether the value of the path may be a collection, whose elements can change.
  ///
  /// It is certain only that a number, a string and an object are none.
  package func mayChangeInPart(of object: AnyObject) -> Bool {
    guard count == 1, let type = observedAccessor(of: object)?.borrow({ $0.value.type })
    else { return true }
    let wrapped = optionalWrappedType(type) ?? type
    return !(wrapped is AnyClass || wrapped == String.self || wrapped is any NumericValue.Type)
  }
}
