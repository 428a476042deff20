import KVCore

/// An executor that runs work when the test says so, to test dispatched bindings step by step (TST.3).
///
/// ```swift
/// let executor = KVManualExecutor()
/// try label.bind("text", to: "name", of: person, options: KVBindingOptions(concurrency: .dispatched(executor)))
/// person.name = "Grace"
/// label.text                   // as before
/// executor.runAll()
/// label.text                   // "Grace"
/// ```
///
/// Work runs in the order of its arrival, on the thread that calls ``runNext()`` or
/// ``runAll(limit:fileID:filePath:line:column:)``. It may be enqueued and run on any thread; two threads that run work
/// take turns, one piece each. Work that is still pending when the executor is deallocated is never run.
public final class KVManualExecutor: KVExecutor {
  private struct State {
    var pending: [@Sendable () -> Void] = []
    /// The thread that is running work.
    var runner: UInt?
  }

  private let state = Locked(State())
  private let lock = RecursiveLock()

  /// Creates an executor without work.
  public init() {}

  /// The number of pending pieces of work.
  package var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Whether the calling code is work of this executor; `false` on other threads and outside of a run.
  public var isCurrent: Bool { state.withLock { $0.runner } == currentThread() }

  /// Adds work, which is pending until the test runs it.
  ///
  /// - Parameter work: The work.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.pending.append(work) } }

  /// Runs the oldest pending piece of work.
  ///
  /// Work may call this method itself.
  ///
  /// - Returns: Whether there was a pending piece.
  @discardableResult
  public func runNext() -> Bool {
    lock.withLock {
      let work = state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
      guard let work else { return false }
      let outer = replaceRunner(currentThread())
      defer { _ = replaceRunner(outer) }
      work()
      return true
    }
  }

  /// Runs all pending work, including the work that it enqueues.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of pieces to run. Work that is pending after that is reported as a failure, and
  ///     stays pending.
  ///   - fileID: The file of the caller.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  /// - Returns: The number of pieces that were run.
  @discardableResult
  public func runAll(
    limit: Int = 10_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Int {
    var count = 0
    while count < limit {
      guard runNext() else { return count }
      count += 1
    }
    let left = pendingCount
    if left > 0 {
      fail(
        "The work does not come to an end: \(count) pieces were run, and \(left) wait.",
        at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return count
  }

  /// Drops the pending work, which is never run, as on a queue that is shut down.
  ///
  /// A dispatched binding propagates its next change again.
  ///
  /// - Returns: The number of dropped pieces.
  @discardableResult
  package func discardAll() -> Int {
    // The captures of the work are released outside of the lock.
    let dropped = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    return dropped.count
  }

  private func replaceRunner(_ runner: UInt?) -> UInt? {
    state.withLock { state in
      defer { state.runner = runner }
      return state.runner
    }
  }
}
