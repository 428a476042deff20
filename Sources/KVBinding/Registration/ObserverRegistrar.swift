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
    var dependencies: [KVKey: DependentKey] = [:]
    /// The manual changes that have begun, innermost last.
    var brackets: [KVKey: [ManualChange]] = [:]
    /// The registrations that the object owns, and that end with it.
    var owned: [ObjectIdentifier: any OwnedRegistration] = [:]
    /// By the order of registration.
    var deinitHandlers: [UInt32: DeinitHandler] = [:]
    /// The registrar that the object had before.
    var former: SharedRegistrar?
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
    return locked {
      if let rareState, rareState.isDeallocated { return false }
      let position = table.position(of: key)
      var list = table[position] ?? .retaining(ListenerList.make(key: key, isManual: isManual))
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
      return true
    }
  }

  /// Removes an entry from its list.
  ///
  /// - Returns: The dependent key of the key, if the entry was the last one.
  func remove(_ listener: Listener) -> DependentKey? {
    let key = listener.key
    let (removed, dependent) = locked { () -> (_KVReference<Listener>?, DependentKey?) in
      guard listener.position >= 0, let position = table.existingPosition(of: key), var list = table[position] else {
        return (nil, nil)
      }
      var removed: _KVReference<Listener>?
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
      guard isLast, let rareState, !rareState.dependencies.isEmpty else { return (removed, nil) }
      return (removed, rareState.dependencies.removeValue(forKey: key))
    }
    // Outside of the lock: the entry releases user closures, and with them any objects.
    removed?.release()
    return dependent
  }

  /// Returns a copy of a list, which is retired.
  private func replacement(of list: ListenerTable.List, without listener: Listener? = nil) -> ListenerTable.List {
    let copy = list.borrow { _KVReference.retaining($0.copy(without: listener)) }
    ListenerList.retire(list)
    return copy
  }

  /// Returns whether a dependent key is published, or need not be because the object has been deallocated.
  func hasDependentKey(_ key: KVKey) -> Bool {
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
  @inline(__always)
  func beginIteration(of key: KVKey, where isWanted: (ListenerList) -> Bool = { _ in true }) -> ListenerTable.List? {
    beginDelivery(of: key, where: isWanted)?.list
  }

  /// Begins an iteration as ``beginIteration(of:where:)`` does, and returns whether another one over the list is under
  /// way: a handler has changed the key that it observes, or another thread changes it.
  @inline(__always)
  func beginDelivery(
    of key: KVKey, where isWanted: (ListenerList) -> Bool
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

  /// Returns whether the list of a key is still the one over which an iteration goes on; nil for no list.
  func isCurrent(_ list: ListenerTable.List?, of key: KVKey) -> Bool {
    locked { table.find(key)?.identity == list?.identity }
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
    guard let (list, isNested) = beginDelivery(of: change.key, where: { $0.needsWillChange && !$0.isManual }),
      continues(list, isNested, change.key, isPending: true, isReported: false)
    else { return nil }
    let boundary = ChangeBoundary.begin()
    let pending = PendingChange(change, list, self)
    pending.boundary = boundary
    pending.isNested = isNested
    pending.enclose(always: list.borrow { $0.isDependent })
    return pending
  }

  override func isAbandoned(_ beginning: AnyObject) -> Bool {
    asObject(beginning, PendingChange.self).isAbandoned
  }

  override func hasRunHandlers(_ beginning: AnyObject) -> Bool {
    asObject(beginning, PendingChange.self).hasPrior
  }

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    if let beginning { return asObject(beginning, PendingChange.self).finish(change) }
    guard let (list, isNested) = beginDelivery(of: change.key, where: { !$0.isManual }),
      continues(list, isNested, change.key, isPending: change.kind != .setting)
    else { return }
    let boundary = ChangeBoundary.begin()
    if list.borrow({ $0.live > 1 }) {
      deliver(change, to: list)
    } else {
      list.borrow { list in list.forEach { $0.didChange(change) } }
    }
    ListenerList.endIteration(list)
    if isNested { NestedDeliveries.end() }
    ChangeBoundary.end(boundary)
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
    let (table, rareState) = locked {
      let ended = (self.table, self.rareState)
      ended.0.forEach { list in list.borrow { $0.forEach { $0.position = -1 } } }
      self.table = ListenerTable()
      self.rareState = RareState()
      self.rareState?.isDeallocated = true
      setMasks(observedKeys: 0, willChangeKeys: 0, oldValue: 0, newValue: 0)
      return ended
    }
    rareState?.dependencies.values.forEach { $0.cancel() }
    if let rareState, !rareState.brackets.isEmpty { reportUnended(rareState.brackets.keys.map(\.name).sorted()) }
    // What they would have notified of does not wait for their end.
    rareState?.brackets = [:]
    var broken: [PathLink] = []
    table.forEach { list in list.borrow { $0.forEach { $0.objectDidDeallocate(&broken) } } }
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
