/// The threads on which a binding propagates changes (BND.12).
public enum KVBindingConcurrency: Sendable {
  /// On the thread that makes the change, at once.
  case anyThread
  /// Only while the executor is current; a change elsewhere is not propagated, and is an error of the
  /// binding.
  case only(any KVExecutor)
  /// By the executor: the value is read and transformed on the thread of the change, and set later by the executor.
  case dispatched(any KVExecutor)
}
