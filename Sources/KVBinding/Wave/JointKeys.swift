import KVCore

/// Keys of objects that stand for keys of several others, as those of a selection do (CTR.36, UND.3).
struct JointKeys {
  private var objects: [(reference: WeakReference<AnyObject>, keys: [KVKey])] = []

  /// Adds keys of an object, each once; the object is not retained.
  mutating func insert(_ keys: [KVKey], of reference: WeakReference<AnyObject>) {
    guard let index = objects.lastIndex(where: { $0.reference.id == reference.id }) else {
      return objects.append((reference, keys))
    }
    for key in keys where !objects[index].keys.contains(key) { objects[index].keys.append(key) }
  }

  mutating func formUnion(_ other: JointKeys) {
    for object in other.objects { insert(object.keys, of: object.reference) }
  }

  /// Notifies each observer of the keys once, at the end, of all that a function changes in the other objects.
  ///
  /// Observers that nothing of it concerns are not notified, but for those of `prior` records.
  func notifyingOnce(_ body: () throws(KVError) -> Void) throws(KVError) {
    if objects.isEmpty { return try body() }
    let changes = objects.compactMap { reference, keys in
      (reference.object as? any KVObservable).flatMap { object in
        (object as? any UpdateJoining)?.joinUpdate(keys) == true ? nil : PendingChange.beginJoint(keys, of: object)
      }
    }
    defer { for change in changes.reversed() { change.finishJoint { change.hasEnclosed($0) } } }
    try body()
  }
}

/// An object whose keys are notified of at the end of an update, while one runs (CTR.6).
protocol UpdateJoining: AnyObject {
  /// Lets keys join the update that runs; returns false if none does.
  func joinUpdate(_ keys: [KVKey]) -> Bool
  /// Called before observers of keys are notified of a change of another object, which is not part of an update.
  func willNotify()
}

extension PendingChange {
  /// Begins a change of keys that consists of changes of other objects, and encloses them; nil if nobody observes the
  /// keys.
  static func beginJoint(_ keys: [KVKey], of object: any KVObservable) -> PendingChange? {
    guard let registrar = ObserverRegistrar.existing(of: object),
      let keys = UpdateKeys(keys.map { KeyChange($0) }, of: object, registrar), keys.beginDelivery()
    else { return nil }
    let change = PendingChange(keys) { _, _ in true }
    // It may be part of another one.
    change.removeEnclosed()
    change.boundary = ChangeBoundary.begin()
    for var notification in change.priorNotifications { change.deliver(&notification, ofUpdate: .prior) }
    change.enclose(always: true)
    return change
  }

  /// Ends such a change, and notifies the observers that were notified before it, and those that pass a test, unless
  /// their paths lead elsewhere now, of which they were notified.
  func finishJoint(where isNotified: (PendingNotification) -> Bool) {
    stopEnclosing()
    notifications.removeAll { !$0.wantsPrior && !(isNotified($0) && $0.isAttached) }
    finishUpdate()
  }
}
