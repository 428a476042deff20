/// The threads on which a binding propagates changes (BND.12).
public enum KVBindingConcurrency: Sendable {
  /// On the thread that makes the change, at once.
  case anyThread
  /// Only while the executor is current; a change elsewhere is not propagated, and is an error of the
  /// binding.
  case only(any KVExecutor)
  /// By the executor: the value is read and transformed on the thread of the change, and set later by the executor.
  case dispatched(any KVExecutor)
  /// By the executor of a rate limit, which defers changes: the value is read, transformed and set there, when the limit
  /// allows it (COA.10).
  case limited(KVRateLimit)

  /// The executor that sets values, unless it runs the current thread's work; nil also if no executor sets them.
  var otherExecutor: (any KVExecutor)? {
    let executor: any KVExecutor
    switch self {
    case .anyThread, .only: return nil
    case .dispatched(let dispatched): executor = dispatched
    case .limited(let limit): executor = limit.executor
    }
    return executor.isCurrent ? nil : executor
  }
}
