import KVCore
import Synchronization

/// The number of those that want to know when outermost changes end.
private let trackerCount = Atomic<Int>(0)

/// An outermost change, scope or transaction of a thread or task, with all changes that it causes.
///
/// It is counted only while somebody is interested; otherwise a delivery costs one load more.
package final class ChangeBoundary {
  /// Something that is collected until the outermost change has ended.
  package protocol Participant: AnyObject {
    /// The object that collects, which has one participant at most.
    var collector: AnyObject { get }
    /// The number of things that have been collected.
    var count: Int { get }
    /// Called when several objects have been changed for which a key of another one stands.
    func didChangeAggregate(_ key: InternedKey, of object: AnyObject)
    /// Called when a transaction has been rolled back, with the number of things from before it.
    func didRollBack(to count: Int)
    /// Called once, after the outermost change has ended.
    func didEnd()
  }

  /// The number of changes, scopes and transactions that have begun and not ended.
  package var depth: Int { level }
  /// Private, since accesses of what other modules can reach are checked for exclusivity when they are made.
  private var level = 0
  private var participants: [any Participant] = []

  // MARK: Interest

  package static func retainTracking() {
    trackerCount.add(1, ordering: .relaxed)
    // The scope in which somebody begins to be interested is counted from now on.
    _ = current
  }
  package static func releaseTracking() { trackerCount.subtract(1, ordering: .relaxed) }

  @inline(__always)
  static var isTracked: Bool { trackerCount.load(ordering: .relaxed) != 0 }

  // MARK: Changes

  /// The boundary of the current task's coalescing scope, or else of the thread.
  package static var current: ChangeBoundary {
    // A scope may have begun when nobody was interested.
    if let scope = TaskScope.current {
      return scope.borrow { scope in
        if let boundary = scope.boundary { return boundary }
        let boundary = ChangeBoundary().begun()
        scope.boundary = boundary
        return boundary
      }
    }
    return ThreadDeliveries.current.borrow { deliveries in
      if deliveries.scopeDepth > 0, deliveries.scopeBoundary == nil {
        deliveries.scopeBoundary = deliveries.boundary.begun()
      }
      return deliveries.boundary
    }
  }

  /// Begins a change, which ``end()`` ends; nil if nobody is interested.
  @inline(__always)
  static func begin() -> ChangeBoundary? { isTracked ? current.begun() : nil }

  /// Returns the boundary after the begin of a change.
  @inline(never)
  package func begun() -> ChangeBoundary {
    level += 1
    return self
  }

  @inline(never)
  package func end() {
    level -= 1
    if level > 0 || participants.isEmpty { return }
    var ended: [any Participant] = []
    swap(&ended, &participants)
    for participant in ended { participant.didEnd() }
  }

  /// Makes one change of all that a body changes, although nobody else may want to know when it ends.
  package func change<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let open = OpenChange.ofOthers(in: self)
    defer { extendLifetime(open) }
    return try body()
  }

  /// Makes one change of all that a body changes outside of all scopes: what it defers is delivered in here.
  package static func changeLeavingScopes(_ body: () throws(KVError) -> Void) throws(KVError) {
    let open = OpenChange.ofOthers()
    defer { extendLifetime(open) }
    try CoalescingScope.leaving(body)
  }

  // MARK: Participants

  /// Returns the participant of a collector, if there is one.
  package func participant(of collector: AnyObject) -> (any Participant)? {
    participants.first { $0.collector === collector }
  }

  /// Adds a participant, which takes part until the outermost change has ended.
  package func add(_ participant: some Participant) { participants.append(participant) }

  /// Tells the participants that several objects have been changed for which a key of another one stands.
  static func didChangeAggregate(_ key: InternedKey, of object: AnyObject) {
    guard isTracked else { return }
    for participant in current.participants { participant.didChangeAggregate(key, of: object) }
  }

  /// Takes the participants of another boundary over.
  func adopt(_ other: ChangeBoundary?) {
    participants += other?.participants ?? []
    other?.participants = []
  }

  /// Returns what has been collected now, for ``rollBack(to:)``.
  var mark: [Int] { participants.map(\.count) }

  func rollBack(to mark: [Int]) {
    for (index, participant) in participants.enumerated() {
      participant.didRollBack(to: index < mark.count ? mark[index] : 0)
    }
  }
}

extension WriteGroup {
  package static func begin() -> AnyObject? { ChangeBoundary.begin() }
  package static func end(_ change: AnyObject) { asObject(change, ChangeBoundary.self).end() }
}
