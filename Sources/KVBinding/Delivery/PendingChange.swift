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
    var isPartial = false
  }

  /// What one observation is to hear.
  struct Step {
    let observation: Observation
    let origin: Origin
    /// The component of the observation's path that changes.
    let depth: Int
    /// Whether old and new are read here, rather than taken from the notice.
    let isRead: Bool
    var old: Any?
    var new: Any?
  }

  private let lists: ListenerList
  private let objectID: ObjectIdentifier
  private var steps: ContiguousArray<Step> = []
  private var links: ContiguousArray<(link: PathLink, object: AnyObject)> = []
  private var followers: ContiguousArray<(elements: ElementsObservation, isTold: Bool)> = []
  private var dependents: [DependentKey] = []
  /// The observations of longer paths that are among the steps, where those are many.
  private var known: Set<ObjectIdentifier> = []
  private var hasPrior = false
  /// Whether the steps stand in the order of registration; dependents may bring some that came earlier (KVO.6).
  private var isOrdered = true

  init(_ notice: borrowing KVChangeNotice, _ list: ListenerList) {
    lists = list
    objectID = ObjectIdentifier(notice.object)
    let origin = Origin(
      object: notice.object, key: notice.key, isDependent: false,
      carriesOld: notice.hasOldValue || notice.kind != .setting, isPartial: notice.kind != .setting)
    list.forEach { $0.prepare(self, origin) }
    if !isOrdered { steps.sort { $0.observation.order < $1.observation.order } }
    guard hasPrior else { return }
    for step in steps where step.observation.options.contains(.prior) { deliver(step, notice, .prior) }
  }

  // MARK: Before the change

  /// Adds an observation to those that hear of the change, and reads its old value if it wants one.
  func add(_ observation: Observation, _ origin: Origin, depth: Int, isLeaf: Bool) {
    if observation.chain != nil, isKnown(observation) { return }
    let isRead =
      !isLeaf || origin.isDependent || !origin.carriesOld || origin.isPartial && observation.wantsWhole
    let old = isRead && observation.wantsOld ? observation.value(of: origin.object, from: depth) : nil
    if observation.options.contains(.prior) { hasPrior = true }
    append(Step(observation: observation, origin: origin, depth: depth, isRead: isRead, old: old))
  }

  private func append(_ step: Step) {
    if let last = steps.last, last.observation.order > step.observation.order { isOrdered = false }
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
    if isKnown(elements) { return }
    followers.append((elements, isTold))
    append(Step(observation: elements, origin: origin, depth: 0, isRead: false, old: nil))
  }

  /// Adds all that listens to a key that depends on one that changes.
  func add(_ dependent: DependentKey) {
    guard let object = dependent.object, !dependents.contains(where: { $0 === dependent }) else { return }
    // Of objects that depend on each other the key that is being set may be one; it is among the steps already.
    if lists.key == dependent.key, objectID == ObjectIdentifier(object) { return }
    dependents.append(dependent)
    let origin = Origin(object: object, key: dependent.key)
    dependent.registrar.listeners(of: dependent.key)?.forEach { $0.prepare(self, origin) }
  }

  // MARK: After it

  /// Delivers what the change has become.
  func finish(_ notice: borrowing KVChangeNotice) {
    for (link, object) in links { link.follow(object) }
    for index in steps.indices where steps[index].isRead && steps[index].observation.wantsNew {
      let step = steps[index]
      steps[index].new = step.observation.value(of: step.origin.object, from: step.depth)
    }
    for (elements, isTold) in followers { if isTold { elements.follow(notice) } else { elements.followAnew() } }
    for step in steps { deliver(step, notice, .change) }
  }

  private func deliver(_ step: Step, _ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard step.isRead else { return step.observation.receive(notice, phase) }
    step.observation.receive(
      step.origin.object, step.origin.key, old: step.old, new: phase == .prior ? nil : step.new, phase)
  }
}

/// Which record of a change is delivered.
enum Phase: UInt8 {
  case initial, prior, change
}
