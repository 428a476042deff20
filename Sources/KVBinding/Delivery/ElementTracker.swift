import KVCore

/// The registrations of the elements of a collection, which follows insertions and removals (KVO.17).
///
/// It follows a change before the records are delivered, as paths do, and while it is paused, too (LIF.4). The initial
/// records of inserted elements are delivered in the order of registration. An element that occurs twice in the
/// collection has one registration.
final class ElementTracker: @unchecked Sendable {  // guard: `state` is locked
  let elementPath: KVKeyPath
  private let state = Locked(State())
  /// Creates the registration of an element; nil if the owner has been deallocated.
  private let make: () -> Registration?

  init(_ elementPath: KVKeyPath, _ make: @escaping () -> Registration?) {
    self.elementPath = elementPath
    self.make = make
  }

  /// Begins to observe a collection and its present elements.
  ///
  /// - Throws: ``KVError`` if the collection or an element cannot be observed. Nothing is observed then.
  func begin(_ collection: Registration, at root: some KVObservable) throws(KVError) {
    try collection.begin(at: root)
    do throws(KVError) {
      let value = collection.value(of: root, from: 0)
      if let value, Elements.all(of: value) == nil {
        throw KVError(
          .notObservable, "\"\(collection.path)\" has no elements: it holds a \(type(of: value)).",
          component: collection.path.last.description)
      }
      for element in Elements.list(value) { try add(element, collection) }
    } catch {
      collection.cancel()
      throw error
    }
    announce(collection)
  }

  /// Pauses the registrations of the elements together with that of the collection.
  func setPaused(_ isPaused: Bool, _ setCollectionPaused: () -> Void) {
    state.withLock { state in
      setCollectionPaused()
      for entry in state.entries.values { entry.registration.setPaused(isPaused) }
    }
  }

  func cancelAll() {
    for registration in state.withLock({ $0.takeAll() }) { registration.cancel() }
  }

  // MARK: Following

  /// Follows a change of the collection by its notice.
  func follow(_ notice: borrowing _KVChangeNotice, _ collection: Registration) {
    guard notice.kind != .setting else { return followAnew(collection) }
    for element in Elements.list(notice.oldValue) { remove(element) }
    for element in Elements.list(notice.newValue) { addReporting(element, collection) }
    // A manual change need not name all elements that change.
    let current = collection.chain?.root.flatMap { collection.value(of: $0, from: 0) }
    if Elements.count(of: current) != state.withLock({ $0.count }) { followAnew(collection) }
  }

  /// Follows a change by the present elements of the collection.
  func followAnew(_ collection: Registration) {
    let elements = Elements.list(collection.chain?.root.flatMap { collection.value(of: $0, from: 0) })
    state.withLock { $0.beginAnew() }
    for element in elements { addReporting(element, collection) }
    for uncounted in state.withLock({ $0.takeUncounted() }) { uncounted.cancel() }
  }

  /// Delivers the initial records of new registrations.
  func announce(_ collection: Registration) {
    let fresh = state.withLock { state in
      defer { state.fresh = [] }
      for fresh in state.fresh { fresh.registration.setPaused(collection.isPaused) }
      return state.fresh
    }
    for fresh in fresh { fresh.registration.receiveInitial(fresh.element) }
  }

  // MARK: Elements

  private func addReporting(_ element: Any, _ collection: Registration) {
    do throws(KVError) { try add(element, collection) } catch {
      KVDiagnostics.report(.error, .faultyPath, collection.path, nil, collection.site) {
        "observing \"\(self.elementPath)\" of each of \"\(collection.path)\": \(error)"
      }
    }
  }

  private func add(_ element: Any, _ collection: Registration) throws(KVError) {
    state.withLock { $0.count += 1 }
    guard let element = unwrappingOptionals(element) else { return }
    guard let object = element as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        an element of "\(collection.path)" is a \(type(of: element)), whose changes nobody tells of. Elements must be \
        objects of a KVObject subclass, or conform to KVObservable; replace a value in its collection to have that heard.
        """, component: "\(elementPath)")
    }
    let id = ObjectIdentifier(object)
    if collection.isEnded || state.withLock({ $0.countAgain(id) }) { return }
    guard let registration = make() else { return }
    let isNew = state.withLock { state in
      if state.countAgain(id) { return false }
      // A record before the initial record would be too early.
      registration.setPaused(collection.isPaused || registration.wantsInitial)
      state.entries[id] = Entry(registration: registration, count: 1)
      return true
    }
    if isNew { try begin(registration, object, id, collection) }
  }

  /// Attaches a registration that has its entry already: attaching reads values, which can run any code.
  private func begin(
    _ registration: Registration, _ object: any KVObservable, _ id: ObjectIdentifier, _ collection: Registration
  ) throws(KVError) {
    do throws(KVError) { try registration.attach(to: object) } catch {
      state.withLock { if $0.entries[id]?.registration === registration { $0.entries[id] = nil } }
      registration.cancel()
      throw error
    }
    let fresh = Fresh(registration: registration, element: object)
    if registration.wantsInitial { state.withLock { if !collection.isPaused { $0.fresh.append(fresh) } } }
    if collection.isEnded { registration.cancel() }
  }

  private func remove(_ element: Any) {
    let object = unwrappingOptionals(element) as? any KVObservable
    state.withLock { $0.remove(object.map { ObjectIdentifier($0) }) }?.cancel()
  }
}

extension ElementTracker {
  private struct Entry {
    let registration: Registration
    var count: Int
  }

  /// A registration whose initial record has not been delivered yet.
  private struct Fresh: @unchecked Sendable {  // guard: used on the thread of the change only
    let registration: Registration
    let element: any KVObservable
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of elements, observable or not.
    var count = 0
    var fresh: [Fresh] = []

    /// Counts another occurrence of an element that has a registration; false if it has none.
    mutating func countAgain(_ id: ObjectIdentifier) -> Bool {
      guard let entry = entries[id], !entry.registration.isEnded else { return false }
      entries[id]?.count += 1
      return true
    }

    /// Removes an occurrence of an element; returns its registration if that has to be cancelled.
    ///
    /// An element that was never added is not counted. The numbers then differ, and all elements are counted again.
    mutating func remove(_ id: ObjectIdentifier?) -> Registration? {
      guard let id else {
        count -= 1
        return nil
      }
      guard let entry = entries[id] else { return nil }
      count -= 1
      entries[id]?.count -= 1
      if entry.count > 1 { return nil }
      return entries.removeValue(forKey: id)?.registration
    }

    mutating func beginAnew() {
      count = 0
      for id in entries.keys { entries[id]?.count = 0 }
    }

    /// Removes and returns the registrations of elements that were not counted since the count began again.
    mutating func takeUncounted() -> [Registration] {
      let gone = entries.filter { $0.value.count == 0 }
      for id in gone.keys { entries[id] = nil }
      return gone.values.map(\.registration)
    }

    mutating func takeAll() -> [Registration] {
      defer { self = State() }
      return entries.values.map(\.registration)
    }
  }
}

extension Elements {
  /// Returns the elements of a collection in a record; none for nil.
  static func list(_ value: Any?) -> [Any] { value.flatMap { all(of: $0) }?.map { asAny($0) } ?? [] }
}
