import KVCore

/// The registrations of the elements of a collection, which follows insertions and removals (KVO.17, KVO.18).
///
/// It follows a change before the records are delivered, as paths do, and while it is paused, too (LIF.4). The initial
/// records of inserted elements are delivered in the order of registration. An element that occurs twice in the
/// collection has one registration.
final class ElementTracker: @unchecked Sendable {  // guard: `state` is locked
  /// The elements that are observed.
  enum Part {
    case all, first, last
  }

  let elementPath: KVKeyPath
  private let state = Locked(State())
  private let part: Part
  /// Whether an element that does not have the key is no fault, and is not observed.
  private let toleratesMissingKeys: Bool
  /// Creates the registration of a path from an element; nil if the owner has been deallocated.
  private let make: (KVKeyPath) -> Registration?
  /// Whether the elements are the operands of an operator: their registrations are part of that of its path.
  let isPartOfPath: Bool
  private let pathRegistration: WeakReference<Registration>?
  /// Whether the path with the operator goes on at each element of a collection.
  let isOfPathThroughElements: Bool

  init(_ elementPath: KVKeyPath, _ make: @escaping () -> Registration?) {
    self.elementPath = elementPath
    self.make = { _ in make() }
    part = .all
    toleratesMissingKeys = false
    isPartOfPath = false
    pathRegistration = nil
    isOfPathThroughElements = false
  }

  /// Creates the registrations of what an operator reads of elements.
  init(operands path: KVKeyPath, _ part: Part, of registration: Registration) {
    elementPath = path
    self.part = part
    toleratesMissingKeys = registration.kind.toleratesMissingKeys
    isPartOfPath = true
    isOfPathThroughElements = registration.kind.readsElements
    let reference = WeakReference(registration)
    pathRegistration = reference
    make = { [site = registration.site] path in
      reference.object.map { Registration(path, [], site, owner: $0, .operand) }
    }
  }

  /// Begins to observe a collection and its present elements.
  ///
  /// - Throws: ``KVError`` if the collection or an element cannot be observed. Nothing is observed then.
  func begin(_ collection: Registration, at root: any KVObservable, _ build: DependentBuild? = nil) throws(KVError) {
    do throws(KVError) {
      if isPartOfPath { try collection.attach(to: root, build) } else { try collection.begin(at: root) }
      let value = collection.value(of: root, from: 0)
      if let value, try DynamicCollection.all(of: value) == nil {
        throw KVError(
          .notObservable,
          "\"\(shortened(collection.path.description))\" has no elements: it holds \(withArticle(type(of: value))).",
          component: collection.path.last.description)
      }
      for element in observed(elements(of: value)) { try add(element, collection, build) }
    } catch {
      collection.cancel()
      throw error
    }
    deliverInitial(collection)
  }

  /// Pauses the registrations of the elements together with that of the collection.
  func setPaused(_ isPaused: Bool, _ setCollectionPaused: () -> Void) {
    state.withLock { state in
      setCollectionPaused()
      for registration in state.registrations { registration.setPaused(isPaused) }
    }
  }

  /// Limits how often the changes of each element are delivered.
  func setLimit(_ limit: ObservationLimit) {
    let registrations = state.withLock { state in
      state.limit = limit
      return state.registrations
    }
    for registration in registrations { registration.setLimit(limit.separate()) }
  }

  func cancelAll() { for registration in state.withLock({ $0.takeAll() }) { registration.cancel() } }

  // MARK: Following

  /// Follows a change of the collection by its notice.
  func follow(_ notice: borrowing _KVChangeNotice, _ collection: Registration) {
    guard notice.kind != .setting, part == .all, !state.withLock({ $0.beginChange() }) else {
      return reload(collection)
    }
    for element in DynamicCollection.list(notice.oldValue) { remove(element) }
    for element in DynamicCollection.list(notice.newValue) { addReporting(element, collection) }
    // A manual change need not name all elements that change.
    let current = collection.chain?.root.flatMap { collection.value(of: $0, from: 0) }
    if DynamicCollection.count(of: current) != state.withLock({ $0.elements.count }) { reload(collection) }
  }

  /// The number of changes that were followed.
  var changes: Int { state.withLock { $0.changes } }

  /// Follows a change by the present elements of the collection.
  func reload(_ collection: Registration) { reload(collection, presentElements(of: collection)) }

  /// Returns the present elements of the collection, without those that need not be observed by their type.
  func presentElements(of collection: Registration) -> [Any] {
    elements(of: collection.chain?.root.flatMap { collection.value(of: $0, from: 0) })
  }

  private func elements(of value: Any?) -> [Any] {
    if isPartOfPath, let value, !DynamicCollection.mayContainObjects(value) { return [] }
    return DynamicCollection.list(value)
  }

  /// Follows a change by elements that ``presentElements(of:)`` has returned since.
  func reload(_ collection: Registration, _ elements: [Any]) {
    state.withLock { $0.restart() }
    for element in observed(elements) { addReporting(element, collection) }
    for uncounted in state.withLock({ $0.elements.removeUncounted() }) { uncounted?.cancel() }
  }

