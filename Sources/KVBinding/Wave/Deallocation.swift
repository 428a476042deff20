import KVCore

/// The registrations that the deallocation of an object changes (LIF.3).
final class Deallocation {
  /// The registrations of paths that have been resolved again.
  private var readable: [Registration] = []
  /// The registrations of paths that may not be read, each once.
  private var unreadable: [Registration] = []
  private var unreadableIDs: Set<ObjectIdentifier> = []

  /// Notifies the registrations of paths that the object of links was deallocated: one change to nil for each (LIF.3).
  ///
  /// An observation that is part of an open change is notified by that change. Handlers that replace the object by
  /// another one, which ends as well, are stopped as those that nest otherwise (KVO.23).
  static func notify(_ links: [PathLink]) {
    guard let first = links.first(where: { $0.registration.chain?.root != nil }),
      let root = first.registration.chain?.root
    else { return }
    let deallocation = Deallocation(links)
    if deallocation.readable.isEmpty, deallocation.unreadable.isEmpty { return }
    let key = first.registration.path.first.observedName.map { InternedKey($0) } ?? .none
    guard let open = OpenChange.ofDelivery(key, of: type(of: root), ObjectIdentifier(root)) else { return }
    let (plan, unreadableFollowings) = deallocation.plan()
    let run = ChangeRun.make(plan, open)
    run.beginDeallocation()
    run.follow { nil }
    run.readNew()
    for (index, following) in plan.followings.enumerated() {
      if index < unreadableFollowings {
        following.tracker.reload(following.registration, [])
      } else {
        following.tracker.reload(following.registration)
      }
    }
    Wave.deliver(isWriteOfBinding: false, hasBindings: plan.hasBindings, order: { WaveGraph.order(of: [plan], by: $0) })
    { _ in
      ThreadDeliveries.notifyingOfDeallocation { run.deliverDeallocation() }
    }
    run.close()
  }

  /// Lets the paths of links follow the deallocation of their object.
  private init(_ links: [PathLink]) {
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

  /// Returns the plan, and the number of trackers in it whose elements may not be read: they are the first.
  private func plan() -> (ChangePlan, unreadableFollowings: Int) {
    var count = -1
    var (builder, unreadableFollowings) = (PlanBuilder(nil, deallocation: self), 0)
    // What depends on a path that may not be read may not be read either, and is added first.
    while count < unreadable.count {
      count = unreadable.count
      builder = PlanBuilder(nil, deallocation: self)
      builder.add(unreadable)
      builder.markUnreadable()
      unreadableFollowings = builder.followingCount
      builder.add(readable)
    }
    return (builder.finishPlan(), unreadableFollowings)
  }

  /// Returns whether a registration takes part: those do not whose paths lead through a key that is being changed to what
  /// depends on the object.
  fileprivate func takes(_ registration: Registration, after link: PathLink?, before depth: Int) -> Bool {
    guard let chain = registration.chain, !unreadableIDs.contains(ObjectIdentifier(registration)) else { return true }
    switch chain.effect(after: link, before: depth) {
    case .readable: return true
    case .partOfChange, .none: return false
    case .unreadable:
      add(unreadable: registration)
      return false
    }
  }

  private func add(unreadable registration: Registration) {
    if unreadableIDs.insert(ObjectIdentifier(registration)).inserted { unreadable.append(registration) }
  }
}

extension PlanBuilder {
  /// Returns whether a registration takes part in the change, of which a deallocation leaves out some.
  ///
  /// - Parameters:
  ///   - link: The link of what changes on the path; nil if it is what operators read of elements.
  ///   - depth: The first component that changes.
  func takes(_ registration: Registration, after link: PathLink?, before depth: Int) -> Bool {
    deallocation?.takes(registration, after: link, before: depth) ?? true
  }

  fileprivate func add(_ registrations: [Registration]) {
    for registration in registrations {
      guard let root = registration.chain?.root else { continue }
      registration.join(self, changedKey(.none, of: root), depth: 0, isLeaf: false)
      joinDependents()
    }
  }
}

extension ChangeRun {
  fileprivate func deliverDeallocation() {
    for index in plan.steps.indices where isActive(index) {
      let step = plan.steps[index]
      if step.isUnreadable, let binding = step.registration.kind.binding {
        // It would read its source.
        if !step.registration.isEnded { binding.sourceBecameUnreadable(step.registration) }
      } else {
        deliver(index, ofUpdate: .change)
      }
    }
  }
}
