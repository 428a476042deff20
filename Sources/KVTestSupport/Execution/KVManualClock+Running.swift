import KVCore

extension KVManualClock {
  /// Advances the clock, and runs the work of an executor that becomes due meanwhile (TST.3).
  ///
  /// ```swift
  /// let limit = KVRateLimit.debounce(for: .milliseconds(300), clock: clock, on: executor)
  /// let token = try form.observe("query") { change in search(change.new) }.limited(by: limit)
  /// form.query = "tea"
  /// clock.advance(by: .milliseconds(300), running: executor)   // has searched for "tea"
  /// ```
  ///
  /// The clock stops at each deadline on its way. All pending work runs there, and what it defers may become due within
  /// the same call. Nothing has to be awaited, except for tasks that sleep, which are woken as by ``advance(by:)``.
  ///
  /// - Parameters:
  ///   - duration: The duration. A negative duration traps.
  ///   - executor: The executor.
  ///   - limit: The maximum number of stops, and of pieces of work at each of them. What is due or pending after that is
  ///     reported as a failure.
  ///   - fileID: The file of the caller.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  /// - Returns: The number of pieces of work that were run.
  @discardableResult
  public func advance(
    by duration: Duration, running executor: KVManualExecutor, limit: Int = 10_000, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Int {
    let end = beginAdvancing(by: duration)
    var count = 0
    for _ in 0..<limit {
      count += executor.runAll(limit: limit, fileID: fileID, filePath: filePath, line: line, column: column)
      // The executor has reported work without end.
      if executor.pendingCount > 0 || !step(upTo: end) { return count }
    }
    fail(
      "Time does not pass: the clock has stopped \(limit) times, and stands at \(now) of \(end).",
      at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return count
  }
}
