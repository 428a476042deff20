import KVCore
import Synchronization

extension BindingCore {
  /// The state of a binding on the thread where it is busy.
  // guard: only the thread whose number is in `busy` uses the rest
  final class Run: @unchecked Sendable {
    /// The number of the thread that propagates a value, above two bits by which other threads request another round;
    /// zero if no thread does.
    let busy = Atomic<UInt>(0)
    /// The endpoint that is being set; nil between writes.
    var receiver: BindingSide?
    /// The number of notifications of the endpoint that is being set; the first is that of the binding's own write.
    var selfNotifications = 0
    /// The endpoint from which this thread has to propagate in another round.
    var pendingSide: BindingSide?
    /// The number of rounds in which this thread has propagated since it began to.
    var rounds = 0
    /// Whether this thread propagates a value.
    var isBusyHere: Bool { busy.load(ordering: .acquiring) & ~3 == BindingCore.thisThread }

    /// Returns whether this thread is setting an endpoint.
    func isSetting(_ side: BindingSide) -> Bool { isBusyHere && receiver == side }

    /// Returns whether this thread is setting the endpoint that changed, and counts the notification then.
    func isSelfNotification(_ side: BindingSide) -> Bool {
      guard isSetting(side) else { return false }
      selfNotifications += 1
      return true
    }
  }

  /// Returns the endpoint of an object that the binding which has its turn on this thread sets now; nil if it sets none.
  package static func endpointBeingSet(of object: AnyObject) -> (endpoint: BindingEndpoint, side: BindingSide)? {
    ThreadDeliveries.current.borrow { deliveries in
      guard let core = deliveries.state.pointee.running?.binding.object else { return nil }
      if core.source.object === object, core.run.isSetting(.source) { return (core.source, .source) }
      return core.target.object === object && core.run.isSetting(.target) ? (core.target, .target) : nil
    }
  }

  /// The number of this thread, shifted by two bits.
  @inline(__always)
  static var thisThread: UInt { currentThread() << 2 }

  private static func bit(_ side: BindingSide) -> UInt { side == .source ? 1 : 2 }

  /// Propagates the value of one endpoint to the other, and repeats this while either of them changes meanwhile.
  ///
  /// - Parameters:
  ///   - side: The side of the endpoint.
  ///   - object: The object of the endpoint, if it is known to be alive.
  ///   - payload: An edit or a transformed value; nil for the present value of the endpoint.
  func propagate(from side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?) {
    let me = Self.thisThread
    guard becomeBusy(me, side) else { return }
    if isEnded { return run.busy.store(0, ordering: .releasing) }
    transfer(from: side, object, payload)
    if !becomesIdle(me) { propagateAgain(me) }
  }

  /// Makes the binding busy on this thread; if it is busy already, requests another round and returns false.
  @inline(__always)
  private func becomeBusy(_ me: UInt, _ side: BindingSide) -> Bool {
    while true {
      let (isMine, now) = run.busy.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
      if isMine { return true }
      if now & ~3 == me {
        recordReentrantChange(side)
        return false
      }
      // The binding is busy on another thread, which tests the bit before it ends. The exchange is made even if the bit
      // is set, so that the other thread sees what this one has written before.
      let requesting = now | Self.bit(side)
      if run.busy.compareExchange(expected: now, desired: requesting, ordering: .acquiringAndReleasing).exchanged {
        return false
      }
    }
  }

  /// Records a change that the binding has triggered on this thread.
  private func recordReentrantChange(_ side: BindingSide) {
    if run.receiver == side { return run.selfNotifications += 1 }
    run.pendingSide = side
  }

  /// Propagates values until neither endpoint has changed meanwhile.
  @inline(never)
  private func propagateAgain(_ me: UInt) {
    run.rounds = 0
    repeat {
      let side: BindingSide
      if let pendingSide = run.pendingSide {
        run.pendingSide = nil
        side = pendingSide
        run.rounds += 1
      } else {
        // Other threads have requested a round. If both endpoints have changed, the source's value is propagated.
        let requested = run.busy.exchange(me, ordering: .acquiringAndReleasing)
        side = requested & Self.bit(.source) != 0 ? .source : .target
      }
      if isEnded || run.rounds >= Wave.maximumTurns {
        run.pendingSide = nil
        run.busy.store(0, ordering: .releasing)
        return isEnded ? () : fail(unsettled(rounds: run.rounds))
      }
      // Insertions and removals in the meantime are not known.
      transfer(from: side, nil, nil)
    } while !becomesIdle(me)
  }

  /// Ends the propagation, unless an endpoint has changed meanwhile; returns whether it has ended.
  @inline(__always)
  private func becomesIdle(_ me: UInt) -> Bool {
    run.pendingSide == nil
      && run.busy.compareExchange(expected: me, desired: 0, ordering: .acquiringAndReleasing).exchanged
  }

  /// The error of bindings that trigger each other without end.
  func unsettled(rounds: Int, _ cycle: [BindingCore] = []) -> KVError {
    let bindings = (cycle.isEmpty ? [self] : cycle).map(\.locatedSummary).joined(separator: ", ")
    return KVError(
      .doesNotSettle,
      """
      the values do not come to rest: after \(rounds) rounds \(bindings) still change each other. \
      Let the transformers and setters agree on a value, or leave out one of the bindings.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// The summary with the source location, which distinguishes bindings of objects of one class.
  var locatedSummary: String { "\(summary) (\(site.description))" }
}
