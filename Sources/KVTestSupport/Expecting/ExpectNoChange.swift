/// Expects an object not to notify of changes while a body runs (TST.2).
///
/// ```swift
/// expectNoChange(of: order, "total") { order.number = 7 }
/// expectNoChange(of: order) { order.refresh() }            // of none of its keys
/// ```
///
/// - Parameters:
///   - object: The object to observe.
///   - paths: The key paths; none for all keys that can notify.
///   - options: The options of the observation: with `.distinct`, only changes to another value count.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that must not change anything.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
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

/// Expects an object not to notify of changes while an asynchronous body runs, and for some time after it (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - paths: The key paths; none for all keys that can notify.
///   - options: The options of the observation: with `.distinct`, only changes to another value count.
///   - limit: The time after the body in which nothing may change, which the function waits. Nil compares at once.
///   - clock: The clock of this time.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that must not change anything.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
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
