import KVCore

/// Makes a ``ChangePlan``: each entry of the keys that change adds itself, and what it leads to.
///
/// It is a loop over the keys that depend on those, since a chain of keys can lead through any number of objects. A key,
/// and a registration of a longer path, is added once, so that diamonds and cycles need no special treatment.
final class PlanBuilder {
  /// A key that changes: one that is being set, or one that depends on it.
  struct ChangedKey {
    let object: AnyObject
    let key: InternedKey
    let isDependent: Bool
    /// The index of the object in the plan.
    fileprivate let objectIndex: Int
  }

  /// The number of earlier readings among which the same one is searched; those of a key are close together.
  private static let searched = 16
  /// The number of dependent keys from which on no list keeps a plan: in a chain of keys, each would keep all others.
  private static let maximumMembers = 512

  private var plan = ChangePlan.Parts()
  private var validity = PlanValidity()
  /// The object whose keys are being set, which the caller retains; nil if the change is a deallocation.
  private let object: _KVReference<AnyObject>?
  /// The keys that are being set.
  private var changing: [InternedKey] = []
  /// The deallocation that is the change; nil for any other change.
  let deallocation: Deallocation?
  /// The keys that have been added, each once.
  private var keys: Set<DependentKey.ID> = []
  /// The keys whose entries have not been added yet.
  private var waiting: ContiguousArray<(registrar: ObserverRegistrar, changedKey: ChangedKey)> = []
  /// The recorders of dependent keys, which are added when all keys have been.
  var recorders: ContiguousArray<(registration: Registration, changedKey: ChangedKey)> = []
  /// The registrations of longer paths, if there are many steps, or if a plan was taken.
  private var known: Set<ObjectIdentifier> = []
  /// The bindings of several sources of which one has been added.
  private var combinations: Set<ObjectIdentifier> = []
  private var isOrdered = true

  /// Begins the plan of a change of an object's keys, or of a deallocation.
  init(_ object: AnyObject?, deallocation: Deallocation? = nil) {
    self.object = object.map { _KVReference($0) }
    self.deallocation = deallocation
  }

  /// Returns the plan of a key whose entries a change iterates over, and lets the list keep it.
  static func plan(
    _ key: InternedKey, of object: AnyObject, _ list: ListenerTable.List, _ registrar: ObserverRegistrar
  ) -> ChangePlan {
    let plan = unkeptPlan(key, of: object, list, registrar)
    registrar.keep(plan, of: key, list)
    return plan
  }

  static func unkeptPlan(
    _ key: InternedKey, of object: AnyObject, _ list: ListenerTable.List, _ registrar: ObserverRegistrar
  ) -> ChangePlan {
    let builder = PlanBuilder(object)
    builder.validity = PlanValidity((WeakReference(registrar), key))
    builder.begin([key], registrar)
    let changedKey = builder.changedKey(key, of: object, isDependent: false)
    list.borrow { $0.forEach { $0.join(builder, changedKey) } }
    return builder.finishPlan()
  }

  /// Returns the plan of keys of the object that change together, which its registrar may keep.
  static func unkeptPlan(
    _ keys: [InternedKey], of object: AnyObject, _ registrar: ObserverRegistrar
  ) -> ChangePlan {
    let builder = PlanBuilder(object)
    builder.validity = PlanValidity((WeakReference(registrar), nil))
    return builder.plan(keys, of: object, registrar)
  }

