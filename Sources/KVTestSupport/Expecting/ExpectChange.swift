import KVCore

/// Expects a path to take a value before a deadline, whichever thread sets it (TST.2).
///
/// ```swift
/// await expectChange(of: download, "progress", to: 1.0, within: .seconds(5)) { download.start() }
/// ```
///
/// It waits for records and never sleeps: it goes on as soon as the value has come. A value that comes and goes again
/// counts.
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - value: The value, compared as the package does (CO.7).
///   - alreadyTrue: What counts where the path holds the value from the start.
///   - limit: How long it waits at most, once the body is through.
///   - clock: What measures that; a ``KVManualClock`` lets a test do so.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Sets off what changes the path.
/// - Throws: What the body throws; nothing is waited for then.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, to value: Any?, ifAlreadyTrue alreadyTrue: KVAlreadyTrue = .passes,
  within limit: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Void
) async rethrows {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "become \(shown(value))", alreadyTrue: alreadyTrue, limit: limit,
    location: location)
  try await awaited.wait(clock, body) { Equality.areSame($0, value) }
}

/// Expects a path to take a value that passes a test before a deadline, whichever thread sets it (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - test: Called with each value that the path takes, where the expectation stands and not where it is set.
///   - alreadyTrue: What counts where the value passes from the start.
///   - limit: How long it waits at most, once the body is through.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Sets off what changes the path.
/// - Throws: What the body throws; nothing is waited for then.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, where test: (Any?) -> Bool,
  ifAlreadyTrue alreadyTrue: KVAlreadyTrue = .passes,
  within limit: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Void
) async rethrows {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "take a value that passes the test", alreadyTrue: alreadyTrue, limit: limit,
    location: location)
  try await awaited.wait(clock, body, until: test)
}

/// Expects a path to change before a deadline, to whatever value (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - limit: How long it waits at most, once the body is through.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Sets off what changes the path.
/// - Throws: What the body throws; nothing is waited for then.
public func expectChange(
  of object: some KVObservable, _ path: KVKeyPath, within limit: Duration = .seconds(5),
  clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Void
) async rethrows {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let awaited = AwaitedChange(
    object: object, path: path, deed: "change", alreadyTrue: .waits, limit: limit, location: location)
  try await awaited.wait(clock, body) { _ in true }
}
