import KVCore

extension PendingChange {
  /// Notifies the registrations of paths that the object of links was deallocated: one change to nil for each (LIF.3).
  ///
  /// What is part of a change that is being made is left to that. Handlers that replace the object by another one, which
  /// ends as well, are stopped as those that nest otherwise (KVO.23).
  static func notifyDeallocation(to links: [PathLink]) {
    guard let first = links.first(where: { $0.registration.chain?.root != nil }),
      let root = first.registration.chain?.root
    else { return }
    let change = PendingChange()
    change.isOldUnknown = true
    let (resolved, unreadable) = change.lose(links)
    if resolved.isEmpty, unreadable.isEmpty { return }
    let key = first.registration.path.first.observedName.map { KVKey($0) } ?? .none
    change.isNested = NestedDeliveries.begin(key, of: type(of: root), ObjectIdentifier(root), isPending: true)
    guard change.isNested else { return }
    change.join(unreadable)
    change.markUnreadable()
    let unreadableFollowers = change.followers.count
    change.join(resolved)
    change.sortNotifications()
    change.boundary = ChangeBoundary.begin()
    change.followAndRead()
    for (index, follower) in change.followers.enumerated() {
      if index < unreadableFollowers {
        follower.tracker.followAnew(follower.registration, [])
      } else {
        follower.tracker.followAnew(follower.registration)
      }
    }
    change.forEachNotification { change.deliverLoss($0) }
  }

  /// Lets the paths of links follow the deallocation of their object; returns the registrations to notify: of paths that
  /// have been resolved again, and of those that may not be read.
  private func lose(_ links: [PathLink]) -> (resolved: [Registration], unreadable: [Registration]) {
    var known: Set<ObjectIdentifier> = []
    var (resolved, unreadable): ([Registration], [Registration]) = ([], [])
    // A path can lead through the object twice.
    for link in links.sorted(by: { $0.depth < $1.depth })
    where known.insert(ObjectIdentifier(link.registration)).inserted {
      let registration = link.registration
      guard let chain = registration.chain, let root = chain.root else { continue }
      keep(registration, root)
      switch chain.lose(link, registration) {
      case .partOfChange, .none: break
      case .resolved: resolved.append(registration)
      case .unreadable: unreadable.append(registration)
      }
    }
    return (resolved, unreadable)
  }

  private func join(_ registrations: [Registration]) {
    for registration in registrations {
      guard let root = registration.chain?.root else { continue }
      registration.willChange(self, ChangedKey(object: root, key: .none), depth: 0, isLeaf: false)
      joinDependents()
    }
  }

  private func deliverLoss(_ notification: AddressOf<PendingNotification>) {
    guard notification.pointee.isUnreadable else { return deliver(notification, .change) }
    notification.pointee.registration.borrow { registration in
      // A binding would read its source.
      guard let binding = registration.kind.binding else { return deliver(notification, .change) }
      if !registration.isEnded { binding.sourceWasLost(registration) }
    }
  }
}
