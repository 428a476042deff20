import KVCore

/// Expects an object to tell of certain changes while a body runs (TST.2).
///
/// ```swift
/// expectChanges(of: order, [.inserted([spoon], into: "items", at: [2]), .set("total", from: 22.5, to: 25)]) {
///   order.items.append(spoon)
/// }
/// ```
///
/// What differs is one failure, with both sequences beside each other. Changes may happen on any thread, as long as the
/// body waits for them; the asynchronous form can wait itself.
///
/// - Parameters:
///   - object: The object.
///   - expected: The changes; none means that nothing may change.
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
  of object: some KVObservable, _ expected: [KVExpectedChange], _ matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = .expected, options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recorder = recorder(of: object, expected, watched, options, location)
  let result = try body()
  recorder?.expect(expected, matching, fileID: fileID, filePath: filePath, line: line, column: column)
  return result
}

/// Expects an object to tell of certain changes while an asynchronous body runs, or soon after it (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - expected: The changes; none means that nothing may change.
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
  of object: some KVObservable, _ expected: [KVExpectedChange], _ matching: KVChangeMatching = .exhaustive,
  watching watched: KVWatchedPaths = .expected, options: KVObservingOptions = [.old, .new],
  within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recorder = recorder(of: object, expected, watched, options, location)
  let result = try await body()
  if let limit {
    await recorder?.expect(
      expected, matching, within: limit, clock: clock, fileID: fileID, filePath: filePath, line: line, column: column)
  } else {
    recorder?.expect(expected, matching, fileID: fileID, filePath: filePath, line: line, column: column)
  }
  return result
}

/// Begins to record what is expected; nil, and a failure, where that is not to be had.
private func recorder(
  of object: some KVObservable, _ expected: [KVExpectedChange], _ watched: KVWatchedPaths,
  _ options: KVObservingOptions, _ location: KVTestLocation
) -> KVChangeRecorder? {
  recorder(of: object, options, location) { () throws(KVError) in
    try watched.paths(naming: expected.map(\.keyPath), of: object)
  }
}

/// Begins to record some paths, or every key if there are none; nil, and a failure, where that is not to be had.
func recorder(
  of object: some KVObservable, _ options: KVObservingOptions, _ location: KVTestLocation,
  _ paths: () throws(KVError) -> [KVKeyPath]
) -> KVChangeRecorder? {
  do throws(KVError) {
    return try KVChangeRecorder(object, paths: try paths(), options: options, at: location)
  } catch {
    fail("\(type(of: object)) cannot be observed: \(error)", at: location)
    return nil
  }
}
