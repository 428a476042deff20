import KVCore

// The forms of `expectChange` for changes that are already under way.

/// Expects a key path to take a value before a deadline, by a change that is already under way (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - value: The expected value, compared by the rule CO.7; NaN matches NaN.
///   - acceptsCurrentValue: Whether a value that the path has from the beginning is sufficient.
///   - limit: The maximum time to wait.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, to value: Any?,
  acceptsCurrentValue: Bool = true, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "become \(shown(value))", acceptsCurrentValue: acceptsCurrentValue, limit: limit,
    location: location)
  await awaited.wait(clock, {}) { Equality.areSame($0, value) }
}

/// Expects a key path to change, or to take a value that satisfies a predicate, by a change that is already under way
/// (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - test: The predicate; without one, any change is expected, and the current value is never sufficient. It is called
///     with each value of the path, in the isolation of the expectation, not where the value is set.
///   - acceptsCurrentValue: Whether a value that satisfies the predicate from the beginning is sufficient.
///   - limit: The maximum time to wait.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, where test: ((Any?) -> Bool)? = nil,
  acceptsCurrentValue: Bool = true, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: test == nil ? "change" : "take a value that passes the test",
    acceptsCurrentValue: acceptsCurrentValue && test != nil, limit: limit, location: location)
  await awaited.wait(clock, {}) { test?($0) ?? true }
}
