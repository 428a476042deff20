extension KVKeyPath {
  /// Returns the accessor of a component, where an object of a ``KVObject`` class tells of its changes and no operator
  /// follows; nil where it takes more to know.
  @inline(__always)
  package func observedAccessor(_ index: Int, of object: AnyObject) -> Accessor? {
    let hops = storage.hops
    guard
      let accessor = hops[index].accessor(of: object)?.takeUnretainedValue(),
      accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]), !isFollowedByOperator(index)
    else { return nil }
    return accessor
  }

  /// Whether the value of the path may be a collection, whose elements come and go: certain are a number, a string and an
  /// object.
  package func mayChangeInPart(of object: AnyObject) -> Bool {
    guard count == 1, let type = observedAccessor(0, of: object)?.value.type else { return true }
    let wrapped = optionalWrappedType(type) ?? type
    return !(wrapped is AnyClass || wrapped == String.self || wrapped is any KVNumeric.Type)
  }

  @inline(__always)
  private func isFollowedByOperator(_ index: Int) -> Bool {
    index + 1 < storage.count && storage.hops[index + 1].isOperator
  }
}
