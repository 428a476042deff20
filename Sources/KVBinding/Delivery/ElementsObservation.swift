import KVCore

/// The observer of one element of a collection.
protocol ElementObserver: AnyObject, Sendable {
  var isEnded: Bool { get }
  /// Whether it delivers an initial record.
  var wantsInitial: Bool { get }
  /// Begins to observe an element, and delivers nothing.
  func attach(to element: some KVObservable) throws(KVError)
  func receiveInitial(_ element: AnyObject)
  func setPaused(_ isPaused: Bool)
  func cancel()
}

extension Observation: ElementObserver {}

/// An observation of a collection and of each of its elements, which follows insertions and removals (KVO.17).
///
/// It follows a change before the records are delivered, as paths do, and while it is paused, too (LIF.4). The initial
/// records of inserted elements are delivered in the order of registration. An element that occurs twice in the
/// collection has one observer.
class ElementsObservation: Observation, @unchecked Sendable {  // guard: `state` is locked
  /// A closure that creates the observer of an element; nil if the owner of the observation has been deallocated.
  typealias Making = (any KVObservable) -> (any ElementObserver)?

  private let state = Locked(State())
  private let elementPath: KVKeyPath
  private let make: Making

  init(_ path: KVKeyPath, elements elementPath: KVKeyPath, _ site: Site, _ make: @escaping Making) {
    self.elementPath = elementPath
    self.make = make
    super.init(path, [.old, .new], site)
  }

  override var isElementwise: Bool { true }
  override var needsWillChange: Bool { true }
  override var summary: String { "each element, by \"\(elementPath)\"" }

  /// Begins to observe the collection and its present elements.
  ///
  /// - Throws: ``KVError`` if the collection or an element cannot be observed. Nothing is observed then.
  func beginFollowing(at root: some KVObservable) throws(KVError) {
    try begin(at: root)
    do throws(KVError) {
      let value = value(of: root, from: 0)
      if let value, Elements.all(of: value) == nil {
        throw KVError(
          .notObservable, "\"\(path)\" has no elements: it holds a \(type(of: value)).",
          component: path.last.description)
      }
      for element in Elements.list(value) { try add(element) }
    } catch {
      cancel()
      throw error
    }
    announce()
  }

  override func setPaused(_ isPaused: Bool) {
    state.withLock { state in
      super.setPaused(isPaused)
      for entry in state.entries.values { entry.observer.setPaused(isPaused) }
    }
  }

  override func didEnd() {
    for observer in state.withLock({ $0.takeAll() }) { observer.cancel() }
  }

  // MARK: Following

