import KVCore

/// The endpoint of a binding at a path from the current data object of a node (NOD.3).
///
/// The object of the endpoint is the node, and its path begins with `dataObject`.
// guard: `state` is locked, the rest is set before use
final class DataObjectEndpoint: BindingEndpoint, @unchecked Sendable {
  private let dataPath: KVKeyPath
  /// The updating of the binding, or `nil` for that of the node.
  private let updating: KVTreeUpdating?
  private weak var slot: KVTreeSlot?
  private weak var declarer: KVTreeSlot?
  private(set) weak var core: BindingCore?
  private var observesValues = false
  private let state = Locked(State())

  private struct State: @unchecked Sendable {  // guard: thread-safe objects
    /// The endpoint at the current data object.
    var inner: BindingEndpoint?
    /// The registration of the current data object.
    var registration: Registration?
    /// The number of searches for a data object; the result of an earlier search is stale.
    var generation = 0
    var isCancelled = false
  }

  init(
    _ node: any KVTreeNode, _ dataPath: KVKeyPath, declarer: any KVTreeNode, _ updating: KVTreeUpdating?
  ) throws(KVError) {
    self.dataPath = dataPath
    self.updating = updating
    slot = node.treeSlot
    self.declarer = declarer.treeSlot
    super.init(node, try dataPath.part([.key("dataObject")] + dataPath.components))
  }

  /// The endpoint at the current data object.
  private var inner: BindingEndpoint? {
    guard let dataObject = slot?.dataObject else { return nil }
    if let inner = state.withLock({ $0 }).inner, inner.object === dataObject { return inner }
    let inner = BindingEndpoint(dataObject, dataPath)
    // The removed endpoint is released outside of the lock.
    let old = state.withLock { state in
      let old = state.inner
      if !state.isCancelled { state.inner = inner }
      return old
    }
    withExtendedLifetime(old) {}
    return inner
  }

  // MARK: Observing

  override func observe(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    observesValues = true
    try begin(core)
  }

  override func observeParent(for core: BindingCore, _ side: BindingSide) throws(KVError) { try begin(core) }

  private func begin(_ core: BindingCore) throws(KVError) {
    self.core = core
    try attach()
    slot?.add(self)
    declarer?.addDeclared(core)
    // Ended meanwhile, by code that a read has run or by another thread.
    if state.withLock({ $0.isCancelled }) { unregister() }
  }

  /// Observes the current data object, and no longer the previous one.
  private func attach() throws(KVError) {
    guard
      let generation = nextGeneration(), observesValues, let slot, (updating ?? slot.updating) == .live,
      let dataObject = slot.dataObject, let core
    else { return }
    guard let observable = dataObject as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        the data object of \(typeName), \(type(of: dataObject)), does not notify of its changes, so no binding can follow \
        its "\(dataPath)". Mark its class with @KVModel(.root), let it inherit from KVObject or conform to KVObservable, \
        or bind with updating: .manual.
        """, keyPath: path.description, rootType: typeName)
    }
    try KVC.checkPolicy(dataPath, of: observable)
    // The endpoint may change its data object, and the binding goes on.
    let registration = core.registration(dataPath, .source, endsBinding: false)
    try registration.begin(at: observable)
    let isStored = state.withLock { state in
      guard !state.isCancelled, state.generation == generation else { return false }
      state.registration = registration
      return true
    }
    if !isStored { registration.cancel() }
  }

  /// Ends the current observation and begins a new turn; returns `nil` if the endpoint has ended.
  private func nextGeneration() -> Int? {
    let (ended, generation) = state.withLock { state -> (Registration?, Int?) in
      if state.isCancelled { return (nil, nil) }
      let ended = state.registration
      state.registration = nil
      state.generation += 1
      return (ended, state.generation)
    }
    ended?.cancel()
    return generation
  }

  /// Observes and reads the new data object.
  func dataObjectChanged() {
    guard let core, !core.isEnded else { return }
    do throws(KVError) { try attach() } catch { return core.fail(error) }
    core.endpointDidChange(.source)
  }

  override func cancel() {
    state.exchange(State(isCancelled: true)).registration?.cancel()
    unregister()
  }

  private func unregister() {
    slot?.remove(self)
    declarer?.removeDeclared(self)
  }

  // MARK: Reading and setting

  override var usesAccessors: Bool { false }
  override var current: BindingEndpoint? { inner }
  override var resolved: BindingEndpoint? { inner?.resolved }
  override func written() -> (object: AnyObject, key: InternedKey)? { inner?.written() }

  package override func read() throws(KVError) -> Reading { try inner?.read() ?? .unresolved }
  override func fitted(_ value: Any?, from sender: BindingEndpoint?) throws(KVError) -> Any? {
    guard let inner else { return value }
    return try inner.fitted(value, from: sender)
  }
  override func validated(_ value: Any?) throws(KVError) -> Any? {
    guard let inner else { return value }
    return try inner.validated(value)
  }
  override func set(_ value: Any?) throws(KVError) -> Bool { try inner?.set(value) ?? false }
}
