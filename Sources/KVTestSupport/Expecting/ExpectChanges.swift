import KVCore

/// Expects an object to notify of the given changes while a body runs (TST.2).
///
/// ```swift
/// expectChanges(of: order, [.set("items"), .set("total", from: 22.5, to: 25)]) { order.items.append(spoon) }
/// ```
///
/// Differences are one failure, which shows both sequences side by side. Changes may be made on any thread if the body
/// waits for them; the asynchronous form can wait itself.
///
/// - Parameters:
///   - object: The object to observe.
///   - expected: The changes. An empty array means that nothing may change: none of the keys, unless other paths are
///     watched.
///   - matching: How strictly the sequences are compared.
///   - watched: The key paths to observe.
///   - options: The contents and times of the records.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectChanges<Result>(
  of object: some KVObservable, _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = [], options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recording = Recording(of: object, options, at: location) { () throws(KVError) in
    try watched.paths(naming: expected, of: object)
  }
  let result = try body()
  recording.finish()?.compare(expected, matching, location, "", recording.unnotifiedChanges)
  return result
}

/// Expects an object to notify of the given changes while an asynchronous body runs, or soon after it (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - expected: The changes. An empty array means that nothing may change: none of the keys, unless other paths are
///     watched.
///   - matching: How strictly the sequences are compared.
///   - watched: The key paths to observe.
///   - options: The contents and times of the records.
///   - limit: The maximum time to wait after the body has returned, for as many records as are expected, or for any
///     record if none is expected. Nil compares at once.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes, or starts them.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectChanges<Result>(
  of object: some KVObservable, _ expected: [KVExpectedChange], matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = [], options: KVObservingOptions = [.old, .new],
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
  recorder.compare(expected, matching, location, time, recording.unnotifiedChanges)
  return result
}
