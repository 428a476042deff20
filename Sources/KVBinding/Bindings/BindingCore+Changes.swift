import KVCore
import Synchronization

extension BindingCore {
  // MARK: Observing

  /// Called when an endpoint is notified of a change: the binding has its turn, or waits for it (WAV.3).
  ///
  /// - Parameters:
  ///   - side: The side of the endpoint.
  ///   - object: The object of the endpoint, if it is known to be alive.
  ///   - payload: The edit of a collection; nil for a setting.
  func endpointWasNotified(_ side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?) {
    if ThreadDeliveries.suspendsBindings(self) { return }
    if run.isBusyHere { return react(side, object, payload) }
    let thread = ThreadDeliveries.current.borrow { $0.state }
    if let wave = thread.pointee.wave, !thread.pointee.isUnordered {
      let isWriteOfBinding = thread.pointee.isWriteOfBinding
      let waits = wave.borrow { wave in
        if isWriteOfBinding || wave.order?.isDownstream(self, side) == true {
          wave.add(self, side, payload, isWriteOfBinding ? thread.pointee.running : nil)
          return true
        }
        wave.addFirst(self, side)
        return false
      }
      if waits { return }
    }
    if isWaiting(side), let wave = thread.pointee.wave {
      wave.borrow { $0.forgetPayload(self, side) }
      return runReaction(side, object, nil, thread)
    }
    runReaction(side, object, payload, thread)
  }

  /// Called when an endpoint changes that is not observed, such as a control.
  func endpointDidChange(_ side: BindingSide) {
    if ThreadDeliveries.suspendsBindings(self) { return }
    if run.isBusyHere { return react(side, nil, nil) }
    beginWave(side) { react(side, nil, nil) }
  }

  /// Reacts to a change of an endpoint, as the running binding of the wave.
  func runReaction(
    _ side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?,
    _ thread: AddressOf<ThreadDeliveries.State>
  ) {
    performReaction(side, thread) { react(side, object, payload) }
  }

  /// Calls a function while this is the running binding of the wave.
  @inline(__always)
  private func performReaction(_ side: BindingSide, _ thread: AddressOf<ThreadDeliveries.State>, _ body: () -> Void) {
    let outer = thread.pointee.running
    thread.pointee.running = (_KVReference(self), side)
    thread.pointee.transacted?.add(self)
    body()
    thread.pointee.running = outer
  }

  @inline(__always)
  private func react(_ side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?) {
    if side == .source ? isImmediate.source : isImmediate.target {
      propagate(from: side, object, payload)
    } else {
      processChange(side, object, payload)
    }
  }

  /// Calls a function that propagates, for the program, an executor or a timer: what it sets begins a wave.
  func beginWave(_ side: BindingSide, hops: Int = 0, _ body: () -> Void) {
    let thread = ThreadDeliveries.current.borrow { $0.state }
    Wave.callBinding(thread, hops: hops) { performReaction(side, thread, body) }
  }

  @inline(never)
  func processChange(_ side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?) {
    if run.isSelfNotification(side) { return rebind(side) }
    let from: BindingSide
    var hasMoved = true
    switch options.direction {
    case .oneWay, .once:
      from = .source
      // A change of the target is ignored, unless another object has the last key now.
      if side == .target, !target.parentDidChange() { return }
    case .toSource:
      from = .target
      // A change of the source is ignored, unless another object has the last key now.
      hasMoved = endpoint(side).parentDidChange()
      if !hasMoved, side == .source { return }
    // If another object has the last key of the target's path, it gets the source's value.
    case .twoWay:
      from = side == .target && target.parentDidChange() ? .source : side
      hasMoved = from == .source
    }
    if options.trigger == .explicit { return }
    if hasMoved, options.trigger == .onCommit || limiter != nil, let edit = removeMovedEdit() {
      return _ = finish(edit)
    }
    if options.trigger == .onCommit {
      if from == .target {
        recordEdit()
        return trace { "a change of the target waits for its commit" }
      }
      if hasEdit { return trace { "a change of the source waits until the target's is committed or discarded" } }
    }
    let payload = side == from ? payload : nil
    let object = side == from ? object : nil
    switch options.concurrency {
    case .anyThread: propagate(from: from, object, payload)
    case .only(let executor):
      guard executor.isCurrent else { return fail(wrongThread) }
      propagate(from: from, object, payload)
    case .dispatched(let executor):
      do throws(KVError) { try queue(from, executor) } catch { fail(error) }
    case .limited: propagateLater(from: from)
    }
  }

  /// Called when an object on the path of an endpoint was deallocated, while the path may not be read (LIF.3).
  ///
  /// The path of a source is unresolved then; another object in the path of a target is noticed at the next change.
  func sourceBecameUnreadable(_ registration: Registration) {
    guard !target.isObserved(by: registration), options.direction != .toSource, options.trigger != .explicit,
      options.trigger != .onCommit || !hasEdit,
      !run.isSelfNotification(.source), !ThreadDeliveries.suspendsBindings(self)
    else { return }
    let hops = ThreadDeliveries.current.borrow { $0.state.pointee.hops }
    let payload = BindingPayload(unresolvedOutgoing, hops: hops)
    switch options.concurrency {
    case .anyThread: beginWave(.source) { propagate(from: .source, nil, payload) }
    case .only(let executor):
      if executor.isCurrent { beginWave(.source) { propagate(from: .source, nil, payload) } } else { fail(wrongThread) }
    case .dispatched(let executor): queue(Queued(side: .source, value: payload), executor)
    case .limited: propagateLater(from: .source)
    }
  }

