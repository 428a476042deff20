/// Expects an object to tell of no change while a body runs (TST.2).
///
/// ```swift
/// expectNoChange(of: order, "total") { order.number = 7 }
/// expectNoChange(of: order) { order.refresh() }            // of none of its keys
/// ```
///
/// - Parameters:
///   - object: The object.
///   - paths: The paths; none for every key that can tell of its changes.
///   - options: Which changes count: with `.distinct`, those to another value.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: What must not change anything.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectNoChange<Result>(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recording = Recording(of: object, options, at: location) { paths }
  let result = try body()
  recording.finish()?.expectNothing(at: location)
  return result
}

/// Expects an object to tell of no change while an asynchronous body runs, and for a while after it (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - paths: The paths; none for every key that can tell of its changes.
///   - options: Which changes count: with `.distinct`, those to another value.
///   - limit: How long nothing may change once the body is through; it waits that long. Nil to compare at once.
///   - clock: What measures that.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: What must not change anything.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
@discardableResult
public func expectNoChange<Result>(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let recording = Recording(of: object, options, at: location) { paths }
  let result = try await body()
  let recorder = recording.finish()
  if let limit { _ = await recorder?.wait(within: limit, clock: clock) { recorder?.log.isEmpty == false } }
  recorder?.expectNothing(at: location)
  return result
}

extension KVChangeRecorder {
  fileprivate func expectNothing(at location: KVTestLocation) {
    let log = take()
    if log.isEmpty { return }
    let count = log.count == 1 ? "a change" : "\(log.count) changes"
    fail("\(typeName) told of \(count) where none was expected:\n\(log.table(first: 10))", at: location)
  }
}
