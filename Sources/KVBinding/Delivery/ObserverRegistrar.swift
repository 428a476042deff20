import Synchronization

/// The listeners of one object, by key: what KVBinding puts into the object's slot at the first observation.
///
/// Everything that listens is in these lists, and everything that is heard comes through them. The lock is held for a few
/// instructions and never while anything of the user's runs; a delivery walks the list that it found (KVO.7).
final class ObserverRegistrar: KVRegistrar, @unchecked Sendable {  // guard: `table` and `rareState` belong to the lock
  private let mutex = Mutex(())
  @exclusivity(unchecked) private var table = ListenerTable()
  @exclusivity(unchecked) private var rareState: RareState?

  /// What few objects need.
  final class RareState: @unchecked Sendable {  // guard: the registrar's lock
    /// The dependent keys that somebody observes.
    var dependencies: [KVKey: DependentKey] = [:]
    /// The changes that were begun by hand, innermost last.
    var brackets: [KVKey: [ManualChange]] = [:]
    /// What ends with the object because it is its owner.
    var owned: [ObjectIdentifier: any OwnedRegistration] = [:]
    var deinitHandlers: [() -> Void] = []
    var isDeallocated = false
  }

  deinit { table.forEach { ListenerList.retire($0) } }

  /// Returns the registrar of an object, and installs one if it has none.
  static func of(_ object: some KVObservable) -> ObserverRegistrar {
    let registrar = object.registrarSlot.registrar { ObserverRegistrar() }
    guard let registrar = registrar as? ObserverRegistrar else {
      fatalError("\(type(of: object)) has a registrar of another kind, so KVBinding cannot observe it")
    }
    return registrar
  }

  /// Returns the registrar of an object that is known to be a ``KVObject``, and installs one if it has none.
  static func of(object: AnyObject) -> ObserverRegistrar {
    let object = unsafeDowncast(object, to: KVObject.self)
    if let registrar = object._activeRegistrar?.takeUnretainedValue(), type(of: registrar) == ObserverRegistrar.self {
      return unsafeDowncast(registrar, to: ObserverRegistrar.self)
    }
    return of(object)
  }

  /// Returns the registrar of an object, if it has one.
  static func existing(of object: some KVObservable) -> ObserverRegistrar? {
    object.registrarSlot.registrar as? ObserverRegistrar
  }