  /// Returns the elements to observe.
  private func observed(_ elements: [Any]) -> [Any] {
    switch part {
    case .all: elements
    case .first: Array(elements.prefix(1))
    case .last: Array(elements.suffix(1))
    }
  }

  /// Delivers the initial records of new registrations.
  func deliverInitial(_ collection: Registration) {
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
      if let pathRegistration = pathRegistration?.object { return pathRegistration.reportFaultyOperand(error) }
      KVDiagnostics.report(.error, .faultyPath, collection.path, collection.chain?.root, collection.site) {
        "observing \"\(self.elementPath)\" of each of \"\(collection.path)\": \(error)"
      }
    }
  }

  private func add(_ element: Any, _ collection: Registration, _ build: DependentBuild? = nil) throws(KVError) {
    state.withLock { $0.elements.countOne() }
    guard let element = unwrappingOptionals(element) else { return }
    if let object = objectCast(element, to: (any KVObservable).self) { return try observe(object, collection, build) }
    if isPartOfPath { return try observe(through: element, at: 0, collection, build) }
    throw KVError(
      .notObservable,
      """
      an element of "\(shortened(collection.path.description))" is \(withArticle(type(of: element))), which does not notify of changes. Elements must be \
      objects of a KVObject subclass, or conform to KVObservable; replace the value in its collection to notify.
      """, component: "\(elementPath)")
  }

  /// Observes the objects to which the path leads from an element that cannot be observed itself.
  ///
  /// Such an element is a value, which changes only with its collection.
  private func observe(
    through element: Any, at depth: Int, nesting: Int = 0, _ collection: Registration, _ build: DependentBuild?
  ) throws(KVError) {
    try DynamicCollection.checkNesting(nesting, at: "\(collection.path)")
    let components = elementPath.components
    state.withLock { $0.hasIndirect = true }
    var depth = depth
    var members: [Any] = []
    if DynamicCollection.canBeMapped(element) {
      if components[depth].isOperator { depth += 1 }
      members = DynamicCollection.list(element)
    } else if !components[depth].isOperator, depth + 1 < components.count {
      // An error is one of the path's value, too.
      let value = try? KVC.value(of: element, forKeyPath: elementPath.part([components[depth]]))
      members = (value ?? nil).map { [$0] } ?? []
      depth += 1
    }
    guard depth < components.count else { return }
    for member in members {
      guard let member = unwrappingOptionals(member) else { continue }
      if let object = objectCast(member, to: (any KVObservable).self) {
        try observe(object, at: depth, collection, build)
      } else {
        try observe(through: member, at: depth, nesting: nesting + 1, collection, build)
      }
    }
  }

  private func observe(
    _ object: any KVObservable, at depth: Int = 0, _ collection: Registration, _ build: DependentBuild?
  ) throws(KVError) {
    let id = ElementID(object: ObjectIdentifier(object), depth: depth)
    if collection.isEnded || state.withLock({ $0.countAgain(id) }) { return }
    let path = depth == 0 ? elementPath : try elementPath.part(Array(elementPath.components[depth...]))
    guard let registration = make(path) else { return }
    let isNew = state.withLock { state in
      if state.countAgain(id) { return false }
      // A record before the initial record would be too early.
      registration.setPaused(collection.isPaused || registration.wantsInitial)
      state.elements.keep(registration, of: id)
      // Within the lock, since another thread may set another limit: of all entries, and so of this one.
      if let limit = state.limit { registration.setLimit(limit.separate()) }
      return true
    }
    if isNew { try begin(registration, object, id, collection, build) }
  }

  /// Attaches a registration that has its entry already: attaching reads values, which can run any code.
  private func begin(
    _ registration: Registration, _ object: any KVObservable, _ id: ElementID, _ collection: Registration,
    _ build: DependentBuild?
  ) throws(KVError) {
    do throws(KVError) { try registration.attach(to: object, build) } catch {
      // An operand that cannot notify is part of a value that can.
      let isUnobserved =
        isPartOfPath && (error.code == .notObservable || toleratesMissingKeys && error.code == .undefinedKey)
      state.withLock { state in
        guard let kept = state.elements[id], kept === registration else { return }
        if isUnobserved { state.elements.replace(id, by: nil) } else { state.elements.forget(id) }
      }
      registration.cancel()
      if isUnobserved { return }
      throw error
    }
    let fresh = Fresh(registration: registration, element: object)
    if registration.wantsInitial { state.withLock { if !collection.isPaused { $0.fresh.append(fresh) } } }
    if collection.isEnded { registration.cancel() }
  }

  private func remove(_ element: Any) {
    let object = objectCast(element, to: (any KVObservable).self)
    let id = object.map { ElementID(object: ObjectIdentifier($0), depth: 0) }
    (state.withLock { $0.elements.remove(id) } ?? nil)?.cancel()
  }
}
