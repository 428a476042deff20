import KVCore

extension PendingChange {
  /// Notifies the registrations of paths that an intermediate object was deallocated: one change to nil for each
  /// (LIF.3).
  ///
  /// Handlers that replace the object by another one, which ends as well, are stopped as those that nest otherwise
  /// (KVO.23).
  static func notifyDeallocation(to registrations: [Registration]) {
    guard let first = registrations.first(where: { $0.chain?.root != nil }), let root = first.chain?.root else {
      return
    }
    let change = PendingChange()
    change.isOldUnknown = true
    let key = first.path.first.observedName.map { KVKey($0) } ?? .none
    change.isNested = NestedDeliveries.begin(key, of: type(of: root), ObjectIdentifier(root), isPending: true)
    var known: Set<ObjectIdentifier> = []
    for registration in registrations where known.insert(ObjectIdentifier(registration)).inserted {
      guard let chain = registration.chain, let root = chain.root else { continue }
      change.keep(registration, root)
      chain.restart(registration)
      guard change.isNested else { continue }
      registration.willChange(change, ChangedKey(object: root, key: .none), depth: 0, isLeaf: false)
      change.joinDependents()
    }
    guard change.isNested else { return }
    change.sortNotifications()
    change.boundary = ChangeBoundary.begin()
    change.followAndRead()
    for follower in change.followers { follower.tracker.followAnew(follower.registration) }
    change.forEachNotification { change.deliver($0, .change) }
  }
}
