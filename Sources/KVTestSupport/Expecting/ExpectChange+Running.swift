import KVCore

// The forms of `expectChange` for changes that are already under way.

/// Expects a key path to take a value before a deadline, set by any thread (TST.2).
///
/// The function waits for records and never sleeps: it returns as soon as the value arrives. A value that the path has
/// only for a moment counts.
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - value: The expected value, compared by the rule CO.7; NaN matches NaN.
///   - alreadyTrue: The result if the path has the value from the beginning. `.waits` does not read the value, which
///     another thread may be writing.
///   - limit: The maximum time to wait.
///   - clock: The clock of this time. A ``KVManualClock`` lets the test control it.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, to value: Any?, ifAlreadyTrue alreadyTrue: KVAlreadyTrue = .passes,
  within limit: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "become \(shown(value))", alreadyTrue: alreadyTrue, limit: limit,
    location: location)
  await awaited.wait(clock, {}) { Equality.areSame($0, value) }
}

/// Expects a key path to take a value that satisfies a predicate before a deadline, set by any thread (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - test: The predicate. It is called with each value of the path, in the isolation of the expectation, not where
///     the value is set.
///   - alreadyTrue: The result if the value satisfies the predicate from the beginning. `.waits` does not read the
///     value, which another thread may be writing.
///   - limit: The maximum time to wait.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, where test: (Any?) -> Bool,
  ifAlreadyTrue alreadyTrue: KVAlreadyTrue = .passes,
  within limit: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "take a value that passes the test", alreadyTrue: alreadyTrue, limit: limit,
    location: location)
  await awaited.wait(clock, {}, until: test)
}

/// Expects a key path to change to any value before a deadline (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - limit: The maximum time to wait.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "change", alreadyTrue: .waits, limit: limit, location: location)
  await awaited.wait(clock, {}) { _ in true }
}
