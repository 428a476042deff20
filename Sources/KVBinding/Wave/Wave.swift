import KVCore
import Synchronization

/// The effects of one change of the program on its thread: its notifications, the bindings that these trigger, and all
/// that the writes of the bindings cause in turn (WAV.1).
///
/// The delivery of the change begins the wave, and ends it. Bindings that the write of a binding triggers wait. When the
/// change is delivered, they have their turns in the order of dependence (WAV.3), and then the kept registrations are
/// notified (WAV.4). Each other change, such as that of a handler, has a wave of its own, which is complete before the
/// statement that makes the change has ended (KVO.8).
final class Wave {
  /// How often a binding has had its turn, and which one triggered it last.
  private struct Turns {
    var count = 0
    var cause: (binding: BindingCore, side: BindingSide)?
  }

  /// The maximum number of turns of a binding in a wave (BND.5).
  static let maximumTurns = 100
  /// The bits of the number of a wave that count the waves of its thread; those above are of the thread.
  static let bitsOfThread: UInt64 = 40

  private struct State {
    /// The number of the wave, which no other one has.
    var number: UInt64 = 0
    /// Which bindings follow others, and which registrations are kept; nil if there is nothing to order.
    var order: WaveOrder?
    /// The wave in which the change was made that began this one.
    var outer: Wave?
    /// The bindings that wait.
    var queue = ReactionQueue()
    /// The turns of the bindings, if one may have triggered itself.
    var turns: [WaveOrder.Node: Turns] = [:]
    var isCyclic = false
    /// The bindings that have had their turns in the delivery that began the wave.
    var first: ContiguousArray<WaveOrder.Node> = []
    /// The kept notifications, by their index in ``WaveOrder/kept``.
    var kept: ContiguousArray<DeferredNotification?> = []
    /// Of which of them another wave has notified meanwhile.
    var notified: Set<Int> = []
    var keptRuns: [ChangeRun] = []
    /// The trace of the wave, while a handler receives verbose events.
    var trace: WaveTrace?
  }

  /// At an address, since each access of a property of an object would be checked for exclusivity.
  private let state: AddressOf<State>
  var order: WaveOrder? { state.pointee.order }
  var outer: Wave? { state.pointee.outer }

  /// Whether the notification of a registration is kept.
  func isKept(_ index: Int) -> Bool { state.pointee.kept[index] != nil }

  private init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Returns a wave with a number of its own.
  private static func begin(_ order: WaveOrder, _ thread: AddressOf<ThreadDeliveries.State>) -> Wave {
    let wave = thread.pointee.spareWaves.popLast() ?? Wave()
    thread.pointee.lastWave &+= 1
    wave.state.pointee.number = thread.pointee.lastWave
    wave.state.pointee.order = order
    if KVDiagnostics.isTracing { wave.state.pointee.trace = WaveTrace() }
    if !order.kept.isEmpty {
      wave.state.pointee.kept = ContiguousArray(repeating: nil, count: order.kept.count)
    }
    return wave
  }

  private func end(_ thread: AddressOf<ThreadDeliveries.State>) {
    let (trace, number) = (state.pointee.trace, state.pointee.number)
    (state.pointee.order, state.pointee.outer, state.pointee.trace) = (nil, nil, nil)
    state.pointee.isCyclic = false
    if !state.pointee.notified.isEmpty { state.pointee.notified = [] }
    state.pointee.first.removeAll(keepingCapacity: true)
    if !state.pointee.turns.isEmpty { state.pointee.turns = [:] }
    if !state.pointee.kept.isEmpty { state.pointee.kept = [] }
    if thread.pointee.spareWaves.count < 16 { thread.pointee.spareWaves.append(self) }
    trace?.report(number)
  }

  // MARK: Beginning

  /// Delivers a change with bindings: as part of the wave whose binding has announced it, or as a wave of its own.
  ///
  /// - Parameters:
  ///   - isWriteOfBinding: Whether the binding that has its turn makes the change.
  ///   - hasBindings: Whether the change triggers bindings; if not, it needs no wave of its own.
  ///   - order: Returns the order of the wave; its parameter is the binding that makes the change, and does not follow it.
  ///   - body: Notifies all entries; its parameter is the wave that the change belongs to.
  static func deliver(
    isWriteOfBinding: Bool, hasBindings: Bool,
    _ thread: AddressOf<ThreadDeliveries.State> = ThreadDeliveries.current.borrow { $0.state },
    order: (BindingCore?) -> WaveOrder?, _ body: (_KVReference<Wave>?) -> Void
  ) {
    if !isWriteOfBinding, !hasBindings { return body(nil) }
    guard isWriteOfBinding else { return run(thread, { order(nil) }, hops: 0, body) }
    if thread.pointee.isUnordered {
      let writer = thread.pointee.running?.binding.object
      return leadsNowhere(thread) ? body(nil) : run(thread, { order(writer) }, hops: 0, body)
    }
    let outer = thread.pointee.isWriteOfBinding
    thread.pointee.isWriteOfBinding = true
    body(thread.pointee.wave)
    thread.pointee.isWriteOfBinding = outer
  }

