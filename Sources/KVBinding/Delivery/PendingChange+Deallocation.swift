import KVCore

extension PendingChange {
  /// Notifies the registrations of paths that an intermediate object was deallocated: one change to nil for each
  /// (LIF.3).
  static func notifyDeallocation(to registrations: [Registration]) {
    let change = PendingChange()
    change.isOldUnknown = true
    var known: Set<ObjectIdentifier> = []
    for registration in registrations where known.insert(ObjectIdentifier(registration)).inserted {
      guard let chain = registration.chain, let root = chain.root else { continue }
      change.keep(registration, root)
      chain.restart(registration)
      registration.willChange(change, ChangedKey(object: root, key: .none), depth: 0, isLeaf: false)
      change.joinDependents()
    }
    change.sortNotifications()
    change.boundary = ChangeBoundary.begin()
    change.followAndRead()
    for follower in change.followers { follower.tracker.followAnew(follower.registration) }
    change.forEachNotification { change.deliver($0, .change) }
  }
}
