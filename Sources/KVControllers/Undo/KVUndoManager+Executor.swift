import KVBinding
import KVCore

// A manager with an executor is used on that only (UND.14).
extension KVUndoManager {
  /// Whether the manager has an executor, and the calling code runs elsewhere.
  @inline(__always)
  var isOffExecutor: Bool { hasExecutor && executor?.isCurrent == false }

  /// Throws if the calling code does not run on the executor.
  func checkExecutor(_ call: String) throws(KVError) {
    if isOffExecutor { throw wrongThread(call) }
  }

  /// Returns whether the calling code does not run on the executor, and reports that.
  func reportsOffExecutor(_ call: String) -> Bool {
    guard isOffExecutor else { return false }
    KVDiagnostics.report(.error, .undo, nil, self) { "\(wrongThread(call))" }
    return true
  }

  private func wrongThread(_ call: String) -> KVError {
    KVError(
      .wrongThread,
      "\(call) was called off the executor of the undo manager, and has no effect. Call it there: executor.enqueue { … }.",
      rootType: "\(type(of: self))")
  }

  /// The last state, for code that does not run on the executor; nil for other code.
  var stateOffExecutor: State? {
    isOffExecutor ? published.withLock { $0 } ?? State(UndoHistory()) { _ in nil } : nil
  }

  /// Makes the present state the one that other code reads.
  func publish() {
    if !hasExecutor { return }
    let state = State(history, name: stepName)
    published.withLock { $0 = state }
  }
}
