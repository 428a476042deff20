import KVCore

extension Registration {
  /// Joins a change of an operand: it is a change of the path with the operator, whose registration is the owner.
  func joinOwner(_ change: PendingChange, _ key: KVKey) {
    guard let registration = owner as? Registration, let root = registration.chain?.root else { return }
    // The registration is in no list of the change, so that nothing else retains it and its root until the end.
    change.keep(registration, root)
    change.add(registration, PendingChange.ChangedKey(object: root, key: key), depth: 0, isLeaf: false)
  }

  /// Begins to observe the elements that an operator at the end of the path computes with (KVO.18).
  ///
  /// - Throws: ``KVError`` if there is no operator with a path to its right, or an element cannot be observed.
  func beginOperands(at root: some KVObservable) throws(KVError) -> Registration {
    let components = path.components
    let operatorIndex = components.firstIndex { if case .operator = $0 { true } else { false } }
    let rest =
      operatorIndex.map { components[($0 + 1)...].prefix { if case .operator = $0 { false } else { true } } } ?? []
    guard let operatorIndex, let left = path.prefix(operatorIndex), !rest.isEmpty else {
      throw KVError(
        .notObservable,
        """
        the option "elements" needs a path that ends in an operator with a path to its right, such as \
        "items.@sum.price"; to hear of the elements themselves use observeElements(of:_:).
        """, component: path.last.description)
    }
    let right = try KVKeyPath(components: Array(rest))
    let tracker = ElementTracker(right) { [weak self, site] in
      self.map { Registration(right, [], site, owner: $0, .operand) }
    }
    let elements = Registration(left, [.old, .new], site, .elements(tracker))
    try tracker.begin(elements, at: root)
    return elements
  }
}
