import KVCore

/// A change between its beginning and its end, where somebody has to be asked before: for an old value that no notice
/// carries, for a `prior` record, for keys that depend on the one that changes.
///
/// It is done in four steps: before the change all old values are read, then `prior` records are delivered; after it all
/// new values are read and paths follow the objects, and only then the records are delivered. So no handler sees a value
/// that is half updated, each observation hears of one change once (DEP.2), and what a handler changes is told completely
/// before the delivery goes on (KVO.8).
final class PendingChange {
  /// A key that changes: the one that is being set, or one that depends on it.
  struct Origin {
    let object: AnyObject
    let key: KVKey
    var isDependent = true
    /// Whether the notice of the key that is being set carries the old value, or the elements that go.
    var carriesOld = false
    /// Whether elements come and go.
    var kind = KVChange.Kind.setting
  }

  /// What one observation is to hear.
  ///
  /// It counts no references: the lists that are visited keep the observations, the audiences the objects; the change
  /// itself keeps all others (`kept`).
  private struct Step {
    let observation: Unmanaged<Observation>
    let object: Unmanaged<AnyObject>
    let key: KVKey
    /// The component of the observation's path that changes.
    let depth: Int32
    /// Whether old and new are read here, rather than taken from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let leavesOldOut: Bool
    let wantsPrior: Bool
    var old: Any?
    var new: Any?

    var order: UInt32 { observation._withUnsafeGuaranteedRef { $0.order } }
  }

  /// Those who listen to a key as the change begins, and the visit to their list.
  private struct Audience {
    let registrar: ObserverRegistrar
    let object: AnyObject
    let key: KVKey
    let list: ListenerTable.List?

    /// Whether somebody has come or gone since: lists that are visited are not changed in place.
    var hasChanged: Bool { !registrar.isCurrent(list, of: key) }

    func forEach(_ body: (Listener) -> Void) { list?._withUnsafeGuaranteedRef { $0.forEach(body) } }

    func leave() { if let list { ListenerList.leave(list) } }

    func isOf(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool { self.registrar === registrar && self.key == key }
  }

  /// Of the key that is being set; nil where an object has died.
  private var source: Audience?
  /// Of the keys that depend on it, each once.
  private var dependents: ContiguousArray<Audience> = []
  /// Those of before, where others have come or gone since the change began.
  private var former: ContiguousArray<Audience> = []
  /// The observers of a path that an object has died on, and their roots.
  private var mourners: ContiguousArray<(observer: any PathObserver, root: AnyObject)> = []
  /// Whether the old values cannot be read any more.
  private var isOldUnknown = false
  /// Whether all steps are there, and only links are looked for.
  private var isComplete = false
  private var steps: ContiguousArray<Step> = []
  /// The observations, and their roots, that were reached by another way than a list that is visited.
  private var kept: ContiguousArray<AnyObject> = []
  private var links: ContiguousArray<(link: PathLink, object: AnyObject)> = []
  private var followers: ContiguousArray<(elements: ElementsObservation, isTold: Bool)> = []
  /// The observations of longer paths that are among the steps, where those are many.
  private var known: Set<UnsafeMutableRawPointer> = []
  private var hasPrior = false
  /// Whether the steps stand in the order of registration; dependents may bring some that came earlier (KVO.6).
  private var isOrdered = true

  /// Begins a change; the visit to the list that is told becomes its own.
  init(_ notice: borrowing KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar) {
    collect(notice, list, registrar)
    sortSteps()
    guard hasPrior else { return }
    forEachStep { if $0.pointee.wantsPrior { deliver($0, notice, .prior) } }
  }

  private init() {}

  deinit {
    source?.leave()
    for audience in dependents { audience.leave() }
    for audience in former { audience.leave() }
  }

  private func collect(
    _ notice: borrowing KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar
  ) {
    let origin = Origin(
      object: notice.object, key: notice.key, isDependent: false,
      carriesOld: notice.hasOldValue || notice.kind != .setting, kind: notice.kind)
    let audience = Audience(registrar: registrar, object: origin.object, key: notice.key, list: list)
    source = audience
    audience.forEach { $0.prepare(self, origin) }
  }

  private func sortSteps() {
    if isOrdered { return }
    steps.sort { RegistrationOrder.isEarlier($0.order, than: $1.order) }
  }

  // MARK: Before the change

  /// Adds an observation to those that hear of the change, and reads its old value if it wants one.
  func add(_ observation: Observation, _ origin: Origin, depth: Int, isLeaf: Bool) {
    if isComplete || observation.chain != nil && isKnown(observation) { return }
    let isToldOf = isLeaf && !origin.isDependent && origin.carriesOld
    let isWhole = isToldOf && observation.wholeKinds.contains(PartialKinds(origin.kind)) && origin.kind != .setting
    let isRead = !isToldOf || isWhole
    let leavesOldOut = isWhole && !observation.wantsOldOfWhole
    let readsOld = isRead && !leavesOldOut && observation.wantsOld && !isOldUnknown
    let old = readsOld ? observation.value(of: origin.object, from: depth) : nil
    if observation.options.contains(.prior) { hasPrior = true }
    append(observation, origin, depth, isRead, leavesOldOut: leavesOldOut, old)
  }

  private func append(
    _ observation: Observation, _ origin: Origin, _ depth: Int, _ isRead: Bool, leavesOldOut: Bool = false, _ old: Any?
  ) {
    if let last = steps.last?.order, RegistrationOrder.isEarlier(observation.order, than: last) { isOrdered = false }
    steps.append(
      Step(
        observation: .passUnretained(observation), object: .passUnretained(origin.object), key: origin.key,
        depth: Int32(depth), isRead: isRead, leavesOldOut: leavesOldOut,
        wantsPrior: observation.options.contains(.prior), old: old))
  }

