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
    let deallocation = Deallocation(links)
    if deallocation.readable.isEmpty, deallocation.unreadable.isEmpty { return }
    let key = first.registration.path.first.observedName.map { KVKey($0) } ?? .none
    guard NestedDeliveries.begin(key, of: type(of: root), ObjectIdentifier(root), isPending: true) else { return }
    defer { NestedDeliveries.end() }
    var change = PendingChange()
    var (unreadableFollowers, count) = (0, -1)
    // What depends on a path that may not be read may not be read either, and is joined first.
    while count < deallocation.unreadable.count {
      count = deallocation.unreadable.count
      change = PendingChange()
      change.deallocation = deallocation
      change.join(deallocation.unreadable)
      change.markUnreadable()
      unreadableFollowers = change.followers.count
      change.join(deallocation.readable)
    }
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
    ThreadDeliveries.notifyingOfDeallocation { change.forEachNotification { change.deliverDeallocation($0) } }
  }

  /// The registrations that the deallocation of an object changes.
  final class Deallocation {
    /// Those of paths that have been resolved again.
    private(set) var readable: [Registration] = []
    /// Those of paths that may not be read, each once.
    private(set) var unreadable: [Registration] = []
    private var unreadableIDs: Set<ObjectIdentifier> = []

    /// Lets the paths of links follow the deallocation of their object.
    fileprivate init(_ links: [PathLink]) {
      var known: Set<ObjectIdentifier> = []
      // A path can lead through the object twice.
      for link in links.sorted(by: { $0.depth < $1.depth })
      where known.insert(ObjectIdentifier(link.registration)).inserted {
        let registration = link.registration
        guard let chain = registration.chain, chain.root != nil else { continue }
        switch chain.resolveAfterDeallocation(of: link, registration) {
        case .partOfChange, .none: break
        case .readable: readable.append(registration)
        case .unreadable: add(unreadable: registration)
        }
      }
    }

    fileprivate func add(unreadable registration: Registration) {
      if unreadableIDs.insert(ObjectIdentifier(registration)).inserted { unreadable.append(registration) }
    }

    fileprivate func isUnreadable(_ registration: Registration) -> Bool {
      unreadableIDs.contains(ObjectIdentifier(registration))
    }
  }

  /// Returns whether a registration takes part in the change; a deallocation leaves out those whose paths lead through a
  /// key that is being changed to what depends on the object.
  ///
  /// - Parameters:
  ///   - link: The link of what changes on the path; nil if it is what operators read of elements.
  ///   - depth: The first component that changes.
  @inline(__always)
  func takes(_ registration: Registration, behind link: PathLink?, before depth: Int) -> Bool {
    if let deallocation { takes(registration, behind: link, before: depth, deallocation) } else { true }
  }

  @inline(never)
  private func takes(
    _ registration: Registration, behind link: PathLink?, before depth: Int, _ deallocation: Deallocation
  ) -> Bool {
    guard let chain = registration.chain, !deallocation.isUnreadable(registration) else { return true }
    switch chain.effect(behind: link, before: depth) {
    case .readable: return true
    case .partOfChange, .none: return false
    case .unreadable:
      deallocation.add(unreadable: registration)
      return false
    }
  }

  private func join(_ registrations: [Registration]) {
    for registration in registrations {
      guard let root = registration.chain?.root else { continue }
      keep(registration, root)
      registration.willChange(self, ChangedKey(object: root, key: .none), depth: 0, isLeaf: false)
      joinDependents()
    }
  }

  private func deliverDeallocation(_ notification: AddressOf<PendingNotification>) {
    notification.pointee.registration.borrow { registration in
      guard let binding = registration.kind.binding else { return deliver(notification, .change) }
      if registration.isEnded { return }
      guard notification.pointee.isUnreadable else { return deliver(notification, .change) }
      // It would read its source.
      binding.sourceBecameUnreadable(registration)
    }
  }
}
