extension KVChangeRecorder {
  /// Expects the changes since the last expectation, and clears the recorder (TST.2).
  ///
  /// - Parameters:
  ///   - expected: The changes.
  ///   - matching: How strictly the sequences are compared.
  ///   - fileID: The file of the caller, where a failure is reported.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  public func expect(
    _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    compare(expected, matching, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Expects changes that may still arrive, from any thread, and clears the recorder (TST.2).
  ///
  /// The function waits until enough records have arrived and then compares them; the deadline only matters if some do
  /// not arrive. If no changes are expected it waits for the whole time, unless a record arrives.
  ///
  /// - Parameters:
  ///   - expected: The changes.
  ///   - matching: How strictly the sequences are compared.
  ///   - limit: The maximum time to wait.
  ///   - clock: The clock of this time. A ``KVManualClock`` lets the test control it.
  ///   - isolation: The isolation of the function: that of the caller.
  ///   - fileID: The file of the caller, where a failure is reported.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
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
  /// Waits until enough records have arrived.
  ///
  /// - Returns: The words about the time for a report; empty if the records arrived.
  func wait(
    for expected: [KVExpectedChange], _ matching: KVChangeMatching, within limit: Duration, clock: any Clock<Duration>,
    isolation: isolated (any Actor)? = #isolation
  ) async -> String {
    let isThere = await wait(within: limit, clock: clock) {
      let log = self.log
      // The absence of records is known at the end only.
      if expected.isEmpty, matching != .nonExhaustive { return !log.isEmpty }
      return log.count >= expected.count
        && (matching != .nonExhaustive || ChangeComparison(expected, log, matching).isAsExpected)
    }
    return isThere || Task.isCancelled ? "" : " within \(limit)"
  }

  /// Compares the recorded with the expected changes, and clears the recorder.
  func compare(
    _ expected: [KVExpectedChange], _ matching: KVChangeMatching, _ location: KVTestLocation, _ time: String = "",
    _ unnotifiedChanges: (KVChangeLog) -> [String] = { _ in [] }
  ) {
    let log = take()
    let comparison = ChangeComparison(expected, log, matching)
    if comparison.isAsExpected { return }
    let head = "The changes of \(typeName) are not as expected\(time): \(comparison.summary)."
    fail(
      ([head, comparison.table] + comparison.hints + unnotifiedChanges(log)).joined(separator: "\n"), at: location)
  }
}
