import KVCore
import Synchronization

extension BindingCore {
  /// What a binding is doing right now, on the thread where it is busy.
  // guard: whoever has put the number of its thread into `busy` may use the rest
  final class Run: @unchecked Sendable {
    /// The number of the thread that is carrying a value over, above two bits by which others ask it to look at an end
    /// again; zero if none is.
    let busy = Atomic<UInt>(0)
    /// The end that is being set; nil between writes.
    @exclusivity(unchecked) var receiver: BindingSide?
    /// How many changes of the end that is being set were heard; the first of them is the write itself.
    @exclusivity(unchecked) var selfNotifications = 0
    /// The end that this thread has to look at again.
    @exclusivity(unchecked) var pendingSide: BindingSide?
    /// The propagation that the counts below belong to.
    @exclusivity(unchecked) var propagation: UInt = 0
    @exclusivity(unchecked) var rounds = 0
    @exclusivity(unchecked) var transfers = 0
    @exclusivity(unchecked) var gaveUp = false
    /// The bindings that set this one off again, as text; noted shortly before it gives up.
    @exclusivity(unchecked) var cycle: String?

    /// Whether a change of an end is what this thread is writing there; it is counted then.
    func isSelfNotification(_ side: BindingSide) -> Bool {
      guard busy.load(ordering: .acquiring) & ~3 == BindingCore.thisThread, receiver == side else { return false }
      selfNotifications += 1
      return true
    }
  }

  /// How often bindings that set each other off may go round (BND.5).
  static let maximumRounds = 100
  /// How often one binding may carry values over while others go round; beyond it, they do not settle.
  private static let maximumTransfers = 1000

  /// The number of this thread, with room for two bits.
  @inline(__always)
  static var thisThread: UInt { currentThread() << 2 }

  private static func bit(_ side: BindingSide) -> UInt { side == .source ? 1 : 2 }

  /// Carries the value of one end over to the other, and does so again as long as either changes meanwhile.
  ///
  /// - Parameters:
  ///   - object: The object at that end, where it is known to be alive.
  ///   - cargo: What is to be carried; nil for the value that the end holds.
  func propagate(from side: BindingSide, _ object: Unmanaged<AnyObject>?, _ payload: BindingPayload?) {
    let me = Self.thisThread
    guard becomeBusy(me, side) else { return }
    Propagation.current._withUnsafeGuaranteedRef { propagation in
      if propagation.isFull {
        propagation.postpone(self, side)
        // What other threads have asked for meanwhile.
        let requested = run.busy.exchange(0, ordering: .acquiringAndReleasing)
        if requested & Self.bit(side.other) != 0 { propagation.postpone(self, side.other) }
        return
      }
      propagation.push(self, payload)
      if run.propagation != propagation.number {
        run.propagation = propagation.number
        (run.rounds, run.transfers, run.gaveUp) = (0, 0, false)
      }
      propagate(from: side, object, payload, me, propagation)
      propagation.pop()
    }
  }

  /// Makes this the thread where the binding is busy; false if it is so already, and has been told to look again.
  @inline(__always)
  private func becomeBusy(_ me: UInt, _ side: BindingSide) -> Bool {
    while true {
      let (isMine, now) = run.busy.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
      if isMine { return true }
      if now & ~3 == me {
        recordReentrantChange(side)
        return false
      }
      // Another thread is at it, and looks again before it leaves. Exchanged even where the bit is set, so that it sees
      // what was written here before.
      let requesting = now | Self.bit(side)
      if run.busy.compareExchange(expected: now, desired: requesting, ordering: .acquiringAndReleasing).exchanged {
        return false
      }
    }
  }

  /// Hears of a change that the binding has set off itself.
  private func recordReentrantChange(_ side: BindingSide) {
    if run.receiver == side { return run.selfNotifications += 1 }
    if run.rounds == Self.maximumRounds - 2 {
      run.cycle = Propagation.current._withUnsafeGuaranteedRef { $0.cycle(of: self) }
    }
    run.pendingSide = side
  }

  private func propagate(
    from start: BindingSide, _ object: Unmanaged<AnyObject>?, _ payload: BindingPayload?, _ me: UInt,
    _ propagation: Propagation
  ) {
    var side = start
    var (object, payload) = (object, payload)
    while !run.gaveUp, !isEnded {
      run.transfers += 1
      if propagation.hasCycle, run.transfers > Self.maximumTransfers { return giveUp() }
      transfer(from: side, object, payload)
      if let pendingSide = run.pendingSide {
        run.pendingSide = nil
        side = pendingSide
        run.rounds += 1
        propagation.hasCycle = true
        if run.rounds >= Self.maximumRounds { return giveUp() }
      } else {
        if run.busy.compareExchange(expected: me, desired: 0, ordering: .acquiringAndReleasing).exchanged { return }
        // Asked for by other threads; where both ends were changed, the source counts.
        let requested = run.busy.exchange(me, ordering: .acquiringAndReleasing)
        side = requested & Self.bit(.source) != 0 ? .source : .target
      }
      // What was inserted or removed meanwhile is not known any more.
      (object, payload) = (nil, nil)
    }
    run.pendingSide = nil
    run.busy.store(0, ordering: .releasing)
  }

  private func giveUp() {
    let error = unsettled(rounds: run.rounds)
    run.gaveUp = true
    run.pendingSide = nil
    run.busy.store(0, ordering: .releasing)
    fail(error)
  }

  /// The error of bindings that set each other off without end.
  func unsettled(rounds: Int) -> KVError {
    KVError(
      .doesNotSettle,
      """
      the values do not come to rest: after \(rounds) rounds \(run.cycle ?? locatedSummary) still change each other. \
      Let the transformers and setters agree on a value, or leave out one of the bindings.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// What it binds, and where it was made: objects of one class read alike.
  var locatedSummary: String { "\(summary) (\(site.description))" }
}