  /// Whether what the binding that has its turn sets leads nowhere: nothing was added since that was found, and it does
  /// not set the side that has changed.
  private static func leadsNowhere(_ thread: AddressOf<ThreadDeliveries.State>) -> Bool {
    guard let (binding, side) = thread.pointee.running, binding.borrow({ $0.run.receiver != side }) else {
      return false
    }
    return thread.pointee.unorderedVersion == WaveOrder.version
  }

  /// Lets a binding propagate which no change has triggered; what it sets begins a wave.
  static func callBinding(_ thread: AddressOf<ThreadDeliveries.State>, hops: Int, _ body: () -> Void) {
    run(thread, { nil }, hops: hops, version: .max) { _ in body() }
  }

  private static func run(
    _ thread: AddressOf<ThreadDeliveries.State>, _ order: () -> WaveOrder?, hops: Int,
    version: UInt64 = WaveOrder.version, _ body: (_KVReference<Wave>?) -> Void
  ) {
    let (wave, isWriteOfBinding, unorderedVersion) = (
      thread.pointee.wave, thread.pointee.isWriteOfBinding, thread.pointee.unorderedVersion
    )
    let (expected, outerHops) = (thread.pointee.expected, thread.pointee.hops)
    (thread.pointee.isWriteOfBinding, thread.pointee.expected) = (false, nil)
    if hops > 0 { thread.pointee.hops = hops }
    if let order = order() {
      thread.pointee.unorderedVersion = 0
      run(thread, order, body)
    } else {
      thread.pointee.unorderedVersion = version
      body(nil)
    }
    (thread.pointee.wave, thread.pointee.isWriteOfBinding) = (wave, isWriteOfBinding)
    thread.pointee.unorderedVersion = unorderedVersion
    (thread.pointee.expected, thread.pointee.hops) = (expected, outerHops)
  }

  @inline(never)
  private static func run(
    _ thread: AddressOf<ThreadDeliveries.State>, _ order: WaveOrder, _ body: (_KVReference<Wave>?) -> Void
  ) {
    let wave = begin(order, thread)
    wave.state.pointee.outer = thread.pointee.wave?.object
    thread.pointee.wave = _KVReference(wave)
    body(_KVReference(wave))
    wave.drain(thread)
    wave.deliverDeferred(thread)
    wave.end(thread)
  }

  // MARK: Turns

  /// Records the turn of a binding in the delivery that begins the wave.
  func addFirst(_ binding: BindingCore, _ side: BindingSide) {
    state.pointee.first.append(WaveOrder.Node(binding, side))
    state.pointee.trace?.add(reactionOf: binding)
  }

  /// Lets a binding wait for its turn, unless it does already.
  func add(
    _ binding: BindingCore, _ side: BindingSide, _ payload: BindingPayload?,
    _ running: (binding: _KVReference<BindingCore>, side: BindingSide)?
  ) {
    if let running, running.binding.borrow({ binding.rank(side) >= $0.rank(running.side) }) {
      countTurns(binding, side, (running.binding.object, running.side))
    }
    let number = state.pointee.number
    let previous = binding.beginWaiting(side, number)
    if previous == number { return state.pointee.queue.merge(binding, side, payload) }
    // It may wait in an outer wave, too; those of other threads have numbers of another range.
    let isOfThread = previous >> Self.bitsOfThread == number >> Self.bitsOfThread
    let outerWave = isOfThread ? previous : 0
    if outerWave != 0 { forgetPayload(binding, side) }
    state.pointee.queue.insert(binding, side, outerWave == 0 ? payload : nil, outerWave: outerWave)
  }

  /// Counts the turns from now on, since a binding may have triggered itself.
  private func countTurns(
    _ binding: BindingCore, _ side: BindingSide, _ cause: (binding: BindingCore, side: BindingSide)
  ) {
    if !state.pointee.isCyclic {
      state.pointee.isCyclic = true
      for id in state.pointee.first { state.pointee.turns[id, default: Turns()].count = 1 }
    }
    state.pointee.turns[WaveOrder.Node(binding, side), default: Turns()].cause = cause
  }

