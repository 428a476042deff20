import KVCore

/// Expects a key path to take a value before a deadline, set by any thread (TST.2).
///
/// ```swift
/// await expectChange(of: download, "progress", to: 1.0, within: .seconds(5)) { download.start() }
/// ```
///
/// The function waits for records and never sleeps: it returns as soon as the value arrives. A value that the path has
/// only for a moment counts.
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - value: The expected value, compared by the rule CO.7; NaN matches NaN.
///   - acceptsCurrentValue: Whether a value that the path has from the beginning is sufficient.
///   - limit: The maximum time to wait after the body has returned.
///   - clock: The clock of this time. A ``KVManualClock`` lets the test control it.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that starts the change of the path.
/// - Throws: The error of the body; the function does not wait then.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, to value: Any?,
  acceptsCurrentValue: Bool = true, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Void
) async rethrows {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "become \(shown(value))", acceptsCurrentValue: acceptsCurrentValue, limit: limit,
    location: location)
  try await awaited.wait(clock, body) { Equality.areSame($0, value) }
}

/// Expects a key path to change, or to take a value that satisfies a predicate, before a deadline (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - test: The predicate; without one, any change is expected, and the current value is never sufficient. It is called
///     with each value of the path, in the isolation of the expectation, not where the value is set.
///   - acceptsCurrentValue: Whether a value that satisfies the predicate from the beginning is sufficient.
///   - limit: The maximum time to wait after the body has returned.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that starts the change of the path.
/// - Throws: The error of the body; the function does not wait then.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, where test: ((Any?) -> Bool)? = nil,
  acceptsCurrentValue: Bool = true, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Void
) async rethrows {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: test == nil ? "change" : "take a value that passes the test",
    acceptsCurrentValue: acceptsCurrentValue && test != nil, limit: limit, location: location)
  try await awaited.wait(clock, body) { test?($0) ?? true }
}
