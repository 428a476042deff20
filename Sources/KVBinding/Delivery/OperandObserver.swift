import KVCore

/// The observer of one element that an operator computes with: a change of the element is a change of the observed
/// path.
// guard: immutable; the chain is thread-safe
final class OperandObserver: PathObserver, ElementObserver, @unchecked Sendable {
  private weak var observation: Observation?
  let chain: PathChain?
  let order: UInt32
  private let path: KVKeyPath
  private let ended = Locked(false)
  var site: Site? { observation?.site }

  init(_ observation: Observation, _ path: KVKeyPath, _ element: any KVObservable) {
    self.observation = observation
    self.path = path
    order = observation.order
    chain = PathChain(path, root: element)
  }

  func attach(to element: some KVObservable) throws(KVError) {
    if try chain?.attach(element, from: 0, self) != true { throw ResolvedComponent.notObservableError(path, element) }
  }

  var isEnded: Bool { ended.withLock { $0 } }
  var needsWillChangeAtLeaf: Bool { true }
  var needsOldValue: Bool { false }
  var wantsInitial: Bool { false }

  func cancel() {
    ended.withLock { $0 = true }
    chain?.cancel()
  }

  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey, depth: Int, isLeaf: Bool) {
    guard let observation, let root = observation.chain?.root else { return }
    // The observation is in no list of the change, so that nothing else retains it and its root until the end.
    change.keep(observation, root)
    change.add(observation, PendingChange.ChangedKey(object: root, key: changedKey.key), depth: 0, isLeaf: false)
  }

  func didChange(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {}
  func rootDidDeallocate() { cancel() }
  /// Does nothing: the observation itself is paused, and has its own initial record.
  func setPaused(_ isPaused: Bool) {}
  func receiveInitial(_ element: AnyObject) {}
}

extension Observation {
  /// Begins to observe the elements that an operator at the end of the path computes with (KVO.18).
  ///
  /// - Throws: ``KVError`` if there is no operator with a path to its right, or an element cannot be observed.
  func beginOperands(at root: some KVObservable) throws(KVError) -> ElementsObservation {
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
    let elements = ElementsObservation(left, elements: right, Site(file: file, line: line)) { [weak self] element in
      self.map { OperandObserver($0, right, element) }
    }
    try elements.beginFollowing(at: root)
    return elements
  }
}
