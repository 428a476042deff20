import KVCore

/// An executor whose work waits until the test runs it: for dispatched bindings, step by step (TST.3).
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
/// Work runs in the order in which it came, on the thread that asks for it. It may be enqueued and run on any thread;
/// two threads that run work take turns, a piece each. Work that still waits when the executor dies is never run.
public final class KVManualExecutor: KVExecutor {
  private struct State {
    var pending: [@Sendable () -> Void] = []
    /// The thread that runs work.
    var runner: UInt?
  }

  private let state = Locked(State())
  private let turn = Turn()

  /// Makes an executor without work.
  public init() {}

  /// How many pieces of work wait.
  public var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Whether the calling code is work of this executor: false on every other thread, and outside of a run.
  public var isCurrent: Bool { state.withLock { $0.runner } == currentThread() }

  /// Takes work, which waits until it is run.
  ///
  /// - Parameter work: The work.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.pending.append(work) } }

  /// Runs the piece of work that waits longest.
  ///
  /// Work may call this in its turn.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func runNext() -> Bool {
    turn.take {
      let work = state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
      guard let work else { return false }
      let outer = replaceRunner(currentThread())
      defer { _ = replaceRunner(outer) }
      work()
      return true
    }
  }

  /// Runs work until none waits, also what work enqueues.
  ///
  /// - Parameters:
  ///   - limit: How many pieces run at most. If work still waits then, that is a failure, and it goes on waiting.
  ///   - fileID: The caller's file.
  ///   - filePath: The path of the caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  /// - Returns: How many pieces were run.
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

  /// Drops the work that waits: it is never run, as on a queue that is shut down.
  ///
  /// A dispatched binding carries the next change over again.
  ///
  /// - Returns: How many pieces there were.
  @discardableResult
  public func discardAll() -> Int {
    // What the work holds dies outside of the lock.
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
