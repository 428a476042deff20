import KVCore

/// The end of a binding at a path from the data object of a node, whichever that is at the moment (NOD.3).
///
/// The object of the end is the node, its path begins with `dataObject`.
final class DataObjectEnd: BindingEnd, @unchecked Sendable {  // guard: `state` is locked, the rest is set before use
  private let dataPath: KVKeyPath
  /// Nil for that of the node.
  private let updating: KVTreeUpdating?
  private weak var slot: KVTreeSlot?
  private weak var declarer: KVTreeSlot?
  @exclusivity(unchecked) private(set) weak var core: BindingCore?
  @exclusivity(unchecked) private var hearsValues = false
  private let state = Locked(State())

  private struct State: @unchecked Sendable {  // guard: thread-safe objects
    /// The end at the present data object.
    var inner: BindingEnd?
    /// What is heard through.
    var observation: DataObjectObservation?
    /// How often another data object was looked for; what was found before the last time comes too late.
    var turn = 0
    var isOver = false
  }

  init(
    _ node: any KVTreeNode, _ dataPath: KVKeyPath, declarer: any KVTreeNode, _ updating: KVTreeUpdating?
  ) throws(KVError) {
    self.dataPath = dataPath
    self.updating = updating
    slot = node.treeSlot
    self.declarer = declarer.treeSlot
    super.init(node, try KVKeyPath(components: [.key("dataObject")] + dataPath.components))
  }

  /// The end at the present data object.
  private var inner: BindingEnd? {
    guard let dataObject = slot?.dataObject else { return nil }
    if let inner = state.withLock({ $0 }).inner, inner.object === dataObject { return inner }
    let inner = BindingEnd(dataObject, dataPath)
    // What is taken out dies outside of the lock.
    let old = state.withLock { state in
      let old = state.inner
      if !state.isOver { state.inner = inner }
      return old
    }
    withExtendedLifetime(old) {}
    return inner
  }

  // MARK: Hearing

  override func listen(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    hearsValues = true
    try begin(core)
  }

  override func listenToHolder(for core: BindingCore, _ side: BindingSide) throws(KVError) { try begin(core) }

  private func begin(_ core: BindingCore) throws(KVError) {
    self.core = core
    try attach()
    slot?.add(self)
    declarer?.addDeclared(core)
    // Ended meanwhile, by whatever reading has run or by another thread.
    if state.withLock({ $0.isOver }) { leave() }
  }

  /// Observes the present data object, and no other any more.
  private func attach() throws(KVError) {
    guard
      let turn = nextTurn(), hearsValues, let slot, (updating ?? slot.updating) == .live,
      let dataObject = slot.dataObject, let core
    else { return }
    guard let observable = dataObject as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        the data object of \(typeName), \(type(of: dataObject)), tells nobody of its changes, so no binding can follow \
        its "\(dataPath)". Let it inherit from KVObject or conform to KVObservable, or bind with updating: .manual.
        """, keyPath: path.description, rootType: typeName)
    }
    let observation = DataObjectObservation(dataPath, core, .source)
    try observation.begin(at: observable)
    let isKept = state.withLock { state in
      guard !state.isOver, state.turn == turn else { return false }
      state.observation = observation
      return true
    }
    if !isKept { observation.end() }
  }

  /// Hears of nothing any more, until something is observed in this turn; nil if this is over.
  private func nextTurn() -> Int? {
    let (ended, turn) = state.withLock { state -> (DataObjectObservation?, Int?) in
      if state.isOver { return (nil, nil) }
      let ended = state.observation
      state.observation = nil
      state.turn += 1
      return (ended, state.turn)
    }
    ended?.end()
    return turn
  }

  /// Looks at another data object.
  func dataObjectChanged() {
    guard let core, !core.isEnded else { return }
    do throws(KVError) { try attach() } catch { return core.fail(error) }
    core.hear(.source, nil, nil)
  }

  override func end() {
    let ended = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    ended.observation?.end()
    leave()
  }

  private func leave() {
    slot?.remove(self)
    declarer?.removeDeclared(self)
  }

  // MARK: Reading and setting

  override var usesAccessors: Bool { false }

  override func read() throws(KVError) -> Reading { try inner?.read() ?? .unresolved }
  override func fitted(_ value: Any?) throws(KVError) -> Any? {
    guard let inner else { return value }
    return try inner.fitted(value)
  }
  override func validated(_ value: Any?) throws(KVError) -> Any? {
    guard let inner else { return value }
    return try inner.validated(value)
  }
  override func set(_ value: Any?) throws(KVError) -> Bool { try inner?.set(value) ?? false }
}

/// Tells a binding of the changes of a data object, and may end without it.
final class DataObjectObservation: BindingObservation, @unchecked Sendable {  // guard: immutable
  override func didEnd() {}
}
