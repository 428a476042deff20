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
    _ expected: [KVExpectedChange], _ matching: KVChangeMatching = .exhaustive, fileID: StaticString = #fileID,
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
    _ expected: [KVExpectedChange], _ matching: KVChangeMatching = .exhaustive, within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let isThere = await wait(within: limit, clock: clock) {
      let log = self.log
      // That nothing comes is known at the end only.
      if expected.isEmpty, matching != .nonExhaustive { return !log.isEmpty }
      return log.count >= expected.count
        && (matching != .nonExhaustive || ChangeComparison(expected, log, matching).isAsExpected)
    }
    let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    compare(expected, matching, location, isThere || Task.isCancelled ? "" : " within \(limit)")
  }

  private func compare(
    _ expected: [KVExpectedChange], _ matching: KVChangeMatching, _ location: KVTestLocation, _ time: String = ""
  ) {
    let comparison = ChangeComparison(expected, take(), matching)
    if comparison.isAsExpected { return }
    fail(
      "The changes of \(typeName) are not as expected\(time): \(comparison.summary).\n\(comparison.table)", at: location
    )
  }
}