  private func begin(_ changing: [InternedKey], _ registrar: ObserverRegistrar) {
    self.changing = changing
    for key in changing { keys.insert(DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key)) }
  }

  /// Returns the plan of keys of the object that change together.
  func plan(_ changing: [InternedKey], of object: AnyObject, _ registrar: ObserverRegistrar) -> ChangePlan {
    begin(changing, registrar)
    for key in changing { addEntries(registrar, changedKey(key, of: object, isDependent: false)) }
    return finishPlan()
  }

  /// Returns the plan of what has been added since the last one was taken, with what depends on it.
  func finishPlan() -> ChangePlan {
    joinDependents()
    if !isOrdered { plan.steps = ContiguousArray(plan.steps.ordered { $0.order }) }
    if plan.memberCount > Self.maximumMembers { plan.canBeCached = false }
    defer { (plan, validity, isOrdered) = (ChangePlan.Parts(), PlanValidity(), true) }
    return ChangePlan(plan, validity)
  }

  /// Returns a plan as ``finishPlan()`` does, and knows its registrations: they are in no further plan.
  func finishPart() -> ChangePlan {
    let plan = finishPlan()
    for step in plan.steps { known.insert(ObjectIdentifier(step.registration)) }
    return plan
  }

  func changedKey(_ key: InternedKey, of object: AnyObject, isDependent: Bool = true) -> ChangedKey {
    ChangedKey(object: object, key: key, isDependent: isDependent, objectIndex: objectIndex(of: object))
  }

  /// A manual change that is never ended must not retain its object (KVO.16), and one in its `deinit` cannot.
  private func objectIndex(of object: AnyObject) -> Int {
    if _KVReference(object).identity == self.object?.identity { return -1 }
    if let last = plan.objects.last, last.id == ObjectIdentifier(object) { return plan.objects.count - 1 }
    plan.objects.append(WeakReference(object))
    return plan.objects.count - 1
  }

  // MARK: What entries add

  /// Adds the notification of a registration.
  func add(_ registration: Registration, _ changedKey: ChangedKey, depth: Int, isLeaf: Bool) {
    if registration.chain != nil, isKnown(registration) { return }
    if registration.isOfBinding, isOfCombination(registration) { return }
    if registration.countsChanges { plan.counting.append(registration) }
    append(registration, changedKey, depth, isLeaf: isLeaf)
  }

  private func append(
    _ registration: Registration, _ changedKey: ChangedKey, _ depth: Int, isLeaf: Bool, isOfElements: Bool = false
  ) {
    // The object of a component may resolve the rest of the path, which is read as a whole.
    let isLast = depth == registration.path.count - 1
    // Observers of one key share one call of its getter (KVO.1).
    let first = max(0, plan.readings.count - Self.searched)
    var reading = plan.readings[first...].lastIndex {
      $0.isShared(by: registration, changedKey.objectIndex, depth, isLast: isLast) && $0.key == changedKey.key
    }
    if reading == nil {
      reading = plan.readings.count
      plan.readings.append(
        ChangePlan.Reading(
          object: changedKey.objectIndex, key: changedKey.key, reference: _KVReference(registration), depth: depth,
          isLast: isLast, isLimited: registration.path.isLimited))
    }
    if let last = plan.steps.last, RegistrationOrder.isEarlier(registration.order, than: last.order) {
      isOrdered = false
    }
    if registration.options.contains(.prior) { plan.hasPrior = true }
    if registration.isOfBinding { plan.hasBindings = true }
    plan.registrations.append(registration)
    plan.steps.append(
      ChangePlan.Step(
        reference: _KVReference(registration), reading: reading ?? 0, isLeaf: isLeaf,
        isOfChangedKey: !changedKey.isDependent,
        isOfElements: isOfElements))
  }

  /// Returns whether a registration of a longer path has been added already, and records it.
  private func isKnown(_ registration: Registration) -> Bool {
    if known.isEmpty {
      if plan.steps.count < 32 { return plan.steps.contains { $0.registration === registration } }
      known = Set(plan.steps.lazy.map { ObjectIdentifier($0.registration) })
    }
    return !known.insert(ObjectIdentifier(registration)).inserted
  }

  /// Returns whether another source of the binding has been added already: it combines its sources once (WAV.3).
  private func isOfCombination(_ registration: Registration) -> Bool {
    guard let binding = registration.kind.binding, !binding.others.isEmpty, !binding.target.isObserved(by: registration)
    else { return false }
    return !combinations.insert(ObjectIdentifier(binding)).inserted
  }

  /// Adds an intermediate link, behind which the path is resolved again after the change.
  func add(_ link: PathLink, _ changedKey: ChangedKey) { plan.links.append((link, changedKey.objectIndex)) }

  /// Adds a registration of elements, which follows the change after it; by the notice, if that is of the collection.
  func add(_ registration: Registration, _ tracker: ElementTracker, _ changedKey: ChangedKey, isIncremental: Bool) {
    if isKnown(registration) { return }
    plan.followings.append(
      ChangePlan.Following(
        registration: registration, tracker: tracker, key: changedKey.key, isIncremental: isIncremental))
    append(registration, changedKey, 0, isLeaf: false, isOfElements: true)
  }

  /// Adds a dependent key.
  ///
  /// A deallocation leaves out those of a change that is being made, which notifies their observers (LIF.3).
  func add(_ dependent: DependentKey) {
    if deallocation != nil, dependent.changes.isChanging { return }
    // Nothing else leads to an object in its `deinit`.
    let isOfObject = object.map { ObjectIdentifier($0.object) } == dependent.registrar.objectID
    guard let object = isOfObject ? object?.object : dependent.object else { return }
    if add(dependent.key, of: object, dependent.registrar) { plan.dependents.append(dependent) }
  }

  /// Adds a key that changes with others; false if it has been added already.
  @discardableResult
  func add(_ key: InternedKey, of object: AnyObject, _ registrar: ObserverRegistrar) -> Bool {
    guard keys.insert(DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key)).inserted else { return false }
    waiting.append((registrar, changedKey(key, of: object)))
    plan.memberCount += 1
    return true
  }

  /// Returns whether a recorder records a key that is being set.
  func recordsChangedKey(_ isRecorded: (ObjectIdentifier, InternedKey) -> Bool) -> Bool {
    guard let object else { return false }
    return changing.contains { isRecorded(ObjectIdentifier(object.object), $0) }
  }

  /// Returns whether a key has been added.
  func contains(_ id: DependentKey.ID) -> Bool { keys.contains(id) }

  /// Records that more than the entries of lists decides on the plan, so that each change makes its own.
  func preventCaching() { plan.canBeCached = false }

  // MARK: Dependent keys

  private func addEntries(_ registrar: ObserverRegistrar, _ changedKey: ChangedKey) {
    registrar.forEachEntry(of: changedKey.key, joining: validity) { $0.join(self, changedKey) }
  }

  /// Adds the entries of the dependent keys, and of the keys that depend on those.
  func joinDependents() {
    while let next = waiting.popLast() { addEntries(next.registrar, next.changedKey) }
    if !recorders.isEmpty { joinRecorders() }
  }

  // MARK: Deallocations

  /// Lets nothing be read for what has been added so far, and resolves no path behind its keys.
  func markUnreadable() {
    for index in plan.steps.indices { plan.steps[index].isUnreadable = true }
    for (link, _) in plan.links { _ = link.registration.chain?.detach(after: link) }
    plan.links = []
  }

  /// The number of registrations of elements that have been added.
  var followingCount: Int { plan.followings.count }
}
