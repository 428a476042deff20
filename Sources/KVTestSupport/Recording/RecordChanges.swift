import KVCore

/// Returns the changes of an object while a body runs, on whichever thread they happen (TST.2).
///
/// ```swift
/// let log = try recordChanges(of: order, "total") { order.items.append(spoon) }
/// print(log)   // 1  total  setting  22.5 → 25.0
/// ```
///
/// - Parameters:
///   - object: The object.
///   - paths: The paths; none for every key that can tell of its changes.
///   - options: What records carry, and when they come.
///   - fileID: Where the registration is listed; the caller's file.
///   - line: The caller's line.
///   - body: Makes changes.
/// - Returns: The records, in the order in which they came.
/// - Throws: ``KVError`` where a path cannot be observed, and what the body throws.
public func recordChanges(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, line: UInt = #line, during body: () throws -> Void
) throws -> KVChangeLog {
  let recorder = try KVChangeRecorder(of: object, paths: paths, options: options, fileID: fileID, line: line)
  try body()
  recorder.stop()
  return recorder.log
}

/// Returns the changes of an object while an asynchronous body runs, on whichever thread they happen (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - paths: The paths; none for every key that can tell of its changes.
///   - options: What records carry, and when they come.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where the registration is listed; the caller's file.
///   - line: The caller's line.
///   - body: Makes changes.
/// - Returns: The records, in the order in which they came.
/// - Throws: ``KVError`` where a path cannot be observed, and what the body throws.
public func recordChanges(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  during body: () async throws -> Void
) async throws -> KVChangeLog {
  let recorder = try KVChangeRecorder(of: object, paths: paths, options: options, fileID: fileID, line: line)
  try await body()
  recorder.stop()
  return recorder.log
}
