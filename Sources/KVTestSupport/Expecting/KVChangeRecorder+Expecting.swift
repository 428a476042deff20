extension KVChangeRecorder {
  /// Expects the changes that were recorded since the last time, and begins anew (TST.2).
  ///
  /// - Parameters:
  ///   - expected: The changes.
  ///   - matching: How strictly they are compared.
  ///   - fileID: Where a failure is reported; the caller's file.
  ///   - filePath: The path of that file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func expect(
    _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    compare(expected, matching, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Expects changes that may still be coming, from whichever thread, and begins anew.
  ///
  /// It ends when as many records have come as it takes, and compares then; the deadline is for what never comes. Where
  /// nothing is expected to come it waits that long, unless something comes.
  ///
  /// - Parameters:
  ///   - expected: The changes.
  ///   - matching: How strictly they are compared.
  ///   - limit: How long it waits at most.
  ///   - clock: What measures that; a ``KVManualClock`` lets a test do so.
  ///   - isolation: Where it runs: where the caller does.
  ///   - fileID: Where a failure is reported; the caller's file.
  ///   - filePath: The path of that file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func expect(
    _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive, within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let time = await wait(for: expected, matching, within: limit, clock: clock)
    let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    compare(expected, matching, location, time)
  }
}

extension KVChangeRecorder {
  /// Waits until as many records have come as it takes.
  ///
  /// - Returns: What a report says of the time; empty where that was enough.
  func wait(
    for expected: [KVExpectedChange], _ matching: KVChangeMatching, within limit: Duration, clock: any Clock<Duration>,
    isolation: isolated (any Actor)? = #isolation
  ) async -> String {
    let isThere = await wait(within: limit, clock: clock) {
      let log = self.log
      // That nothing comes is known at the end only.
      if expected.isEmpty, matching != .nonExhaustive { return !log.isEmpty }
      return log.count >= expected.count
        && (matching != .nonExhaustive || ChangeComparison(expected, log, matching).isAsExpected)
    }
    return isThere || Task.isCancelled ? "" : " within \(limit)"
  }

  /// Compares what was recorded with what is expected, and begins anew.
  func compare(
    _ expected: [KVExpectedChange], _ matching: KVChangeMatching, _ location: KVTestLocation, _ time: String = "",
    _ silentChanges: (KVChangeLog) -> [String] = { _ in [] }
  ) {
    let log = take()
    let comparison = ChangeComparison(expected, log, matching)
    if comparison.isAsExpected { return }
    let head = "The changes of \(typeName) are not as expected\(time): \(comparison.summary)."
    fail(
      ([head, comparison.table] + comparison.hints + silentChanges(log)).joined(separator: "\n"), at: location)
  }
}
