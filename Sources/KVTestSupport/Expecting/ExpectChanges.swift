import KVCore

/// Expects an object to tell of certain changes while a body runs (TST.2).
///
/// ```swift
/// expectChanges(of: order, [.set("items"), .set("total", from: 22.5, to: 25)]) { order.items.append(spoon) }
/// ```
///
/// What differs is one failure, with both sequences beside each other. Changes may happen on any thread, as long as the
/// body waits for them; the asynchronous form can wait itself.
///
/// - Parameters:
///   - object: The object.
///   - expected: The changes; none means that nothing may change, of every key if no other path is watched.
///   - matching: How strictly they are compared.
///   - watched: Which paths are watched.
///   - options: What records carry, and when they come.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectChanges<Result>(
  of object: some KVObservable, _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = .expected, options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recording = Recording(of: object, options, at: location) { () throws(KVError) in
    try watched.paths(naming: expected, of: object)
  }
  let result = try body()
  recording.finish()?.compare(expected, matching, location, "", recording.silentChanges)
  return result
}

/// Expects an object to tell of certain changes while an asynchronous body runs, or soon after it (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - expected: The changes; none means that nothing may change, of every key if no other path is watched.
///   - matching: How strictly they are compared.
///   - watched: Which paths are watched.
///   - options: What records carry, and when they come.
///   - limit: How long it waits at most, once the body is through, until as many records have come as are expected; if none
///     are, until one comes. Nil to compare at once.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes, or sets off what makes them.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectChanges<Result>(
  of object: some KVObservable, _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = .expected, options: KVObservingOptions = [.old, .new],
  within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recording = Recording(of: object, options, at: location) { () throws(KVError) in
    try watched.paths(naming: expected, of: object)
  }
  let result = try await body()
  guard let recorder = recording.finish() else { return result }
  let time = if let limit { await recorder.wait(for: expected, matching, within: limit, clock: clock) } else { "" }
  recorder.compare(expected, matching, location, time, recording.silentChanges)
  return result
}
