/// An executor of work, such as a queue or the main thread.
public protocol KVExecutor: Sendable {
  /// Whether the calling code runs on the executor.
  var isCurrent: Bool { get }
  /// Runs work later, in the order of the calls.
  ///
  /// - Parameter work: The work.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}
