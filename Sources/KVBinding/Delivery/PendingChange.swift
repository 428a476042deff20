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
  struct Step {
    let observation: Observation
    let origin: Origin
    /// The component of the observation's path that changes.
    let depth: Int
    /// Whether old and new are read here, rather than taken from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let leavesOldOut: Bool
    var old: Any?
    var new: Any?
  }

  /// Those who listen to a key as the change begins.
  private struct Audience {
    let registrar: ObserverRegistrar
    let key: KVKey
    let list: ListenerList?

    /// Whether somebody has come or gone since: lists that are held are not changed in place.
    var hasChanged: Bool { registrar.listeners(of: key) !== list }

    func isOf(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool { self.registrar === registrar && self.key == key }
  }

  /// Of the key that is being set; nil where an object has died.
  private var source: Audience?
  /// Of the keys that depend on it, each once.
  private var dependents: ContiguousArray<Audience> = []
  /// Whether the old values cannot be read any more.
  private var isOldUnknown = false
  /// Whether all steps are there, and only links are looked for.
  private var isComplete = false
  private var steps: ContiguousArray<Step> = []
  private var links: ContiguousArray<(link: PathLink, object: AnyObject)> = []
  private var followers: ContiguousArray<(elements: ElementsObservation, isTold: Bool)> = []
  /// The observations of longer paths that are among the steps, where those are many.
  private var known: Set<ObjectIdentifier> = []
  private var hasPrior = false
  /// Whether the steps stand in the order of registration; dependents may bring some that came earlier (KVO.6).
  private var isOrdered = true

  init(_ notice: borrowing KVChangeNotice, _ list: ListenerList, _ registrar: ObserverRegistrar) {
    collect(notice, list, registrar)
    sortSteps()
    guard hasPrior else { return }
    for step in steps where step.observation.options.contains(.prior) { deliver(step, notice, .prior) }
  }

  private init() {}

  private func collect(_ notice: borrowing KVChangeNotice, _ list: ListenerList, _ registrar: ObserverRegistrar) {
    let origin = Origin(
      object: notice.object, key: notice.key, isDependent: false,
      carriesOld: notice.hasOldValue || notice.kind != .setting, kind: notice.kind)
    source = Audience(registrar: registrar, key: notice.key, list: list)
    dependents = []
    list.forEach { $0.prepare(self, origin) }
  }

  private func sortSteps() {
    if isOrdered { return }
    steps.sort { RegistrationOrder.isEarlier($0.observation.order, than: $1.observation.order) }
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
    append(
      Step(
        observation: observation, origin: origin, depth: depth, isRead: isRead, leavesOldOut: leavesOldOut, old: old))
  }

  private func append(_ step: Step) {
    if let last = steps.last, RegistrationOrder.isEarlier(step.observation.order, than: last.observation.order) {
      isOrdered = false
    }
    steps.append(step)
  }

  /// Whether an observation of a longer path is among the steps; it counts as one from then on.
  private func isKnown(_ observation: Observation) -> Bool {
    if steps.count < 8 { return steps.contains { $0.observation === observation } }
    if known.isEmpty { known = Set(steps.lazy.map { ObjectIdentifier($0.observation) }) }
    return !known.insert(ObjectIdentifier(observation)).inserted
  }

  /// Adds a link whose rest of the path has to follow the change.
  func add(_ link: PathLink, _ origin: Origin) { links.append((link, origin.object)) }

  /// Adds an observation of elements that has to follow the change, from its notice if that tells of the collection.
  func add(_ elements: ElementsObservation, _ origin: Origin, isTold: Bool) {
    if isComplete || isKnown(elements) { return }
    followers.append((elements, isTold))
    append(Step(observation: elements, origin: origin, depth: 0, isRead: false, leavesOldOut: false))
  }

  /// Adds all that listens to a key that depends on one that changes.
  func add(_ dependent: DependentKey) {
    let (key, registrar) = (dependent.key, dependent.registrar)
    guard let object = dependent.object, !dependents.contains(where: { $0.isOf(key, registrar) }) else { return }
    // Of objects that depend on each other the key that is being set may be one; it is among the steps already.
    if let source, source.isOf(key, registrar) { return }
    let audience = Audience(registrar: registrar, key: key, list: registrar.listeners(of: key))
    dependents.append(audience)
    let origin = Origin(object: object, key: key)
    audience.list?.forEach { $0.prepare(self, origin) }
  }

  // MARK: After it

  /// Delivers what the change has become.
  func finish(_ notice: borrowing KVChangeNotice) {
    // A `prior` handler, the body of a change by hand or another thread may have registered paths that lead through what
    // the key held before.
    if let source, source.hasChanged || dependents.contains(where: { $0.hasChanged }) {
      isComplete = true
      if let list = source.registrar.listeners(of: source.key) { collect(notice, list, source.registrar) }
    }
    followAndRead()
    for (elements, isTold) in followers { if isTold { elements.follow(notice) } else { elements.followAnew() } }
    for step in steps { deliver(step, notice, .change) }
  }

  /// Tells the observers of paths that an object on their way has died: a change to nil, each once (LIF.3).
  static func tellDeath(to observers: [any PathObserver]) {
    let change = PendingChange()
    change.isOldUnknown = true
    var known: Set<ObjectIdentifier> = []
    for observer in observers where known.insert(ObjectIdentifier(observer)).inserted {
      guard let chain = observer.chain, let root = chain.root else { continue }
      chain.restart(observer)
      observer.prepare(
        change, Origin(object: root, key: .none), depth: 0, isLeaf: false)
    }
    change.sortSteps()
    change.followAndRead()
    for (elements, _) in change.followers { elements.followAnew() }
    for step in change.steps { change.deliver(step, .change) }
  }

  private func followAndRead() {
    for (link, object) in links { link.follow(object) }
    for index in steps.indices where steps[index].isRead && steps[index].observation.wantsNew {
      let step = steps[index]
      steps[index].new = step.observation.value(of: step.origin.object, from: step.depth)
    }
  }

  private func deliver(_ step: Step, _ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard step.isRead else { return step.observation.receive(notice, phase) }
    // What the collection was is not known then, but what went and what came is.
    if step.leavesOldOut, step.observation.options.contains(.distinct),
      Observation.leavesEqual(notice.kind, notice.oldValue, notice.newValue)
    {
      return
    }
    deliver(step, phase)
  }

  /// Delivers what was read before and after the change.
  private func deliver(_ step: Step, _ phase: Phase) {
    step.observation.receive(
      step.origin.object, step.origin.key, old: step.old,
      isOldKnown: !isOldUnknown && !step.leavesOldOut,
      new: phase == .prior ? nil : step.new, phase)
  }
}

/// Which record of a change is delivered.
enum Phase: UInt8 {
  case initial, prior, change
}