  /// Gives the waiting bindings their turns, and those that they trigger.
  private func drain(_ thread: AddressOf<ThreadDeliveries.State>) {
    while let next = state.pointee.queue.popFirst() {
      next.reference.borrow { binding in
        binding.endWaiting(next.side, state.pointee.number, outer: next.outerWave)
        let payload = state.pointee.queue.hasPayloads ? state.pointee.queue.removePayload(of: next) : nil
        if binding.isEnded || state.pointee.isCyclic && !mayRun(next) { return }
        if state.pointee.trace != nil { trace(next) }
        thread.pointee.isWriteOfBinding = false
        binding.runReaction(next.side, nil, payload, thread)
      }
      next.reference.release()
    }
  }

  private func trace(_ next: ReactionQueue.Reaction) {
    let turns = state.pointee.turns[WaveOrder.Node(next.binding, next.side)]
    if let turns, turns.count > 1 {
      state.pointee.trace?.add(repeatedReactionOf: next.binding, after: turns.cause?.binding)
    } else {
      state.pointee.trace?.add(reactionOf: next.binding)
    }
  }

  /// Counts a turn; false if the binding has had too many, so that it fails.
  private func mayRun(_ next: ReactionQueue.Reaction) -> Bool {
    let id = WaveOrder.Node(next.binding, next.side)
    state.pointee.turns[id, default: Turns()].count += 1
    let count = state.pointee.turns[id]?.count ?? 0
    if count == Self.maximumTurns + 1 {
      let binding = next.binding
      binding.fail(binding.unsettled(rounds: Self.maximumTurns, cycle(of: binding, next.side)))
    }
    return count <= Self.maximumTurns
  }

  /// Returns the bindings that led from one back to it, in the order of their turns; only that one if other code did.
  private func cycle(of binding: BindingCore, _ side: BindingSide) -> [BindingCore] {
    var (result, next) = ([binding], state.pointee.turns[WaveOrder.Node(binding, side)]?.cause)
    while let (cause, side) = next, cause !== binding, result.count < 10 {
      if result.contains(where: { $0 === cause }) { return [binding] }
      result.append(cause)
      next = state.pointee.turns[WaveOrder.Node(cause, side)]?.cause
    }
    return next?.binding === binding ? [binding] + result.dropFirst().reversed() : [binding]
  }

  /// Lets a binding that waits here or in an outer wave propagate the present value of its endpoint, since it has an
  /// earlier turn elsewhere: only the order of the edits would show where they belong.
  func forgetPayload(_ binding: BindingCore, _ side: BindingSide) {
    var next: Wave? = self
    while let wave = next {
      wave.state.pointee.queue.merge(binding, side, nil)
      next = wave.outer
    }
  }

  // MARK: Kept notifications

  /// Whether the wave may keep notifications.
  var keeps: Bool { !state.pointee.kept.isEmpty }

  /// Returns the index of a registration that the wave keeps; nil if it does not.
  func keptIndex(of registration: Registration) -> Int? { order?.index(of: registration) }

  /// Keeps the notification of a step to the end of the wave, unless an earlier one of its registration is kept.
  func keep(_ step: Int, of run: ChangeRun, at index: Int) {
    if state.pointee.kept[index] != nil { return }
    state.pointee.kept[index] = DeferredNotification(
      run: run, step: step, object: run.object?.object, wasNotified: state.pointee.notified.contains(index))
    if state.pointee.keptRuns.last !== run { state.pointee.keptRuns.append(run) }
    state.pointee.trace?.add(kept: run.plan.steps[step].registration)
  }

  /// Removes and returns a kept notification, of which another wave notifies now.
  func takeOver(_ index: Int) -> DeferredNotification? {
    guard let notification = state.pointee.kept[index] else { return nil }
    state.pointee.kept[index] = nil
    state.pointee.notified.insert(index)
    state.pointee.trace?.add(merged: notification.run.plan.steps[notification.step].registration)
    return notification
  }

  private func deliverDeferred(_ thread: AddressOf<ThreadDeliveries.State>) {
    if state.pointee.keptRuns.isEmpty { return }
    let runs = state.pointee.keptRuns
    state.pointee.keptRuns = []
    thread.pointee.isWriteOfBinding = false
    for run in runs { run.forgetNew() }
    for notification in state.pointee.kept { if let notification { notification.run.readDeferred(notification.step) } }
    for (index, notification) in state.pointee.kept.enumerated() {
      // A handler of an earlier one may have changed a key that it depends on, and that change has notified it.
      guard let notification, state.pointee.kept[index] != nil else { continue }
      state.pointee.kept[index] = nil
      notification.run.deliverDeferred(notification.step, ifChanged: notification.wasNotified)
    }
    for run in runs { run.close() }
  }
}

/// A notification that a wave keeps: a step of a run that has read the old value.
struct DeferredNotification {
  let run: ChangeRun
  let step: Int
  /// The object of the run, which lives to the end of the wave (WAV.7).
  let object: AnyObject?
  /// Whether another wave has notified the registration meanwhile, so that only another value is notified of.
  let wasNotified: Bool
}
