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
  struct ChangedKey {
    let object: AnyObject
    let key: KVKey
    var isDependent = true
    /// Whether the notice of the key that is being set carries the old value, or the elements that go.
    var hasOldValue = false
    /// Whether elements come and go.
    var kind = KVChange.Kind.setting
  }

  /// What one observation is to hear.
  ///
  /// It counts no references: the lists that are visited keep the observations, the audiences the objects; the change
  /// itself keeps all others (`kept`).
  private struct PendingNotification {
    let observation: Unmanaged<Observation>
    let object: Unmanaged<AnyObject>
    let key: KVKey
    /// The component of the observation's path that changes.
    let depth: Int32
    /// Whether old and new are read here, rather than taken from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let omitsOldValue: Bool
    let wantsPrior: Bool
    var old: Any?
    var new: Any?

    var order: UInt32 { observation._withUnsafeGuaranteedRef { $0.order } }
  }

  /// Those who listen to a key as the change begins, and the visit to their list.
  private struct ObserverSnapshot {
    let registrar: ObserverRegistrar
    let object: AnyObject
    let key: KVKey
    let list: ListenerTable.List?

    /// Whether somebody has come or gone since: lists that are visited are not changed in place.
    var hasChanged: Bool { !registrar.isCurrent(list, of: key) }

    func forEach(_ body: (Listener) -> Void) { list?._withUnsafeGuaranteedRef { $0.forEach(body) } }

    func endIteration() { if let list { ListenerList.endIteration(list) } }

    func isFor(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool { self.registrar === registrar && self.key == key }
  }

  /// Of the key that is being set; nil where an object has died.
  private var source: ObserverSnapshot?
  /// Of the keys that depend on it, each once.
  private var dependents: ContiguousArray<ObserverSnapshot> = []
  /// Those of before, where others have come or gone since the change began.
  private var former: ContiguousArray<ObserverSnapshot> = []
  /// The observers of a path that an object has died on, and their roots.
  private var brokenPaths: ContiguousArray<(observer: any PathObserver, root: AnyObject)> = []
  /// Whether the old values cannot be read any more.
  private var isOldUnknown = false
  /// Whether all steps are there, and only links are looked for.
  private var isComplete = false
  private var notifications: ContiguousArray<PendingNotification> = []
  /// The observations, and their roots, that were reached by another way than a list that is visited.
  private var kept: ContiguousArray<AnyObject> = []
  private var links: ContiguousArray<(link: PathLink, object: AnyObject)> = []
  private var followers: ContiguousArray<(elements: ElementsObservation, isIncremental: Bool)> = []
  /// The observations of longer paths that are among the steps, where those are many.
  private var known: Set<UnsafeMutableRawPointer> = []
  private var hasPrior = false
  /// Whether the steps stand in the order of registration; dependents may bring some that came earlier (KVO.6).
  private var isOrdered = true

  /// Begins a change; the visit to the list that is told becomes its own.
  init(_ notice: borrowing KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar) {
    collect(notice, list, registrar)
    sortNotifications()
    guard hasPrior else { return }
    forEachNotification { if $0.pointee.wantsPrior { deliver($0, notice, .prior) } }
  }

  private init() {}

  deinit {
    source?.endIteration()
    for snapshot in dependents { snapshot.endIteration() }
    for snapshot in former { snapshot.endIteration() }
  }

  private func collect(
    _ notice: borrowing KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar
  ) {
    let changedKey = ChangedKey(
      object: notice.object, key: notice.key, isDependent: false,
      hasOldValue: notice.hasOldValue || notice.kind != .setting, kind: notice.kind)
    let snapshot = ObserverSnapshot(registrar: registrar, object: changedKey.object, key: notice.key, list: list)
    source = snapshot
    snapshot.forEach { $0.willChange(self, changedKey) }
  }

  private func sortNotifications() {
    if isOrdered { return }
    notifications.sort { RegistrationOrder.isEarlier($0.order, than: $1.order) }
  }

  // MARK: Before the change

  /// Adds an observation to those that hear of the change, and reads its old value if it wants one.
  func add(_ observation: Observation, _ changedKey: ChangedKey, depth: Int, isLeaf: Bool) {
    if isComplete || observation.chain != nil && isKnown(observation) { return }
    let isDirect = isLeaf && !changedKey.isDependent && changedKey.hasOldValue
    let isReportedAsSetting =
      isDirect && observation.kindsReportedAsSetting.contains(PartialKinds(changedKey.kind))
      && changedKey.kind != .setting
    let isRead = !isDirect || isReportedAsSetting
    let omitsOldValue = isReportedAsSetting && !observation.includesOldCollection
    let readsOld = isRead && !omitsOldValue && observation.wantsOld && !isOldUnknown
    let old = readsOld ? observation.value(of: changedKey.object, from: depth) : nil
    if observation.options.contains(.prior) { hasPrior = true }
    append(observation, changedKey, depth, isRead, omitsOldValue: omitsOldValue, old)
  }

  private func append(
    _ observation: Observation, _ changedKey: ChangedKey, _ depth: Int, _ isRead: Bool, omitsOldValue: Bool = false,
    _ old: Any?
  ) {
    if let last = notifications.last?.order, RegistrationOrder.isEarlier(observation.order, than: last) {
      isOrdered = false
    }
    notifications.append(
      PendingNotification(
        observation: .passUnretained(observation), object: .passUnretained(changedKey.object), key: changedKey.key,
        depth: Int32(depth), isRead: isRead, omitsOldValue: omitsOldValue,
        wantsPrior: observation.options.contains(.prior), old: old))
  }

  /// Whether an observation of a longer path is among the steps; it counts as one from then on.
  private func isKnown(_ observation: Observation) -> Bool {
    let identity = Unmanaged.passUnretained(observation).toOpaque()
    if notifications.count < 8 { return notifications.contains { $0.observation.toOpaque() == identity } }
    if known.isEmpty { known = Set(notifications.lazy.map { $0.observation.toOpaque() }) }
    return !known.insert(identity).inserted
  }

  /// Keeps an observation that is in no list of the change, and its root, until the change has been delivered.
  func keep(_ observation: Observation, _ root: AnyObject) {
    if isComplete { return }
    kept.append(observation)
    kept.append(root)
  }

  /// Adds a link whose rest of the path has to follow the change.
  func add(_ link: PathLink, _ changedKey: ChangedKey) { links.append((link, changedKey.object)) }

  /// Adds an observation of elements that has to follow the change, from its notice if that tells of the collection.
  func add(_ elements: ElementsObservation, _ changedKey: ChangedKey, isIncremental: Bool) {
    if isComplete || isKnown(elements) { return }
    followers.append((elements, isIncremental))
    append(elements, changedKey, 0, false, nil)
  }

  /// Adds all that listens to a key that depends on one that changes.
  func add(_ dependent: DependentKey) {
    let (key, registrar) = (dependent.key, dependent.registrar)
    guard let object = dependent.object, !dependents.contains(where: { $0.isFor(key, registrar) }) else { return }
    // Of objects that depend on each other the key that is being set may be one; it is among the steps already.
    if let source, source.isFor(key, registrar) { return }
    let snapshot = ObserverSnapshot(
      registrar: registrar, object: object, key: key, list: registrar.beginIteration(of: key))
    dependents.append(snapshot)
    let changedKey = ChangedKey(object: object, key: key)
    snapshot.forEach { $0.willChange(self, changedKey) }
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
      if let list = source.registrar.beginIteration(of: source.key) { collect(notice, list, source.registrar) }
    }
    followAndRead()
    for (elements, isIncremental) in followers {
      if isIncremental { elements.follow(notice) } else { elements.followAnew() }
    }
    forEachNotification { deliver($0, notice, .change) }
  }

  /// Tells the observers of paths that an object on their way has died: a change to nil, each once (LIF.3).
  static func notifyDeallocation(to observers: [any PathObserver]) {
    let change = PendingChange()
    change.isOldUnknown = true
    var known: Set<ObjectIdentifier> = []
    for observer in observers where known.insert(ObjectIdentifier(observer)).inserted {
      guard let chain = observer.chain, let root = chain.root else { continue }
      change.brokenPaths.append((observer, root))
      chain.restart(observer)
      observer.willChange(
        change, ChangedKey(object: root, key: .none), depth: 0, isLeaf: false)
    }
    change.sortNotifications()
    change.followAndRead()
    for (elements, _) in change.followers { elements.followAnew() }
    change.forEachNotification { change.deliver($0, .change) }
  }

  private func followAndRead() {
    for (link, object) in links { link.follow(object) }
    forEachNotification { notification in
      guard notification.pointee.isRead else { return }
      notification.pointee.observation._withUnsafeGuaranteedRef { observation in
        guard observation.wantsNew else { return }
        notification.pointee.new = notification.pointee.object._withUnsafeGuaranteedRef { object in
          observation.value(of: object, from: Int(notification.pointee.depth))
        }
      }
    }
  }

  /// Calls a function with each step, all of which are there; it may run anything of the user's.
  @inline(__always)
  private func forEachNotification(_ body: (UnsafeMutablePointer<PendingNotification>) -> Void) {
    var notifications: ContiguousArray<PendingNotification> = []
    swap(&notifications, &self.notifications)
    notifications.withUnsafeMutableBufferPointer { notifications in
      guard let first = notifications.baseAddress else { return }
      for index in 0..<notifications.count { body(first + index) }
    }
    swap(&notifications, &self.notifications)
  }

  private func deliver(
    _ notification: UnsafeMutablePointer<PendingNotification>, _ notice: borrowing KVChangeNotice, _ phase: Phase
  ) {
    notification.pointee.observation._withUnsafeGuaranteedRef { observation in
      guard notification.pointee.isRead else { return observation.receive(notice, phase) }
      // What the collection was is not known then, but what went and what came is.
      if notification.pointee.omitsOldValue, observation.options.contains(.distinct),
        Observation.isUnchanged(notice.kind, notice.oldValue, notice.newValue)
      {
        return
      }
      deliver(notification, phase)
    }
  }

  /// Delivers what was read before and after the change.
  private func deliver(_ notification: UnsafeMutablePointer<PendingNotification>, _ phase: Phase) {
    notification.pointee.observation._withUnsafeGuaranteedRef { observation in
      notification.pointee.object._withUnsafeGuaranteedRef { object in
        observation.receive(
          object, notification.pointee.key, old: notification.pointee.old,
          isOldKnown: !isOldUnknown && !notification.pointee.omitsOldValue,
          new: phase == .prior ? nil : notification.pointee.new, phase)
      }
    }
  }
}

/// Which record of a change is delivered.
enum Phase: UInt8 {
  case initial, prior, change
}
