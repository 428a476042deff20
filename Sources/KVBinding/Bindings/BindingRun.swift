import KVCore
import Synchronization

extension BindingCore {
  /// What a binding is doing right now, on the thread where it is busy.
  ///
  /// Bindings that are busy on one thread form a chain, from the one that was set off by the last.
  // guard: whoever has put its number into `busy` may use the rest
  final class Run: @unchecked Sendable {
    /// The number of the thread that is carrying a value over, above two bits that say which end is to be looked at again.
    let busy = Atomic<UInt>(0)
    /// The end that is being set; nil between writes.
    @exclusivity(unchecked) var receiver: BindingSide?
    /// How many changes of the end that is being set were heard; the first of them is the write itself.
    @exclusivity(unchecked) var echoes = 0
    /// The binding that set this one off.
    @exclusivity(unchecked) var outer: Unmanaged<BindingCore>?
    @exclusivity(unchecked) var depth = 0
    /// The propagation that the counts below belong to.
    @exclusivity(unchecked) var propagation: UInt = 0
    @exclusivity(unchecked) var rounds = 0
    @exclusivity(unchecked) var transfers = 0
    @exclusivity(unchecked) var isExhausted = false
    /// The bindings that set this one off again, as text; noted shortly before it gives up.
    @exclusivity(unchecked) var cycle: String?
    /// What waits until the chain is shorter; of the outermost binding only.
    @exclusivity(unchecked) var waiting: [(core: BindingCore, side: BindingSide)] = []
    @exclusivity(unchecked) var isWaitedFor = false

    /// Counts from the beginning.
    @inline(__always)
    func begin(_ propagation: UInt) {
      self.propagation = propagation
      (rounds, transfers, isExhausted) = (0, 0, false)
    }

    /// Whether a change of an end is what this thread is writing there; it is counted then.
    func isOwn(_ side: BindingSide) -> Bool {
      guard busy.load(ordering: .acquiring) & ~3 == BindingCore.thisThread, receiver == side else { return false }
      echoes += 1
      return true
    }
  }

  /// How often bindings that set each other off may go round (BND.5).
  static let maximumRounds = 100
  /// How often one binding may carry values over while others go round; beyond it, the graph does not settle.
  static let maximumTransfers = 1000
  /// How long a chain of bindings goes into the stack; what follows is done when the chain is through.
  static let maximumDepth = 200

  private static let innermost = ThreadLocal<BindingCore>()
  private static let propagations = Atomic<UInt>(0)

  /// The number of this thread, with room for two bits.
  @inline(__always)
  static var thisThread: UInt { currentThread() << 2 }

  private static func bits(_ side: BindingSide) -> UInt { side == .source ? 1 : 2 }

  /// Carries the value of one end over to the other, and does so again as long as either changes meanwhile.
  func carry(from side: BindingSide, _ object: Unmanaged<AnyObject>?, _ edit: ToManyEdit?) {
    let me = Self.thisThread
    while true {
      let (isMine, now) = run.busy.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
      if isMine { break }
      if now & ~3 == me {
        if run.receiver == side {
          run.echoes += 1
        } else {
          if run.rounds == Self.maximumRounds - 2 { run.cycle = cycle() }
          run.busy.store(me | Self.bits(side), ordering: .releasing)
        }
        return
      }
      // Another thread is at it, and looks again before it leaves.
      let wanted = now & ~3 | Self.bits(side)
      if run.busy.compareExchange(expected: now, desired: wanted, ordering: .acquiringAndReleasing).exchanged { return }
    }
    let outer = Self.innermost.unmanaged
    guard enter(from: outer, side) else { return run.busy.store(0, ordering: .releasing) }
    Self.innermost.unmanaged = .passUnretained(self)
    carry(from: side, object, edit, me)
    if outer == nil, run.isWaitedFor { finishWaiting() }
    Self.innermost.unmanaged = outer
  }

  /// Takes its place behind the binding that set it off; false if the chain is too long by now.
  @inline(__always)
  private func enter(from outer: Unmanaged<BindingCore>?, _ side: BindingSide) -> Bool {
    run.outer = outer
    guard let outer else {
      run.depth = 0
      run.begin(Self.propagations.wrappingAdd(1, ordering: .relaxed).newValue)
      return true
    }
    return outer._withUnsafeGuaranteedRef { outer in
      run.depth = outer.run.depth + 1
      if run.depth > Self.maximumDepth {
        let first = outer.outermost.run
        first.waiting.append((self, side))
        first.isWaitedFor = true
        return false
      }
      if run.propagation != outer.run.propagation { run.begin(outer.run.propagation) }
      return true
    }
  }

  private func carry(
    from start: BindingSide, _ object: Unmanaged<AnyObject>?, _ edit: ToManyEdit?, _ me: UInt
  ) {
    var side = start
    var (object, edit) = (object, edit)
    while true {
      if run.isExhausted || isEnded { break }
      run.transfers += 1
      if run.transfers > Self.maximumTransfers, isGoingRound { return giveUp() }
      transfer(from: side, object, edit)
      let (isDone, now) = run.busy.compareExchange(expected: me, desired: 0, ordering: .acquiringAndReleasing)
      if isDone { return }
      run.busy.store(me, ordering: .releasing)
      side = now & 3 == Self.bits(.source) ? .source : .target
      // What was inserted or removed meanwhile is not known any more.
      (object, edit) = (nil, nil)
      run.rounds += 1
      if run.rounds >= Self.maximumRounds { return giveUp() }
    }
    run.busy.store(0, ordering: .releasing)
  }

  /// Whether one of the bindings that led here is at it again; a handler may well set a bound property often.
  private var isGoingRound: Bool {
    var core = self
    while core.run.rounds == 0 {
      guard let outer = core.run.outer?.takeUnretainedValue() else { return false }
      core = outer
    }
    return true
  }

  /// Asks for another look at an end when the present transfer is through.
  func lookAgain(at side: BindingSide) { run.busy.store(Self.thisThread | Self.bits(side), ordering: .releasing) }

  private func giveUp() {
    run.isExhausted = true
    run.busy.store(0, ordering: .releasing)
    fail(
      KVError(
        .doesNotSettle,
        """
        the values do not come to rest: after \(run.rounds) rounds \(run.cycle ?? summary) still change each other. Let the transformers \
        and setters agree on a value, or leave out one of the bindings.
        """, keyPath: source.path.description, rootType: source.typeName))
  }

  /// Names the bindings that led from this one back to it; only this one if something else of the program did.
  private func cycle() -> String {
    var names: [String] = []
    var core = Self.innermost.object
    while let current = core, current !== self, names.count < 10 {
      names.append(current.summary)
      core = current.run.outer?.takeUnretainedValue()
    }
    return ([summary] + names.reversed()).joined(separator: ", ")
  }

  private var outermost: BindingCore {
    var core = self
    while let outer = core.run.outer?.takeUnretainedValue() { core = outer }
    return core
  }

  private func finishWaiting() {
    var next = 0
    while next < run.waiting.count {
      let (core, side) = run.waiting[next]
      next += 1
      core.carry(from: side, nil, nil)
    }
    run.waiting = []
    run.isWaitedFor = false
  }
}
