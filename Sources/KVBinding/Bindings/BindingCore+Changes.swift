import KVCore
import Synchronization

extension BindingCore {
  // MARK: Observing

  /// Hears of a change of one end.
  ///
  /// - Parameter object: The object at that end, where it is known to be alive.
  @inline(__always)
  func endpointDidChange(_ side: BindingSide, _ object: Unmanaged<AnyObject>?, _ payload: BindingPayload?) {
    if BindingSuspension.isAnywhere, BindingSuspension.note(self) { return }
    if isSimple, side == .source {
      propagate(from: .source, object, payload)
    } else {
      processChange(side, object, payload)
    }
  }

  @inline(never)
  func processChange(_ side: BindingSide, _ object: Unmanaged<AnyObject>?, _ payload: BindingPayload?) {
    if run.isSelfNotification(side) { return }
    let from: BindingSide
    switch options.direction {
    case .oneWay, .once:
      from = .source
      // What the target does by itself is its own affair, unless another object stands there now.
      if side == .target, !target.parentDidChange() { return }
    case .toSource:
      from = .target
      // What the source does by itself is its own affair, unless another object stands there now.
      if !endpoint(side).parentDidChange(), side == .source { return }
    // Another object at the end of the target's path knows nothing yet: it gets the source's value.
    case .twoWay: from = side == .target && target.parentDidChange() ? .source : side
    }
    if options.trigger == .explicit { return }
    if options.trigger == .onCommit {
      if from == .target {
        status.withLock { $0.hasEdit = true }
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
    }
  }

  var wrongThread: KVError {
    KVError(
      .wrongThread,
      """
      the binding of \(summary) works on one executor only, and the change was made elsewhere; it was not carried over. \
      Make the change there, or let the binding be dispatched to it.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// Reads a value here and now, and leaves setting it to an executor.
  func queue(_ side: BindingSide, _ executor: any KVExecutor) throws(KVError) {
    let hops = Propagation.current._withUnsafeGuaranteedRef { $0.hops } + 1
    if hops > Self.maximumRounds { throw unsettled(rounds: hops - 1) }
    let value = Queued(side: side, value: TransformedValue(try outgoing(from: side), hops: hops))
    let waits = status.withLock { status in
      defer { status.queued = value }
      return status.queued != nil
    }
    // The end that was changed last is the one whose value counts when the executor comes to it.
    if waits { return }
    let work = QueuedWork(self)
    executor.enqueue { work.run() }
  }

  fileprivate func takeQueued() -> Queued? {
    status.withLock { status in
      defer { status.queued = nil }
      return status.queued
    }
  }

  fileprivate func propagateQueued() {
    if let queued = takeQueued() { propagate(from: queued.side, nil, queued.value) }
    if options.direction == .once { cancel() }
  }

  /// A value on its way to the executor.
  struct Queued: @unchecked Sendable {  // guard: handed from one thread to another, and used by one at a time
    let side: BindingSide
    let value: TransformedValue
  }

  /// Carries the value over that counts, after a transaction was undone.
  func synchronize() {
    if options.trigger == .onChange { endpointDidChange(options.direction == .toSource ? .target : .source, nil, nil) }
  }

  // MARK: Manual updates

  /// Carries a value over now, whatever the trigger (BND.12 aside).
  func update(from side: BindingSide) throws(KVError) {
    if isEnded { throw KVError(.unsupported, "the binding of \(summary) has ended; make another one.") }
    switch options.concurrency {
    case .dispatched(let executor) where !executor.isCurrent: return try queue(side, executor)
    case .only(let executor) where !executor.isCurrent:
      fail(wrongThread)
      throw wrongThread
    default: propagate(from: side, nil, nil)
    }
    if let error = status.withLock({ $0.error }) { throw error }
    status.withLock { $0.hasEdit = false }
  }

  var hasEdit: Bool { status.withLock { $0.hasEdit } }

  func commit() throws(KVError) {
    if hasEdit { try update(from: .target) }
  }

  func discard() throws(KVError) {
    if hasEdit { try update(from: .source) }
  }
}

/// The work that a binding leaves to an executor.
private final class QueuedWork: @unchecked Sendable {  // guard: run at most once, and gone after that
  private var core: BindingCore?

  init(_ core: BindingCore) { self.core = core }

  func run() {
    core?.propagateQueued()
    core = nil
  }

  /// An executor that drops its work does not keep the binding from leaving it the next change.
  deinit { _ = core?.takeQueued() }
}