  /// Calls a function while no other thread is in here.
  ///
  /// The masks are loaded and stored so that the thread sanitizer sees what the mutex does.
  @inline(__always)
  private func locked<Result>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in
      _ = masks
      defer { publishMasks() }
      return Unlocked(body())
    }.value
  }

  /// Calls a function with what few objects need, which is made if there is none.
  func withRareState<Result>(_ body: (RareState) -> Result) -> Result {
    locked {
      let rareState = self.rareState ?? RareState()
      self.rareState = rareState
      return body(rareState)
    }
  }

  /// Calls a function with what few objects need, if there is any.
  func withExistingRareState<Result>(_ body: (RareState) -> Result?) -> Result? { locked { rareState.flatMap(body) } }

  // MARK: Entries

  /// Adds an entry to the list of its key.
  ///
  /// - Returns: Whether the object still lives.
  func add(_ listener: Listener, isManual: Bool) -> Bool {
    let key = listener.key
    return locked {
      if let rareState, rareState.isDeallocated { return false }
      table.edit(key) { slot in
        if let list = slot {
          let isOpen = list._withUnsafeGuaranteedRef { !$0.isIterating && !$0.isFull }
          if !isOpen { replace(&slot, without: nil) }
        } else {
          slot = .passRetained(ListenerList.make(key: key, isManual: isManual))
        }
        slot.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.add(listener) }
      }
      let masks = self.masks
      setMasks(
        observedKeys: isManual ? masks.observedKeys : masks.observedKeys | key.bit,
        willChangeKeys: listener.needsWillChange ? masks.willChangeKeys | key.bit : masks.willChangeKeys,
        oldValue: listener.needsOldValue ? masks.oldValue | key.bit : masks.oldValue)
      return true
    }
  }

  /// Takes an entry out of its list.
  ///
  /// - Returns: What watched for the key, if that was its last listener.
  func remove(_ listener: Listener) -> DependentKey? {
    let key = listener.key
    let (removed, dependent) = locked { () -> (Unmanaged<Listener>?, DependentKey?) in
      guard listener.position >= 0 else { return (nil, nil) }
      var removed: Unmanaged<Listener>?
      let isLast = table.edit(key) { slot -> Bool in
        guard let list = slot else { return false }
        if list._withUnsafeGuaranteedRef({ $0.isIterating }) {
          replace(&slot, without: listener)
          listener.position = -1
        } else {
          removed = list._withUnsafeGuaranteedRef { $0.remove(listener) }
          if list._withUnsafeGuaranteedRef({ $0.isSparse }) { replace(&slot, without: nil) }
        }
        return slot.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.live == 0 }
      }
      if isLast, table.hasEmptied() { updateMasks() }
      guard isLast, let rareState, !rareState.dependencies.isEmpty else { return (removed, nil) }
      return (removed, rareState.dependencies.removeValue(forKey: key))
    }
    // Outside of the lock: with the entry go the closures of its user, and what they hold.
    removed?.release()
    return dependent
  }

  /// Puts a copy of a list in its place.
  private func replace(_ slot: inout ListenerTable.List?, without listener: Listener?) {
    guard let list = slot else { return }
    slot = list._withUnsafeGuaranteedRef { .passRetained($0.copy(without: listener)) }
    ListenerList.retire(list)
  }

  /// Whether a dependent key is published, or need not be since the object is dead.
  func hasDependentKey(_ key: KVKey) -> Bool {
    withExistingRareState { $0.isDeallocated || $0.dependencies[key] != nil ? true : nil } ?? false
  }

  /// Lets a dependent key watch as long as its key has listeners.
  ///
  /// - Returns: Whether it is needed: the key has listeners, and no other watches for them.
  func publish(_ dependent: DependentKey) -> Bool {
    locked {
      let rareState = self.rareState ?? RareState()
      guard !rareState.isDeallocated, rareState.dependencies[dependent.key] == nil,
        let list = table.find(dependent.key),
        list._withUnsafeGuaranteedRef({ $0.live > 0 })
      else { return false }
      rareState.dependencies[dependent.key] = dependent
      self.rareState = rareState
      return true
    }
  }

  /// Lets go of the bits of keys that nobody observes any more.
  private func updateMasks() {
    var observedKeys: UInt64 = 0
    var willChangeKeys: UInt64 = 0
    var oldValue: UInt64 = 0
    table.forEach { list in
      list._withUnsafeGuaranteedRef { list in
        guard list.live > 0 else { return }
        if !list.isManual { observedKeys |= list.key.bit }
        if list.needsWillChange { willChangeKeys |= list.key.bit }
        if list.needsOldValue { oldValue |= list.key.bit }
      }
    }
    setMasks(observedKeys: observedKeys, willChangeKeys: willChangeKeys, oldValue: oldValue)
  }

  /// Begins a visit to the listeners of a key as they are now, if they pass a test that is made under the lock.
  ///
  /// The visit ends by ``ListenerList/endIteration(_:)``.
  @inline(__always)
  func beginIteration(of key: KVKey, where isWanted: (ListenerList) -> Bool = { _ in true }) -> ListenerTable.List? {
    locked {
      guard let list = table.find(key) else { return nil }
      return list._withUnsafeGuaranteedRef { found in
        guard isWanted(found) else { return nil }
        // Nobody visits it: one that is visited was sorted then, and is changed in a copy as long as it is.
        if !found.isSorted { found.sort() }
        found.beginIteration()
        return list
      }
    }
  }

  /// Whether the listeners of a key are the same as when a visit began that goes on; nil says that there were none.
  func isCurrent(_ list: ListenerTable.List?, of key: KVKey) -> Bool {
    locked { table.find(key)?.toOpaque() == list?.toOpaque() }
  }

  /// Returns all entries of all keys.
  var allListeners: [Listener] {
    locked {
      var result: [Listener] = []
      table.forEach { list in
        list._withUnsafeGuaranteedRef { list in
          if !list.isSorted { list.sort() }
          list.forEach { result.append($0) }
        }
      }
      return result
    }
  }

  // MARK: Notifications of the object

  override func willChange(_ change: borrowing KVChangeNotice) -> AnyObject? {
    guard let list = beginIteration(of: change.key, where: { $0.needsWillChange && !$0.isManual }) else { return nil }
    return PendingChange(change, list, self)
  }

  override func didChange(_ change: borrowing KVChangeNotice, since beginning: AnyObject?) {
    if let beginning { return unsafeDowncast(beginning, to: PendingChange.self).finish(change) }
    guard let list = beginIteration(of: change.key, where: { !$0.isManual }) else { return }
    list._withUnsafeGuaranteedRef { list in list.forEach { $0.didChange(change) } }
    ListenerList.endIteration(list)
  }

  override func objectWillDeallocate() {
    let deinitHandlers = withExistingRareState { rareState -> [() -> Void]? in
      defer { rareState.deinitHandlers = [] }
      return rareState.deinitHandlers
    }
    deinitHandlers?.forEach { $0() }
    endOwned()
  }

  override func objectDidDeallocate() {
    endOwned()
    let (table, rareState) = locked {
      let ended = (self.table, self.rareState)
      ended.0.forEach { list in list._withUnsafeGuaranteedRef { $0.forEach { $0.position = -1 } } }
      self.table = ListenerTable()
      self.rareState = RareState()
      self.rareState?.isDeallocated = true
      setMasks(observedKeys: 0, willChangeKeys: 0, oldValue: 0)
      return ended
    }
    rareState?.dependencies.values.forEach { $0.cancel() }
    var broken: [any PathObserver] = []
    table.forEach { list in list._withUnsafeGuaranteedRef { $0.forEach { $0.objectDidDeallocate(&broken) } } }
    if !broken.isEmpty { PendingChange.notifyDeallocation(to: broken) }
    table.forEach { ListenerList.retire($0) }
  }

  private func endOwned() {
    let owned = withExistingRareState { rareState -> [any OwnedRegistration]? in
      defer { rareState.owned = [:] }
      return Array(rareState.owned.values)
    }
    owned?.forEach { $0.cancel() }
  }
}
