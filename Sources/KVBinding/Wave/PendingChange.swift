import KVCore

/// A change of a key with observers that need to run before the change, from its begin to its end.
///
/// Such observers want `prior` records, or changes of elements as settings of the whole value, or observe keys that
/// depend on the key, or paths on which the key is an intermediate component.
///
/// A pending change has four steps. Before the change, it reads all old values, and then delivers the `prior` records.
/// After the change, it resolves the affected paths again and reads all new values, and then delivers the records. No
/// handler therefore sees values of which only some are updated, and each registration is notified once (DEP.2). A
/// change by a handler is delivered completely before the delivery continues (KVO.8).
final class PendingChange {
  /// A key that changes: the key that is being set, or one that depends on it.
  struct ChangedKey {
    let object: AnyObject
    let key: KVKey
    var isDependent = true
    /// Whether the notice of the key that is being set carries the old value, or the removed elements.
    var hasOldValue = false
    /// Whether it is set to a value that the notice carries after the change.
    var hasNewValue = false
    /// The kind of the change.
    var kind = KVChange.Kind.setting
  }

  /// The snapshot of the key that is being set; nil if the change is the deallocation of an object, or an update.
  private(set) var source: ObserverSnapshot?
  /// The keys that change together; nil if one key is being set.
  var update: UpdateKeys?
  /// The snapshots of the keys that depend on it, each once.
  var dependents = DependentSnapshots()
  /// The snapshots of dependent keys whose entries have not joined the change yet, and the objects of the keys.
  private var waiting: ContiguousArray<(snapshot: ObserverSnapshot, object: AnyObject)> = []
  /// The recorders of dependent keys, which join when all keys have.
  var recorders: ContiguousArray<(registration: Registration, changedKey: ChangedKey)> = []
  /// The snapshots from the begin of the change, if entries were added or removed since then.
  var former: ContiguousArray<ObserverSnapshot> = []
  /// What the change is of if it is the deallocation of an object, so that no old values can be read; else nil.
  var deallocation: Deallocation?
  var isOldUnknown: Bool { deallocation != nil }
  /// Whether all notifications have been collected, so that only links are added.
  var isComplete = false
  var notifications: ContiguousArray<PendingNotification> = []
  /// The registrations that are in no list of a snapshot, and their roots.
  private var kept: ContiguousArray<AnyObject> = []
  private var links = OneOrMore<(link: PathLink, object: _KVReference<AnyObject>)>()
  /// The registrations that count their changes.
  private var counting: ContiguousArray<Registration> = []
  /// Whether the affected paths have been resolved again.
  private var isFollowed = false
  private(set) var followers: ContiguousArray<Follower> = []
  /// The registrations of longer paths among the notifications, if there are many notifications.
  private var known: Set<UInt> = []
  private(set) var hasPrior = false
  /// Whether the change is among those that enclose changes by a setter; see ``enclose()``.
  var isEnclosing = false
  /// The registrations among the notifications, while changes are enclosed: whether they observe the key directly, and
  /// whether an enclosed change would have notified them.
  var enclosed: [UInt: (isDirect: Bool, isNeeded: Bool)] = [:]
  /// Whether the change is a level of ``NestedDeliveries``, which ends with it.
  var isNested = false
  /// Counts the change while somebody wants to know when outermost changes end; nil for a manual change.
  var boundary: ChangeBoundary?
  /// Whether the notifications are in the order of registration (KVO.6).
  ///
  /// Observers of dependent keys can belong before others.
  private var isOrdered = true

  /// Begins a change, and takes over the iteration over the list.
  init(_ notice: borrowing _KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar) {
    collect(notice, list, registrar)
    if hasDependents { removeEnclosed() }
    sortNotifications()
    guard hasPrior else { return }
    let prior = notice.copy(for: .prior)
    forEachNotification { if $0.pointee.wantsPrior { deliver($0, prior) } }
  }

  var hasDependents: Bool { !dependents.all.isEmpty }

  /// Begins a change without a key.
  init() {}

  deinit {
    if isEnclosing { stopEnclosing() }
    if !isFollowed { endCounting() }
    if isNested { NestedDeliveries.end() }
    source?.endIteration()
    update?.endIterations()
    for snapshot in dependents.all { snapshot.endIteration() }
    for snapshot in former { snapshot.endIteration() }
    ChangeBoundary.end(boundary)
  }

  private func collect(
    _ notice: borrowing _KVChangeNotice, _ list: ListenerTable.List, _ registrar: ObserverRegistrar
  ) {
    // The values of an overridden property are those that the object returns.
    let hasValues = notice.kind != .setting || !list.borrow { $0.mayBeOverridden }
    let changedKey = ChangedKey(
      object: notice.object, key: notice.key, isDependent: false,
      hasOldValue: hasValues && (notice.hasOldValue || notice.kind != .setting),
      hasNewValue: hasValues && notice.hasNewValue, kind: notice.kind)
    let snapshot = ObserverSnapshot(registrar: registrar, key: notice.key, list: list, object: nil)
    source = snapshot
    snapshot.forEach { $0.willChange(self, changedKey) }
    joinDependents()
  }

