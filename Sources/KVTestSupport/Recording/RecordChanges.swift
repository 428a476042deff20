import KVCore

/// Returns the changes of an object while a body runs, on any thread (TST.2).
///
/// ```swift
/// let log = try recordChanges(of: order, "total") { order.items.append(spoon) }
/// print(log)   // 1  total  setting  22.5 → 25.0
/// ```
///
/// - Parameters:
///   - object: The object to observe.
///   - paths: The key paths; none for all keys that can notify.
///   - options: The contents and times of the records.
///   - fileID: The file of the caller, for listings.
///   - line: The line of the caller, for listings.
///   - body: A closure that makes changes.
/// - Returns: The records, in the order of their arrival.
/// - Throws: ``KVError`` if a key path cannot be observed; the error of the body.
public func recordChanges(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  fileID: StaticString = #fileID, line: UInt = #line, during body: () throws -> Void
) throws -> KVChangeLog {
  let recorder = try KVChangeRecorder(of: object, paths: paths, options: options, fileID: fileID, line: line)
  try body()
  recorder.cancel()
  return recorder.log
}

/// Returns the changes of an object while an asynchronous body runs, on any thread (TST.2).
///
/// - Parameters:
///   - object: The object to observe.
///   - paths: The key paths; none for all keys that can notify.
///   - options: The contents and times of the records.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, for listings.
///   - line: The line of the caller, for listings.
///   - body: A closure that makes changes.
/// - Returns: The records, in the order of their arrival.
/// - Throws: ``KVError`` if a key path cannot be observed; the error of the body.
public func recordChanges(
  of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  during body: () async throws -> Void
) async throws -> KVChangeLog {
  let recorder = try KVChangeRecorder(of: object, paths: paths, options: options, fileID: fileID, line: line)
  try await body()
  recorder.cancel()
  return recorder.log
}