  /// Returns whether a key on the path of an endpoint is changing, so that the endpoint cannot be read or set (LIF.3).
  ///
  /// The end of that change then synchronizes the endpoints, as if another object had the last key.
  func waitsForChange() -> Bool {
    let changing = ([source, target] + others).filter(\.isChanging)
    for endpoint in changing { endpoint.forgetParent() }
    return !changing.isEmpty
  }

  /// Requests another round if an observer of the endpoint that is being set has put another object into its path, which
  /// gets the value as well (BND.3).
  ///
  /// A source that is set by a binding in both ways is compared afterwards.
  private func rebind(_ side: BindingSide) {
    guard side == .target || options.direction == .toSource, endpoint(side).parentDidChange() else { return }
    run.selfNotifications -= 1
    run.pendingSide = side.other
  }

  /// Propagates the value of an endpoint when the rate limit allows it; that of the endpoint that changed last.
  func propagateLater(from side: BindingSide) {
    let hops = ThreadDeliveries.current.borrow { $0.state.pointee.hops } + 1
    if hops > Wave.maximumTurns { return fail(unsettled(rounds: hops - 1)) }
    // A change of the target belongs to the object for which it was made (BND.13).
    if side == .target { recordEdit() }
    status.withLock { status in
      status.limited = (side, hops)
      // A value that waits for the executor is older.
      status.queued = nil
      if side == .source, options.trigger == .onChange { status.edit = nil }
    }
    limiter?.request()
  }

  /// Called by the executor of the rate limit.
  func propagateLimited() {
    let due = status.withLock { status in
      defer { status.limited = nil }
      if status.limited?.side == .target { status.edit = nil }
      return status.limited
    }
    guard let due, !isEnded else { return }
    beginWave(due.side, hops: due.hops) {
      do throws(KVError) {
        propagate(from: due.side, nil, BindingPayload(try outgoing(from: due.side), hops: due.hops))
      } catch {
        fail(error)
      }
    }
  }

  var wrongThread: KVError {
    KVError(
      .wrongThread,
      """
      the binding of \(summary) works on one executor only, and the change was made elsewhere; it was not propagated. \
      Make the change there, or let the binding be dispatched to it.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// Reads a value on this thread, and queues it for an executor that sets it.
  func queue(_ side: BindingSide, _ executor: any KVExecutor) throws(KVError) {
    let hops = ThreadDeliveries.current.borrow { $0.state.pointee.hops } + 1
    if hops > Wave.maximumTurns { throw unsettled(rounds: hops - 1) }
    queue(Queued(side: side, value: BindingPayload(try outgoing(from: side), hops: hops)), executor)
  }

  private func queue(_ value: Queued, _ executor: any KVExecutor) {
    let waits = status.withLock { status in
      defer { status.queued = value }
      return status.queued != nil
    }
    // The executor sets the value of the endpoint that changed last.
    if waits { return }
    let work = QueuedWork(self)
    executor.enqueue { work.run() }
  }

  fileprivate func removeQueued() -> Queued? {
    status.withLock { status in
      defer { status.queued = nil }
      return status.queued
    }
  }

  fileprivate func propagateQueued() {
    if let queued = removeQueued() {
      beginWave(queued.side, hops: queued.value.hops) { propagate(from: queued.side, nil, queued.value) }
    }
    if options.direction == .once { cancel() }
  }

  /// A value that is queued for the executor.
  struct Queued: @unchecked Sendable {  // guard: passed from one thread to another, and used by one at a time
    let side: BindingSide
    let value: BindingPayload
  }

  /// Synchronizes the endpoints after a transaction was rolled back.
  func synchronize() {
    // The objects on the paths are the former ones again.
    _ = (source.recordParent(), target.recordParent())
    guard options.trigger == .onChange else { return }
    // An edit that the transaction has put back goes on waiting for the rate limit.
    if limiter != nil, hasEdit { return propagateLater(from: .target) }
    endpointDidChange(options.direction == .toSource ? .target : .source)
  }

  // MARK: Manual updates

  /// Propagates a value now, with any trigger, on the thread or executor of BND.12.
  ///
  /// An edit that was made for another object is committed to that object first (BND.13).
  func update(from side: BindingSide) throws(KVError) {
    if let edit = removeMovedEdit() {
      if let error = finish(edit, isThrown: true) { throw error }
      return
    }
    try updatePresent(from: side)
  }

  private func updatePresent(from side: BindingSide) throws(KVError) {
    defer { reportEditing() }
    if isEnded { throw KVError(.unsupported, "the binding of \(summary) has ended; make another one.") }
    status.withLock { $0.limited = nil }
    if let executor = options.concurrency.otherExecutor {
      try queue(side, executor)
      return status.withLock { $0.edit = nil }
    }
    if case .only(let executor) = options.concurrency, !executor.isCurrent {
      fail(wrongThread, isThrown: true)
      throw wrongThread
    }
    try propagateThrowing(from: side)
    status.withLock { $0.edit = nil }
  }

  var hasEdit: Bool { status.withLock { $0.edit != nil } }

  package func commit() throws(KVError) {
    if hasEdit { try update(from: .target) }
  }

  package func discard() throws(KVError) {
    if hasEdit { try updatePresent(from: .source) }
  }
}

/// The work that a binding enqueues on an executor.
private final class QueuedWork: @unchecked Sendable {  // guard: run at most once, and then emptied
  private var core: BindingCore?

  init(_ core: BindingCore) { self.core = core }

  func run() {
    core?.propagateQueued()
    core = nil
  }

  /// Removes the queued value, so that the next change is enqueued even if the executor has dropped this work.
  deinit { _ = core?.removeQueued() }
}