  func sortNotifications() {
    if isOrdered { return }
    notifications = ContiguousArray(notifications.ordered { $0.order })
  }

  // MARK: Before the change

  /// Adds the notification of a registration, and reads the old value if that wants it.
  func add(_ registration: Registration, _ changedKey: ChangedKey, depth: Int, isLeaf: Bool) {
    if isComplete || registration.chain != nil && isKnown(registration) { return }
    if registration.countsChanges {
      registration.changes.begin()
      counting.append(registration)
    }
    let isDirect =
      isLeaf && !changedKey.isDependent
      && (changedKey.hasOldValue || changedKey.hasNewValue && !registration.needsOldValue)
    let isReportedAsSetting =
      isDirect && registration.kindsReportedAsSetting.contains(PartialKinds(changedKey.kind))
      && changedKey.kind != .setting
    let isRead = !isDirect || isReportedAsSetting
    let omitsOldValue = isReportedAsSetting && !registration.includesOldCollection
    let readsOld = isRead && !omitsOldValue && registration.needsOldValue && !isOldUnknown
    // Before the value is read, and not only by `removeEnclosed()`: behind a selection, it is that of many objects.
    if readsOld, changedKey.isDependent, hasDependents,
      Self.isEnclosed(_KVReference(registration).identity, isDirect: false)
    {
      return
    }
    if registration.options.contains(.prior) { hasPrior = true }
    append(registration, changedKey, depth, isRead, omitsOldValue: omitsOldValue, isOldRead: readsOld)
  }

  private func append(
    _ registration: Registration, _ changedKey: ChangedKey, _ depth: Int, _ isRead: Bool, omitsOldValue: Bool = false,
    isOldRead: Bool = false
  ) {
    // By index, since the properties `last` and `suffix` copy notifications with their values.
    if let last = notifications.indices.last,
      RegistrationOrder.isEarlier(registration.order, than: notifications[last].order)
    {
      isOrdered = false
    }
    let index = notifications.count
    notifications.append(
      PendingNotification(
        registration: _KVReference(registration), object: _KVReference(changedKey.object), key: changedKey.key,
        depth: Int32(depth), isLeaf: depth == registration.path.count - 1, isDirect: !changedKey.isDependent,
        isRead: isRead, omitsOldValue: omitsOldValue, wantsPrior: registration.options.contains(.prior),
        isOldRead: isOldRead))
    guard isOldRead else { return }
    // Observers of one key share one call of its getter (KVO.1).
    let same = (max(0, index - PendingNotification.searched)..<index).last {
      notifications[$0].isOldRead && notifications[$0].hasValue(of: notifications[index])
    }
    let old = if let same { notifications[same].old } else { registration.value(of: changedKey.object, from: depth) }
    notifications[index].old = old
  }

  /// Returns whether a registration of a longer path is among the notifications already, and records it.
  private func isKnown(_ registration: Registration) -> Bool {
    let identity = _KVReference(registration).identity
    if notifications.count < 32 {
      return hasNotification(of: identity)
    }
    if known.isEmpty { known = Set(notifications.lazy.map { $0.registration.identity }) }
    return !known.insert(identity).inserted
  }

  /// Retains a registration that is in no list of the change, and its root, until the change has been delivered.
  func keep(_ registration: Registration, _ root: AnyObject) {
    if isComplete { return }
    kept.append(registration)
    kept.append(root)
  }

  /// Adds an intermediate link, behind which the path is resolved again after the change.
  func add(_ link: PathLink, _ changedKey: ChangedKey) {
    link.changes.begin()
    links.append((link, _KVReference(changedKey.object)))
  }

  /// Records that the change is made, as far as objects that end from now on are concerned.
  private func endCounting() {
    isFollowed = true
    links.forEach { link, _ in link.changes.end() }
    for registration in counting { registration.changes.end() }
    for index in dependents.all.indices { dependents.all[index].dependent?.changes.end() }
    for index in former.indices { former[index].dependent?.changes.end() }
  }

  /// Adds a registration of elements, which follows the change after it; by the notice, if that is of the collection.
  func add(_ registration: Registration, _ tracker: ElementTracker, _ changedKey: ChangedKey, isIncremental: Bool) {
    if isComplete || isKnown(registration) { return }
    followers.append(
      Follower(
        registration: registration, tracker: tracker, key: changedKey.key, isIncremental: isIncremental,
        changes: tracker.changes))
    append(registration, changedKey, 0, false)
  }

