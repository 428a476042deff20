import KVCore

/// The registrar that KVBinding installs at the first observation of an object: the entries of the object, by key.
///
/// Each observer is an entry in these lists, and each notification goes through them. The lock is held for a few
/// instructions, and never while user code runs. A delivery iterates over the list that it found (KVO.7).
final class ObserverRegistrar: _KVRegistrar, LinkedWithBinding,
  @unchecked Sendable  // guard: the lock guards `table` and `rareState`
{
  /// The identity and the class of the object, which is not referenced.
  let objectID: ObjectIdentifier
  let objectType: AnyClass
  private let lock = Locked(())
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) private var table = ListenerTable()
  private var rareState: RareState?

  /// State that few objects need.
  final class RareState: @unchecked Sendable {  // guard: the registrar's lock
    /// The observed dependent keys.
    var dependencies: [InternedKey: DependentKey] = [:]
    /// The manual changes that have begun, innermost last.
    var brackets: [InternedKey: [ManualChange]] = [:]
    /// The registrations that the object owns, and that end with it.
    var owned: [ObjectIdentifier: any OwnedRegistration] = [:]
    /// By the order of registration.
    var deinitHandlers: [UInt32: DeinitHandler] = [:]
    /// The registrar that the object had before.
    var previous: SharedRegistrar?
    /// The keys of the last update of several, and its plan.
    var update: (keys: [InternedKey], plan: ChangePlan)?
    var isDeallocated = false
  }

  init(_ object: AnyObject) {
    objectID = ObjectIdentifier(object)
    objectType = type(of: object)
  }

  deinit { table.forEach { ListenerList.retire($0) } }

  /// Returns the registrar of an object, and installs one if it has none.
  static func of(_ object: some KVObservable) -> ObserverRegistrar {
    let registrar = object.registrarSlot.registrar { ObserverRegistrar(object) }
    if let registrar = registrar as? ObserverRegistrar { return registrar }
    guard let shared = registrar as? SharedRegistrar else {
      fatalError("\(type(of: object)) has a registrar of another kind, so KVBinding cannot observe it")
    }
    return shared.replaced(in: asObject(object, KVObject.self))
  }

  /// Returns the registrar of an object that is known to be a ``KVObject``, and installs one if it has none.
  static func of(object: AnyObject) -> ObserverRegistrar {
    let object = asObject(object, KVObject.self)
    if let registrar = object._activeRegistrar?.object, type(of: registrar) == ObserverRegistrar.self {
      return asObject(registrar, ObserverRegistrar.self)
    }
    return of(object)
  }

  /// Calls a function under the lock.
  @inline(__always)
  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.withLock { _ in body() }
  }

  /// Calls a function with the rare state, which is created if there is none.
  func withRareState<Result>(_ body: (RareState) -> Result) -> Result {
    locked {
      let rareState = self.rareState ?? RareState()
      self.rareState = rareState
      return body(rareState)
    }
  }

  /// Calls a function with the rare state, if there is any.
  func withExistingRareState<Result>(_ body: (RareState) -> Result?) -> Result? { locked { rareState.flatMap(body) } }

  // MARK: Entries

  /// Adds an entry to the list of its key.
  ///
  /// - Returns: Whether the entry was added; false if the object has been deallocated.
  func add(_ listener: Listener, isManual: Bool, mayBeOverridden: Bool = false) -> Bool {
    let key = listener.key
    let (isAdded, changesOrders, plans) = locked { () -> (Bool, Bool, ListPlans?) in
      if let rareState, rareState.isDeallocated { return (false, false, nil) }
      let position = table.position(of: key)
      var list = table[position] ?? .retaining(ListenerList.make(key: key, isManual: isManual))
      let plans = list.borrow { $0.endPlans() }
      let isOpen = list.borrow { !$0.isIterating && !$0.isFull }
      if !isOpen { list = replacement(of: list) }
      list.borrow { list in
        list.add(listener)
        if mayBeOverridden { list.mayBeOverridden = true }
      }
      table[position] = list
      addToMasks(
        key, observed: !isManual, willChange: listener.needsWillChange || mayBeOverridden,
        oldValue: listener.needsOldValue, newValue: listener.needsNewValue)
      return (true, self.changesOrders(listener), plans)
    }
    if changesOrders { WaveOrder.invalidate() }
    plans?.release()
    return isAdded
  }

  /// Removes an entry from its list.
  ///
  /// - Returns: The dependent key of the key, if the entry was the last one.
  func remove(_ listener: Listener) -> DependentKey? {
    let key = listener.key
    var changesOrders = false
    let (removed, dependent, plans) = locked { () -> (_KVReference<Listener>?, DependentKey?, ListPlans?) in
      guard listener.position >= 0, let position = table.existingPosition(of: key), var list = table[position] else {
        return (nil, nil, nil)
      }
      changesOrders = self.changesOrders(listener)
      var removed: _KVReference<Listener>?
      let plans = list.borrow { $0.endPlans() }
      if list.borrow({ $0.isIterating }) {
        list = replacement(of: list, without: listener)
        listener.position = -1
      } else {
        removed = list.borrow { $0.remove(listener) }
        if list.borrow({ $0.isSparse }) { list = replacement(of: list) }
      }
      table[position] = list
      let isLast = list.borrow { $0.live == 0 }
      if isLast, table.recordEmptiedList() { updateMasks() }
      guard isLast, let rareState, !rareState.dependencies.isEmpty else { return (removed, nil, plans) }
      return (removed, rareState.dependencies.removeValue(forKey: key), plans)
    }
    if changesOrders { WaveOrder.invalidate() }
    plans?.release()
    // Outside of the lock: the entry releases user closures, and with them any objects.
    removed?.release()
    return dependent
  }

  /// Whether the order of waves depends on an entry: it is of a binding, is added to plans, or is of a key that depends on
  /// others, so that waves may keep it; called under the lock.
  private func changesOrders(_ listener: Listener) -> Bool {
    listener.isOfBinding || listener.needsWillChange || rareState?.dependencies[listener.key] != nil
  }

  /// Returns a copy of a list, which is retired.
  private func replacement(of list: ListenerTable.List, without listener: Listener? = nil) -> ListenerTable.List {
    let copy = list.borrow { _KVReference.retaining($0.copy(without: listener)) }
    ListenerList.retire(list)
    return copy
  }

  /// Returns whether a dependent key is published, or need not be because the object has been deallocated.
  func hasDependentKey(_ key: InternedKey) -> Bool {
    withExistingRareState { $0.isDeallocated || $0.dependencies[key] != nil ? true : nil } ?? false
  }

  /// Publishes a dependent key, which exists from then on as long as its key has entries.
  ///
  /// - Returns: Whether it is needed: the key has entries, and no other dependent key is published for it.
  func publish(_ dependent: DependentKey) -> Bool {
    locked {
      let rareState = self.rareState ?? RareState()
      guard !rareState.isDeallocated, rareState.dependencies[dependent.key] == nil,
        let list = table.find(dependent.key),
        list.borrow({ $0.live > 0 })
      else { return false }
      rareState.dependencies[dependent.key] = dependent
      self.rareState = rareState
      if !dependent.isResolved {
        list.borrow { $0.isDependent = true }
        addToMasks(dependent.key, observed: false, willChange: true, oldValue: false, newValue: false)
      }
      return true
    }
  }

  /// Computes the masks from all lists, and so clears the bits of keys without entries.
  private func updateMasks() {
    var observedKeys: UInt64 = 0
    var willChangeKeys: UInt64 = 0
    var oldValue: UInt64 = 0
    var newValue: UInt64 = 0
    table.forEach { list in
      list.borrow { list in
        guard list.live > 0 else { return }
        if !list.isManual { observedKeys |= list.key.bit }
        if list.needsWillChange { willChangeKeys |= list.key.bit }
        if list.needsOldValue { oldValue |= list.key.bit }
        if list.needsNewValue { newValue |= list.key.bit }
      }
    }
    setMasks(observedKeys: observedKeys, willChangeKeys: willChangeKeys, oldValue: oldValue, newValue: newValue)
  }

  /// Begins an iteration over the entries of a key, if the list passes a test, which is made under the lock.
  ///
  /// ``ListenerList/endIteration(_:)`` ends the iteration.
  ///
  /// - Returns: The list, and whether another iteration over it is under way: a handler has changed the key that it
  ///   observes, or another thread changes it.
  @inline(__always)
  func beginIteration(
    of key: InternedKey, where isWanted: (ListenerList) -> Bool
  ) -> (list: ListenerTable.List, isNested: Bool)? {
    locked {
      guard let list = table.find(key) else { return nil }
      return list.borrow { found in
        guard isWanted(found) else { return nil }
        let isNested = found.isIterating
        // No iteration is under way in a list that is not sorted: each one begins by sorting, and entries are then
        // added to a copy.
        if !found.isSorted { found.sort() }
        found.beginIteration()
        return (list, isNested)
      }
    }
  }

  /// Whether somebody is notified of changes of a key.
  func hasEntries(of key: InternedKey) -> Bool {
    mayObserve(key) && locked { table.find(key)?.borrow { $0.live > 0 } ?? false }
  }

  // MARK: Waves

  /// Returns the order of the wave that a change of a key begins; nil if there is nothing to order.
  func waveOrder(_ key: InternedKey, of object: AnyObject, by writer: BindingCore?) -> WaveOrder? {
    if writer != nil { return WaveGraph.order(key, of: object, self, by: writer) }
    let version = WaveOrder.version
    let (isKnown, known) = locked { () -> (Bool, WaveOrder?) in
      guard let list = table.find(key) else { return (false, nil) }
      return list.borrow { list in
        if list.isUnordered { return (true, nil) }
        guard let order = list.plans?.order, order.version == version else { return (false, nil) }
        return (true, order.found)
      }
    }
    if isKnown { return known }
    let order = WaveGraph.order(key, of: object, self, by: nil)
    locked {
      table.find(key)?.borrow { list in
        if order == nil { list.setUnordered(version) } else { list.ownPlans.order = (order, version) }
      }
    }
    return order
  }

  /// Calls a function with each registration that a change of a key notifies, but for recorders and those that follow
  /// elements.
  ///
  /// - Parameter body: A function of the registration, and whether the change reaches it by the last component alone.
  func forEachNotified(of key: InternedKey, _ object: AnyObject, _ body: (Registration, _ isDirect: Bool) -> Void) {
    guard let (list, _) = beginIteration(of: key, where: { $0.live > 0 }) else { return }
    defer { ListenerList.endIteration(list) }
    if list.borrow({ $0.needsWillChange }) {
      plan(key, of: object, list).forEachNotified(body)
    } else {
      list.borrow { list in
        list.forEach { listener in
          if let registration = (listener as? PathLink)?.registration ?? listener as? Registration {
            body(registration, true)
          }
        }
      }
    }
  }

  // MARK: Plans

  /// Returns the plan of a key whose list a change iterates over: that which the list keeps, or a new one.
  func plan(_ key: InternedKey, of object: AnyObject, _ list: ListenerTable.List) -> ChangePlan {
    plan(key, of: object, list, locked { list.borrow { $0.plans?.own } })
  }

  private func plan(
    _ key: InternedKey, of object: AnyObject, _ list: ListenerTable.List, _ kept: ChangePlan?
  ) -> ChangePlan {
    if let kept, !kept.isStale {
      #if KV_VERIFY_PLANS
        kept.verify(PlanBuilder.unkeptPlan(key, of: object, list, self))
      #endif
      return kept
    }
    return PlanBuilder.plan(key, of: object, list, self)
  }

  /// Returns the plan of the entries that a key has now; nil if it has none.
  func currentPlan(_ key: InternedKey, of object: AnyObject) -> ChangePlan? {
    guard let (list, _) = beginIteration(of: key, where: { $0.live > 0 }) else { return nil }
    defer { ListenerList.endIteration(list) }
    return plan(key, of: object, list)
  }

  /// Calls a function with each entry of a key, whose list ends a plan from now on.
  func forEachEntry(of key: InternedKey, joining validity: PlanValidity, _ body: (Listener) -> Void) {
    let list = beginIteration(of: key) { list in
      list.ownPlans.add(validity)
      return true
    }
    guard let list = list?.list else { return }
    list.borrow { $0.forEach(body) }
    ListenerList.endIteration(list)
  }

  /// Lets the list of a key keep its plan, which was made during an iteration over the list.
  func keep(_ plan: ChangePlan, of key: InternedKey, _ list: ListenerTable.List) {
    let previous = locked { () -> ChangePlan? in
      // An entry was added to a copy of the list, or removed from one.
      guard table.find(key)?.identity == list.identity, !plan.isStale else {
        plan.validity.end()
        return nil
      }
      return list.borrow { list in
        let plans = list.ownPlans
        guard plan.canBeCached, plans.own?.isStale ?? true else {
          plans.add(plan.validity)
          return nil
        }
        defer { plans.own = plan }
        return plans.own
      }
    }
    // Released outside of the lock.
    withExtendedLifetime(previous) {}
  }

  /// Releases a plan that the list of a key keeps.
  func releasePlan(of key: InternedKey, _ validity: PlanValidity) {
    let released = locked { () -> ChangePlan? in
      table.find(key)?.borrow { list -> ChangePlan? in
        guard let plans = list.plans, plans.own?.validity === validity else { return nil }
        defer { plans.own = nil }
        return plans.own
      }
    }
    // Released outside of the lock.
    withExtendedLifetime(released) {}
  }

  /// The keys that have entries.
  var keysWithEntries: [InternedKey] {
    locked {
      var result: [InternedKey] = []
      table.forEach { list in list.borrow { if $0.live > 0 { result.append($0.key) } } }
      return result
    }
  }

  /// Returns whether there are more entries, or keys with entries, than a number.
  func hasMoreListeners(than limit: Int) -> Bool { locked { table.hasMoreEntries(than: limit) } }

  /// Returns all entries of all keys.
  var allListeners: [Listener] {
    locked {
      var result: [Listener] = []
      table.forEach { list in
        list.borrow { list in
          if !list.isSorted { list.sort() }
          list.forEach { result.append($0) }
        }
      }
      return result
    }
  }

  // MARK: Notifications by the object

  override func willChange(_ change: borrowing _KVChangeNotice) -> AnyObject? {
    var kept: ChangePlan?
    guard
      let open = OpenChange.of(
        change.key, in: self, isReported: false,
        where: { list in
          guard list.needsWillChange, !list.isManual else { return false }
          kept = list.plans?.own
          return true
        }), let list = open.list
    else { return nil }
    let run = ChangeRun.make(plan(change.key, of: change.object, list, kept), open)
    run.begin(change)
    run.enclose(always: list.borrow { $0.isDependent })
    return run
  }

  override func isAbandoned(_ beginning: AnyObject) -> Bool { asObject(beginning, ChangeRun.self).isAbandoned }

  override func hasRunHandlers(_ beginning: AnyObject) -> Bool { asObject(beginning, ChangeRun.self).plan.hasPrior }

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    if let beginning { return asObject(beginning, ChangeRun.self).finish(change, self) }
    var isUnordered = false
    guard
      let open = OpenChange.of(
        change.key, in: self, isPending: change.kind != .setting,
        where: { list in
          isUnordered = list.hasBindings && list.isUnordered
          return !list.isManual
        }), let list = open.list
    else { return }
    if list.borrow({ $0.hasBindings }) { return deliverInWave(change, list, isUnordered) }
    deliverToAll(change, list)
  }

  @inline(__always)
  private func deliverToAll(_ change: borrowing _KVChangeNotice, _ list: ListenerTable.List) {
    if list.borrow({ $0.live > 1 }) {
      deliver(change, to: list)
    } else {
      list.borrow { list in list.forEach { $0.didChange(change) } }
    }
  }

  /// Delivers a change to entries of which some are those of bindings.
  @inline(__always)
  private func deliverInWave(_ change: borrowing _KVChangeNotice, _ list: ListenerTable.List, _ isUnordered: Bool) {
    let thread = ThreadDeliveries.current.borrow { $0.state }
    guard isUnordered, thread.pointee.isIdle else { return deliverInWave(change, list, isUnordered, thread) }
    // Nothing else is under way: the bindings have their turns, and that is all.
    thread.pointee.unorderedVersion = WaveOrder.version
    deliverToAll(change, list)
    thread.pointee.unorderedVersion = 0
  }

  @inline(never)
  private func deliverInWave(
    _ change: borrowing _KVChangeNotice, _ list: ListenerTable.List, _ isUnordered: Bool,
    _ thread: AddressOf<ThreadDeliveries.State>
  ) {
    let isWriteOfBinding = ThreadDeliveries.takesExpected(change.key, change.reference.identity, thread)
    Wave.deliver(isWriteOfBinding: isWriteOfBinding, hasBindings: true, thread) {
      isUnordered ? nil : waveOrder(change.key, of: change.object, by: $0)
    } _: { _ in
      deliverToAll(change, list)
    }
  }

  /// Delivers a change to several entries.
  @inline(never)
  func deliver(_ change: borrowing _KVChangeNotice, to list: ListenerTable.List) {
    change.sharingBoxes { change in list.borrow { $0.forEach { $0.didChange(change) } } }
  }

  override func objectWillDeallocate() {
    let handlers = withExistingRareState { rareState -> [DeinitHandler]? in
      defer { rareState.deinitHandlers = [:] }
      return Array(rareState.deinitHandlers.values)
    }
    for handler in handlers?.ordered(by: { $0.order }) ?? []
    where !handler.isPaused {
      handler.body()
    }
    endOwned()
  }

  override func objectDidDeallocate() {
    endOwned()
    var plans: [ListPlans] = []
    let (table, rareState) = locked {
      let ended = (self.table, self.rareState)
      ended.0.forEach { list in
        list.borrow { list in
          list.forEach { $0.position = -1 }
          if let ended = list.endPlans() { plans.append(ended) }
        }
      }
      self.table = ListenerTable()
      self.rareState = RareState()
      self.rareState?.isDeallocated = true
      setMasks(observedKeys: 0, willChangeKeys: 0, oldValue: 0, newValue: 0)
      return ended
    }
    for ended in plans { ended.release() }
    rareState?.dependencies.values.forEach { $0.cancel() }
    if let rareState, !rareState.brackets.isEmpty { reportUnended(rareState.brackets.keys.map(\.name).sorted()) }
    // What they would have notified of does not wait for their end.
    rareState?.brackets = [:]
    var broken: [PathLink] = []
    table.forEach { list in list.borrow { $0.forEach { $0.objectDidDeallocate(&broken) } } }
    if !broken.isEmpty { Deallocation.notify(broken) }
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
