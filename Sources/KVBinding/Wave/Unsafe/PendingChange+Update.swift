import KVCore

extension PendingChange {
  /// The keys of an object that change together, and the snapshots of those that are observed.
  final class UpdateKeys {
    let object: AnyObject
    let registrar: ObserverRegistrar
    private let changes: [KeyChange]
    private var snapshots: ContiguousArray<ObserverSnapshot> = []
    /// The key of which a delivery is under way already; nil if there is none.
    private(set) var nestedKey: KVKey?

    /// Begins an iteration over the list of each key; nil if no key has observers.
    init?(_ changes: [KeyChange], of object: AnyObject, _ registrar: ObserverRegistrar) {
      self.object = object
      self.registrar = registrar
      self.changes = changes.filter { registrar.mayObserve($0.key) }
      begin()
      if snapshots.isEmpty { return nil }
    }

    private func begin() {
      for change in changes {
        guard let (list, isNested) = registrar.beginDelivery(of: change.key, where: { $0.live > 0 }) else { continue }
        if isNested { nestedKey = change.key }
        snapshots.append(ObserverSnapshot(registrar: registrar, key: change.key, list: list, object: nil))
      }
    }

    /// Returns whether there is room for the delivery; if not, ends the iterations, and reports an error (KVO.23).
    ///
    /// If the delivery is nested, ``NestedDeliveries/end()`` must follow.
    func beginDelivery() -> Bool {
      if let key = nestedKey {
        if NestedDeliveries.begin(key, of: registrar.objectType, registrar.objectID, isPending: true) { return true }
      } else {
        if DeliveryStack.isLeft { return true }
        NestedDeliveries.reportExhaustedStack(changes[0].key, of: registrar.objectType, registrar.objectID)
      }
      endIterations()
      return false
    }

    func endIterations() {
      for snapshot in snapshots { snapshot.endIteration() }
      snapshots = []
    }

    /// The change of a key; nil if the key does not change.
    func change(of key: KVKey) -> KeyChange? { changes.first { $0.key == key } }

    /// The value of a key before it is set, if its getter cannot tell it any more.
    func knownValue(of key: KVKey) -> Any? { change(of: key).flatMap { $0.kind == .setting ? $0.old : nil } }

    func contains(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool {
      self.registrar === registrar && change(of: key) != nil
    }

    /// Whether a key passes a test.
    func contains(where isIncluded: (KVKey) -> Bool) -> Bool { changes.contains { isIncluded($0.key) } }

    /// Whether an entry was added or removed since the snapshots were taken.
    var hasChanged: Bool { snapshots.contains { $0.hasChanged } }

    /// Takes the snapshots again, and returns the former ones.
    func beginAgain() -> ContiguousArray<ObserverSnapshot> {
      defer { begin() }
      defer { snapshots = [] }
      return snapshots
    }

    /// Lets entries join a pending change.
    func join(_ pending: PendingChange, where isIncluded: (KVKey, Listener) -> Bool) {
      for snapshot in snapshots {
        guard let change = change(of: snapshot.key) else { continue }
        let changedKey = ChangedKey(
          object: object, key: change.key, isDependent: false, hasOldValue: change.kind != .setting, kind: change.kind)
        snapshot.forEach { if isIncluded(change.key, $0) { $0.willChange(pending, changedKey) } }
      }
      pending.joinDependents()
    }
  }

  /// Whether an entry receives the changes of its key as they are: no path leads on from it, and no key depends on it.
  static func isDirect(_ listener: Listener) -> Bool {
    let link = listener as? PathLink
    guard link?.isLeaf ?? true, let registration = link?.registration ?? listener as? Registration else { return false }
    return !registration.kind.isInternal && registration.kind.tracker == nil
  }

  /// Begins the change of several keys of an object; reads all old values, and delivers nothing.
  convenience init(_ update: UpdateKeys, where isIncluded: (KVKey, Listener) -> Bool) {
    self.init()
    begin(update, where: isIncluded)
  }

  /// Lets the keys of an object that change together join the change.
  func begin(_ update: UpdateKeys?, where isIncluded: (KVKey, Listener) -> Bool) {
    let isOfElements = !notifications.isEmpty
    if let update {
      self.update = update
      isNested = update.nestedKey != nil
      update.join(self, where: isIncluded)
      for index in notifications.indices where notifications[index].isDirect && notifications[index].isOldRead {
        if let old = update.knownValue(of: notifications[index].key) { notifications[index].old = old }
      }
    }
    if hasDependents || isOfElements { removeEnclosed() }
    sortNotifications()
  }

  /// Begins a level of ``NestedDeliveries`` for changes inside elements alone, which handlers can nest without end; false
  /// if there is no room.
  func beginNesting(_ type: AnyClass, _ id: ObjectIdentifier) -> Bool {
    isNested = NestedDeliveries.begin(notifications[0].key, of: type, id, isPending: true)
    return isNested
  }

  /// The notifications that are delivered before the change.
  var priorNotifications: ContiguousArray<PendingNotification> { notifications.filter(\.wantsPrior) }

  /// Delivers one notification of an update.
  func deliver(_ notification: inout PendingNotification, ofUpdate phase: _KVChangeNotice.Phase) {
    withAddress(of: &notification) { deliver($0, ofUpdate: phase) }
  }

  private func deliver(
    _ notification: AddressOf<PendingNotification>, ofUpdate phase: _KVChangeNotice.Phase
  ) {
    guard notification.pointee.isDirect, let update, let change = update.change(of: notification.pointee.key) else {
      return deliver(notification, phase)
    }
    change.withNotice(of: update.object, phase) { deliver(notification, $0) }
  }

  /// Lets the trackers of elements follow the changes of keys, or only those that can follow the changes by index.
  func followElements(of keys: UpdateKeys?, byIndexOnly: Bool = false) {
    var reading: ElementReading?
    for follower in followers {
      if follower.isIncremental, let keys, let change = keys.change(of: follower.key), change.kind != .setting {
        change.withNotice(of: keys.object, .change) { follower.tracker.follow($0, follower.registration) }
      } else if !byIndexOnly {
        follower.followAnew(&reading)
      }
    }
  }

  /// Ends the change of several keys: follows it, reads the new values, and delivers the records.
  func finishUpdate() {
    if update?.hasChanged ?? false || dependents.all.contains(where: { $0.hasChanged }) {
      isComplete = true
      former = (update?.beginAgain() ?? []) + dependents.all
      dependents = DependentSnapshots()
      update?.join(self) { _, _ in true }
    }
    followAndRead()
    followElements(of: update)
    forEachNotification { deliver($0, ofUpdate: .change) }
  }
}