  override func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey, depth: Int, isLeaf: Bool) {
    change.add(self, changedKey, isIncremental: isLeaf && !changedKey.isDependent)
  }

  /// Follows a change of the collection by its notice.
  func follow(_ notice: borrowing KVChangeNotice) {
    guard notice.kind != .setting else { return followAnew() }
    for element in Elements.list(notice.oldValue) { remove(element) }
    for element in Elements.list(notice.newValue) { addReporting(element) }
    // A manual change need not name all elements that change.
    let current = chain?.root.flatMap { value(of: $0, from: 0) }
    if Elements.count(of: current) != state.withLock({ $0.count }) { followAnew() }
  }

  /// Follows a change by the present elements of the collection.
  func followAnew() {
    let elements = Elements.list(chain?.root.flatMap { value(of: $0, from: 0) })
    state.withLock { $0.beginAnew() }
    for element in elements { addReporting(element) }
    for observer in state.withLock({ $0.takeUncounted() }) { observer.cancel() }
  }

  /// Called for a change that began before the observation was registered.
  override func didChange(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {
    followAnew()
    announce()
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) { announce() }

  /// Delivers the initial records of new observers.
  private func announce() {
    let fresh = state.withLock { state in
      defer { state.fresh = [] }
      for fresh in state.fresh { fresh.observer.setPaused(isPaused) }
      return state.fresh
    }
    for fresh in fresh { fresh.observer.receiveInitial(fresh.element) }
  }

  // MARK: Elements

  private func addReporting(_ element: Any) {
    do throws(KVError) { try add(element) } catch {
      KVDiagnostics.report(.error, .faultyPath, path, nil, site) {
        "observing \"\(self.elementPath)\" of each of \"\(self.path)\": \(error)"
      }
    }
  }

  private func add(_ element: Any) throws(KVError) {
    state.withLock { $0.count += 1 }
    guard let element = unwrappingOptionals(element) else { return }
    guard let object = element as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        an element of "\(path)" is a \(type(of: element)), whose changes nobody tells of. Elements must be objects of a \
        KVObject subclass, or conform to KVObservable; replace a value in its collection to have that heard.
        """, component: "\(elementPath)")
    }
    let id = ObjectIdentifier(object)
    if isEnded || state.withLock({ $0.countAgain(id) }) { return }
    guard let observer = make(object) else { return }
    let isNew = state.withLock { state in
      if state.countAgain(id) { return false }
      // A record before the initial record would be too early.
      observer.setPaused(isPaused || observer.wantsInitial)
      state.entries[id] = Entry(observer: observer, count: 1)
      return true
    }
    if isNew { try begin(observer, object, id) }
  }

  /// Attaches an observer that has its entry already: attaching reads values, which can run any code.
  private func begin(_ observer: any ElementObserver, _ object: any KVObservable, _ id: ObjectIdentifier)
    throws(KVError)
  {
    do throws(KVError) { try observer.attach(to: object) } catch {
      state.withLock { if $0.entries[id]?.observer === observer { $0.entries[id] = nil } }
      observer.cancel()
      throw error
    }
    let fresh = Fresh(observer: observer, element: object)
    if observer.wantsInitial { state.withLock { if !isPaused { $0.fresh.append(fresh) } } }
    if isEnded { observer.cancel() }
  }

  private func remove(_ element: Any) {
    let object = unwrappingOptionals(element) as? any KVObservable
    state.withLock { $0.remove(object.map { ObjectIdentifier($0) }) }?.cancel()
  }
}

extension ElementsObservation {
  private struct Entry {
    let observer: any ElementObserver
    var count: Int
  }

  /// An observer whose initial record has not been delivered yet.
  private struct Fresh: @unchecked Sendable {  // guard: used on the thread of the change only
    let observer: any ElementObserver
    let element: any KVObservable
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of elements, observable or not.
    var count = 0
    var fresh: [Fresh] = []

    /// Counts another occurrence of an element that has an observer; false if it has none.
    mutating func countAgain(_ id: ObjectIdentifier) -> Bool {
      guard let entry = entries[id], !entry.observer.isEnded else { return false }
      entries[id]?.count += 1
      return true
    }

    /// Removes an occurrence of an element; returns its observer if that has to be cancelled.
    ///
    /// An element that was never added is not counted. The numbers then differ, and all elements are counted again.
    mutating func remove(_ id: ObjectIdentifier?) -> (any ElementObserver)? {
      guard let id else {
        count -= 1
        return nil
      }
      guard let entry = entries[id] else { return nil }
      count -= 1
      entries[id]?.count -= 1
      if entry.count > 1 { return nil }
      return entries.removeValue(forKey: id)?.observer
    }

    mutating func beginAnew() {
      count = 0
      for id in entries.keys { entries[id]?.count = 0 }
    }

    /// Removes and returns the observers of elements that were not counted since the count began again.
    mutating func takeUncounted() -> [any ElementObserver] {
      let gone = entries.filter { $0.value.count == 0 }
      for id in gone.keys { entries[id] = nil }
      return gone.values.map(\.observer)
    }

    mutating func takeAll() -> [any ElementObserver] {
      defer { self = State() }
      return entries.values.map(\.observer)
    }
  }
}

extension Elements {
  /// Returns the elements of a collection in a record; none for nil.
  static func list(_ value: Any?) -> [Any] { value.flatMap { all(of: $0) }?.map { asAny($0) } ?? [] }
}
