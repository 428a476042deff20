import KVCore

// The forms of `expectChange` for what is on its way already.

/// Expects a path to take a value before a deadline, whichever thread sets it (TST.2).
///
/// It waits for records and never sleeps: it goes on as soon as the value has come. A value that comes and goes again
/// counts.
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - value: The value, compared as the package does (CO.7).
///   - alreadyTrue: What counts where the path holds the value from the start; `.waits` does not read it, which another
///     thread may be writing.
///   - limit: How long it waits at most.
///   - clock: What measures that; a ``KVManualClock`` lets a test do so.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
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

/// Expects a path to take a value that passes a test before a deadline, whichever thread sets it (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - test: Called with each value that the path takes, where the expectation stands and not where it is set.
///   - alreadyTrue: What counts where the value passes from the start; `.waits` does not read it, which another thread may
///     be writing.
///   - limit: How long it waits at most.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
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

/// Expects a path to change before a deadline, to whatever value (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - limit: How long it waits at most.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
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
