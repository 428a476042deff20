import KVCore

/// A change of a key with observers that need to run before the change, from its begin to its end.
///
/// Such observers want `prior` records or old values that the notice does not carry, or observe keys that depend on the
/// key, or paths on which the key is an intermediate component.
///
/// A pending change has four steps. Before the change, it reads all old values, and then delivers the `prior` records.
/// After the change, it resolves the affected paths again and reads all new values, and then delivers the records. No
/// handler therefore sees values of which only some are updated, and each observation is notified once (DEP.2). A
/// change by a handler is delivered completely before the delivery continues (KVO.8).
final class PendingChange {
  /// A key that changes: the key that is being set, or one that depends on it.
  struct ChangedKey {
    let object: AnyObject
    let key: KVKey
    var isDependent = true
    /// Whether the notice of the key that is being set carries the old value, or the removed elements.
    var hasOldValue = false
    /// The kind of the change.
    var kind = KVChange.Kind.setting
  }

  /// The notification of one observation.
  ///
  /// It counts no references. The lists of the snapshots retain the observations, and the snapshots the objects. The
  /// pending change retains all others (`kept`).
  private struct PendingNotification {
    let observation: Unmanaged<Observation>
    let object: Unmanaged<AnyObject>
    let key: KVKey
    /// The component of the observation's path that changes.
    let depth: Int32
    /// Whether the pending change reads the old and the new value, instead of taking them from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let omitsOldValue: Bool
    let wantsPrior: Bool
    var old: Any?
    var new: Any?

    var order: UInt32 { observation._withUnsafeGuaranteedRef { $0.order } }
  }

  /// The entries of a key as the change begins: an iteration over their list.
  private struct ObserverSnapshot {
    let registrar: ObserverRegistrar
    let object: AnyObject
    let key: KVKey
    let list: ListenerTable.List?

    /// Whether an entry was added or removed since then: a list does not change in place during an iteration.
    var hasChanged: Bool { !registrar.isCurrent(list, of: key) }

    func forEach(_ body: (Listener) -> Void) { list?._withUnsafeGuaranteedRef { $0.forEach(body) } }

    func endIteration() { if let list { ListenerList.endIteration(list) } }

    func isFor(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool { self.registrar === registrar && self.key == key }
  }

  /// The snapshot of the key that is being set; nil if the change is the deallocation of an object.
  private var source: ObserverSnapshot?
  /// The snapshots of the keys that depend on it, each once.
  private var dependents: ContiguousArray<ObserverSnapshot> = []
  /// The snapshots from the begin of the change, if entries were added or removed since then.
  private var former: ContiguousArray<ObserverSnapshot> = []
  /// The observers of paths with a deallocated object, and the roots of the paths.
  private var brokenPaths: ContiguousArray<(observer: any PathObserver, root: AnyObject)> = []
  /// Whether the old values can no longer be read.
  private var isOldUnknown = false
  /// Whether all notifications have been collected, so that only links are added.
  private var isComplete = false
  private var notifications: ContiguousArray<PendingNotification> = []
  /// The observations that are in no list of a snapshot, and their roots.
  private var kept: ContiguousArray<AnyObject> = []
  private var links: ContiguousArray<(link: PathLink, object: AnyObject)> = []
  private var followers: ContiguousArray<(elements: ElementsObservation, isIncremental: Bool)> = []
  /// The observations of longer paths among the notifications, if there are many notifications.
  private var known: Set<UnsafeMutableRawPointer> = []
  private var hasPrior = false
  /// Whether the notifications are in the order of registration (KVO.6).
  ///
  /// Observers of dependent keys can belong before others.
  private var isOrdered = true

  /// Begins a change, and takes over the iteration over the list.
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

  /// Adds the notification of an observation, and reads the old value if the observation wants it.
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

  /// Returns whether an observation of a longer path is among the notifications already, and records it.
  private func isKnown(_ observation: Observation) -> Bool {
    let identity = Unmanaged.passUnretained(observation).toOpaque()
    if notifications.count < 8 { return notifications.contains { $0.observation.toOpaque() == identity } }
    if known.isEmpty { known = Set(notifications.lazy.map { $0.observation.toOpaque() }) }
    return !known.insert(identity).inserted
  }

  /// Retains an observation that is in no list of the change, and its root, until the change has been delivered.
  func keep(_ observation: Observation, _ root: AnyObject) {
    if isComplete { return }
    kept.append(observation)
    kept.append(root)
  }

  /// Adds an intermediate link, behind which the path is resolved again after the change.
  func add(_ link: PathLink, _ changedKey: ChangedKey) { links.append((link, changedKey.object)) }

  /// Adds an observation of elements, which follows the change after it; by the notice, if that is of the collection.
  func add(_ elements: ElementsObservation, _ changedKey: ChangedKey, isIncremental: Bool) {
    if isComplete || isKnown(elements) { return }
    followers.append((elements, isIncremental))
    append(elements, changedKey, 0, false, nil)
  }

  /// Adds the entries of a dependent key.
  func add(_ dependent: DependentKey) {
    let (key, registrar) = (dependent.key, dependent.registrar)
    guard let object = dependent.object, !dependents.contains(where: { $0.isFor(key, registrar) }) else { return }
    // In a cycle of dependencies, this can be the key that is being set. Its entries have been added already.
    if let source, source.isFor(key, registrar) { return }
    let snapshot = ObserverSnapshot(
      registrar: registrar, object: object, key: key, list: registrar.beginIteration(of: key))
    dependents.append(snapshot)
    let changedKey = ChangedKey(object: object, key: key)
    snapshot.forEach { $0.willChange(self, changedKey) }
  }

  // MARK: After it

  /// Ends the change: follows it, reads the new values, and delivers the records.
  func finish(_ notice: borrowing KVChangeNotice) {
    // A `prior` handler, the body of a manual change or another thread may have registered paths through the old value
    // of the key.
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

  /// Notifies the observers of paths that an intermediate object was deallocated: one change to nil for each (LIF.3).
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

  /// Calls a function with each notification, after all have been collected; the function can run user code.
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
      // The old collection is not known then, but the removed and the inserted elements are.
      if notification.pointee.omitsOldValue, observation.options.contains(.distinct),
        Observation.isUnchanged(notice.kind, notice.oldValue, notice.newValue)
      {
        return
      }
      deliver(notification, phase)
    }
  }

  /// Delivers the values that were read before and after the change.
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

/// The phase of a change to which a record belongs.
enum Phase: UInt8 {
  case initial, prior, change
}