  /// Adds a dependent key, whose entries ``joinDependents()`` adds.
  ///
  /// A deallocation leaves out those of a change that is being made, which notifies their observers (LIF.3).
  func add(_ dependent: DependentKey) {
    if isOldUnknown, dependent.changes.isChanging { return }
    guard let object = dependent.object else { return }
    if dependent.isResolved, update == nil { (object as? any UpdateJoining)?.willNotify() }
    add(dependent.key, of: object, dependent.registrar, dependent)
  }

  /// Adds a key that changes with others, whose entries ``joinDependents()`` adds.
  func add(_ key: KVKey, of object: AnyObject, _ registrar: ObserverRegistrar, _ dependent: DependentKey? = nil) {
    if dependents.contains(key, registrar) { return }
    // In a cycle of dependencies, this can be the key that is being set. Its entries have been added already.
    if source?.isFor(key, registrar) ?? update?.contains(key, registrar) ?? false { return }
    let snapshot = ObserverSnapshot(
      registrar: registrar, key: key, list: registrar.beginIteration(of: key),
      object: registrar === source?.registrar ? nil : object, dependent: dependent)
    dependent?.changes.begin()
    dependents.append(snapshot)
    waiting.append((snapshot, object))
  }

  /// Adds the entries of the dependent keys, and of the keys that depend on those.
  ///
  /// It is a loop, since a chain of keys can lead through any number of objects.
  func joinDependents() {
    while let next = waiting.popLast() {
      let changedKey = ChangedKey(object: next.object, key: next.snapshot.key)
      next.snapshot.forEach { $0.willChange(self, changedKey) }
    }
    if !recorders.isEmpty { joinRecorders() }
  }

  /// Lets nothing be read for the notifications so far, and resolves no path behind their keys.
  func markUnreadable() {
    for index in notifications.indices { notifications[index].isUnreadable = true }
    links.forEach { link, _ in
      link.changes.end()
      _ = link.registration.chain?.detach(behind: link)
    }
    links = OneOrMore()
  }

  // MARK: After it

  /// Ends the change: follows it, reads the new values, and delivers the records.
  func finish(_ notice: borrowing _KVChangeNotice) {
    if isEnclosing { stopEnclosing() }
    // A `prior` handler, the body of a manual change or another thread may have registered paths through the old value
    // of the key.
    if let source, source.hasChanged || dependents.all.contains(where: { $0.hasChanged }) {
      isComplete = true
      former = [source]
      former += dependents.all
      dependents = DependentSnapshots()
      self.source = nil
      if let list = source.registrar.beginIteration(of: source.key) { collect(notice, list, source.registrar) }
    }
    followAndRead()
    var reading: ElementReading?
    for follower in followers {
      if follower.isIncremental, notice.kind != .setting {
        follower.tracker.follow(notice, follower.registration)
      } else {
        follower.followAnew(&reading)
      }
    }
    forEachNotification { deliver($0, notice) }
  }

  func followAndRead() {
    endCounting()
    links.forEach { link, object in object.borrow { link.follow($0) } }
    var index = 0
    forEachNotification { notification in
      index += 1
      guard notification.pointee.isRead, !notification.pointee.isUnreadable else { return }
      notification.pointee.registration.borrow { registration in
        guard registration.wantsNew else { return }
        notification.pointee.isNewRead = true
        for distance in stride(from: 1, to: min(index, PendingNotification.searched + 1), by: 1) {
          let other = notification + -distance
          guard other.pointee.isNewRead, other.pointee.hasValue(of: notification.pointee) else { continue }
          notification.pointee.new = other.pointee.new
          return
        }
        notification.pointee.new = notification.pointee.object.borrow { object in
          registration.value(of: object, from: Int(notification.pointee.depth))
        }
      }
    }
  }

  func deliver(
    _ notification: AddressOf<PendingNotification>, _ notice: borrowing _KVChangeNotice
  ) {
    notification.pointee.registration.borrow { registration in
      guard notification.pointee.isRead else { return registration.receive(notice) }
      // The old collection is not known then, but the removed and the inserted elements are.
      if notification.pointee.omitsOldValue, registration.options.contains(.distinct), Registration.isUnchanged(notice)
      {
        return
      }
      deliver(notification, notice.phase)
    }
  }

  /// Delivers the values that were read before and after the change.
  func deliver(_ notification: AddressOf<PendingNotification>, _ phase: _KVChangeNotice.Phase) {
    notification.pointee.registration.borrow { registration in
      let isOldKnown = !isOldUnknown && !notification.pointee.omitsOldValue
      // The new value of a `prior` record has not been read yet.
      PendingNotification.withNotice(of: notification, isOldKnown, phase) { registration.receive($0) }
    }
  }
}
