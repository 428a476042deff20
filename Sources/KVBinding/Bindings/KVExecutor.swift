import KVCore

/// On which threads a binding may work (BND.12).
public enum KVBindingConcurrency: Sendable {
  /// On whichever thread makes the change, at once.
  case anyThread
  /// Only where the executor says that it is current; a change elsewhere is not carried over, and is an error of the
  /// binding.
  case only(any KVExecutor)
  /// Always through the executor: the value is read and set there, later.
  case dispatched(any KVExecutor)
}

/// Something that runs work, such as a queue or the main thread.
public protocol KVExecutor: Sendable {
  /// Whether the calling code runs on it.
  var isCurrent: Bool { get }
  /// Runs work later, in the order in which it comes.
  ///
  /// - Parameter work: The work.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}
