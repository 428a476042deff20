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
    /// The propagation that the counts below belong to.
    var propagation: UInt64 = 0
    var rounds = 0
    var transfers = 0
    var gaveUp = false
    /// A description of the bindings that trigger this one again; recorded shortly before it gives up.
    var cycle: String?
    /// The binding that triggered this one; see ``Propagation``.
    var previous: _KVReference<BindingCore>?

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

  /// The maximum number of rounds of bindings that trigger each other (BND.5).
  static let maximumRounds = 100
  /// The maximum number of transfers of one binding within a cycle.
  ///
  /// Beyond it, the values do not settle.
  private static let maximumTransfers = 1000

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
    ThreadDeliveries.current.borrow { deliveries in
      deliveries.transacted?.add(self)
      let propagation = deliveries.propagation
      if propagation.isFull {
        propagation.postpone(self, side)
        // The rounds that other threads have requested meanwhile.
        let requested = run.busy.exchange(0, ordering: .acquiringAndReleasing)
        if requested & Self.bit(side.other) != 0 { propagation.postpone(self, side.other) }
        return
      }
      propagation.run(self, payload) {
        if run.propagation != propagation.number {
          run.propagation = propagation.number
          (run.rounds, run.transfers, run.gaveUp) = (0, 0, false)
        }
        propagate(from: side, object, payload, me, propagation)
      }
    }
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
    if run.rounds == Self.maximumRounds - 2 {
      run.cycle = ThreadDeliveries.current.borrow { $0.propagation.cycle(of: self) }
    }
    run.pendingSide = side
  }

  @inline(__always)
  private func propagate(
    from side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?, _ me: UInt,
    _ propagation: Propagation
  ) {
    guard mayTransfer(propagation) else { return }
    transfer(from: side, object, payload)
    if !becomesIdle(me) { propagateAgain(me, propagation) }
  }

  /// Propagates values until neither endpoint has changed meanwhile.
  @inline(never)
  private func propagateAgain(_ me: UInt, _ propagation: Propagation) {
    repeat {
      let side: BindingSide
      if let pendingSide = run.pendingSide {
        run.pendingSide = nil
        side = pendingSide
        run.rounds += 1
        propagation.hasCycle = true
        if run.rounds >= Self.maximumRounds { return giveUp() }
      } else {
        // Other threads have requested a round. If both endpoints have changed, the source's value is propagated.
        let requested = run.busy.exchange(me, ordering: .acquiringAndReleasing)
        side = requested & Self.bit(.source) != 0 ? .source : .target
      }
      guard mayTransfer(propagation) else { return }
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

  /// Returns whether the binding may transfer a value once more; if not, it is not busy any more.
  @inline(__always)
  private func mayTransfer(_ propagation: Propagation) -> Bool {
    if run.gaveUp || isEnded {
      run.pendingSide = nil
      run.busy.store(0, ordering: .releasing)
      return false
    }
    run.transfers &+= 1
    guard propagation.hasCycle, run.transfers > Self.maximumTransfers else { return true }
    giveUp()
    return false
  }

  @inline(never)
  private func giveUp() {
    let error = unsettled(rounds: run.rounds)
    run.gaveUp = true
    run.pendingSide = nil
    run.busy.store(0, ordering: .releasing)
    fail(error)
  }

  /// The error of bindings that trigger each other without end.
  func unsettled(rounds: Int) -> KVError {
    KVError(
      .doesNotSettle,
      """
      the values do not come to rest: after \(rounds) rounds \(run.cycle ?? locatedSummary) still change each other. \
      Let the transformers and setters agree on a value, or leave out one of the bindings.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// The summary with the source location, which distinguishes bindings of objects of one class.
  var locatedSummary: String { "\(summary) (\(site.description))" }
}