  /// Whether an observation of a longer path is among the steps; it counts as one from then on.
  private func isKnown(_ observation: Observation) -> Bool {
    let identity = Unmanaged.passUnretained(observation).toOpaque()
    if steps.count < 8 { return steps.contains { $0.observation.toOpaque() == identity } }
    if known.isEmpty { known = Set(steps.lazy.map { $0.observation.toOpaque() }) }
    return !known.insert(identity).inserted
  }

  /// Keeps an observation that is in no list of the change, and its root, until the change has been delivered.
  func keep(_ observation: Observation, _ root: AnyObject) {
    if isComplete { return }
    kept.append(observation)
    kept.append(root)
  }

  /// Adds a link whose rest of the path has to follow the change.
  func add(_ link: PathLink, _ origin: Origin) { links.append((link, origin.object)) }

  /// Adds an observation of elements that has to follow the change, from its notice if that tells of the collection.
  func add(_ elements: ElementsObservation, _ origin: Origin, isTold: Bool) {
    if isComplete || isKnown(elements) { return }
    followers.append((elements, isTold))
    append(elements, origin, 0, false, nil)
  }

  /// Adds all that listens to a key that depends on one that changes.
  func add(_ dependent: DependentKey) {
    let (key, registrar) = (dependent.key, dependent.registrar)
    guard let object = dependent.object, !dependents.contains(where: { $0.isOf(key, registrar) }) else { return }
    // Of objects that depend on each other the key that is being set may be one; it is among the steps already.
    if let source, source.isOf(key, registrar) { return }
    let audience = Audience(registrar: registrar, object: object, key: key, list: registrar.visit(key))
    dependents.append(audience)
    let origin = Origin(object: object, key: key)
    audience.forEach { $0.prepare(self, origin) }
  }

  // MARK: After it

  /// Delivers what the change has become.
  func finish(_ notice: borrowing KVChangeNotice) {
    // A `prior` handler, the body of a change by hand or another thread may have registered paths that lead through what
    // the key held before.
    if let source, source.hasChanged || dependents.contains(where: { $0.hasChanged }) {
      isComplete = true
      former = [source]
      former += dependents
      dependents = []
      self.source = nil
      if let list = source.registrar.visit(source.key) { collect(notice, list, source.registrar) }
    }
    followAndRead()
    for (elements, isTold) in followers { if isTold { elements.follow(notice) } else { elements.followAnew() } }
    forEachStep { deliver($0, notice, .change) }
  }

  /// Tells the observers of paths that an object on their way has died: a change to nil, each once (LIF.3).
  static func tellDeath(to observers: [any PathObserver]) {
    let change = PendingChange()
    change.isOldUnknown = true
    var known: Set<ObjectIdentifier> = []
    for observer in observers where known.insert(ObjectIdentifier(observer)).inserted {
      guard let chain = observer.chain, let root = chain.root else { continue }
      change.mourners.append((observer, root))
      chain.restart(observer)
      observer.prepare(
        change, Origin(object: root, key: .none), depth: 0, isLeaf: false)
    }
    change.sortSteps()
    change.followAndRead()
    for (elements, _) in change.followers { elements.followAnew() }
    change.forEachStep { change.deliver($0, .change) }
  }

  private func followAndRead() {
    for (link, object) in links { link.follow(object) }
    forEachStep { step in
      guard step.pointee.isRead else { return }
      step.pointee.observation._withUnsafeGuaranteedRef { observation in
        guard observation.wantsNew else { return }
        step.pointee.new = step.pointee.object._withUnsafeGuaranteedRef { object in
          observation.value(of: object, from: Int(step.pointee.depth))
        }
      }
    }
  }

  /// Calls a function with each step, all of which are there; it may run anything of the user's.
  @inline(__always)
  private func forEachStep(_ body: (UnsafeMutablePointer<Step>) -> Void) {
    var steps: ContiguousArray<Step> = []
    swap(&steps, &self.steps)
    steps.withUnsafeMutableBufferPointer { steps in
      guard let first = steps.baseAddress else { return }
      for index in 0..<steps.count { body(first + index) }
    }
    swap(&steps, &self.steps)
  }

  private func deliver(_ step: UnsafeMutablePointer<Step>, _ notice: borrowing KVChangeNotice, _ phase: Phase) {
    step.pointee.observation._withUnsafeGuaranteedRef { observation in
      guard step.pointee.isRead else { return observation.receive(notice, phase) }
      // What the collection was is not known then, but what went and what came is.
      if step.pointee.leavesOldOut, observation.options.contains(.distinct),
        Observation.leavesEqual(notice.kind, notice.oldValue, notice.newValue)
      {
        return
      }
      deliver(step, phase)
    }
  }

  /// Delivers what was read before and after the change.
  private func deliver(_ step: UnsafeMutablePointer<Step>, _ phase: Phase) {
    step.pointee.observation._withUnsafeGuaranteedRef { observation in
      step.pointee.object._withUnsafeGuaranteedRef { object in
        observation.receive(
          object, step.pointee.key, old: step.pointee.old, isOldKnown: !isOldUnknown && !step.pointee.leavesOldOut,
          new: phase == .prior ? nil : step.pointee.new, phase)
      }
    }
  }
}

/// Which record of a change is delivered.
enum Phase: UInt8 {
  case initial, prior, change
}
