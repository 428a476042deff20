extension KVKeyPath {
  /// Returns the accessor of a component, where an object of a ``KVObject`` class tells of its changes and no operator
  /// follows; nil where it takes more to know.
  @inline(__always)
  package func observedAccessor(_ index: Int, of object: AnyObject) -> Accessor? {
    let hops = storage.hops
    guard
      let accessor = FastAccess.accessor(at: hops + index, of: object)?.takeUnretainedValue(),
      accessor.flags.isSuperset(of: [.isOfKVObject, .canNotify]), !isFollowedByOperator(index)
    else { return nil }
    return accessor
  }

  @inline(__always)
  private func isFollowedByOperator(_ index: Int) -> Bool {
    index + 1 < storage.count && storage.hops[index + 1].isOperator
  }
}
