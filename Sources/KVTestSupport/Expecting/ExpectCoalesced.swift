import KVCore

/// Expects the changes of a key path to be coalesced: one delivery, from the first old to the last new value (COA.3).
///
/// ```swift
/// expectCoalesced(of: order, "total", from: 22.5, to: 30) { order.reprice() }
/// ```
///
/// The body must open the scope itself; the expectation tests that it does.
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - old: The value before the first change.
///   - new: The value after the last change.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes, in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ path: KVKeyPath, from old: Any?, to new: Any?, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try body()
  coalescing.check(from: old, to: new)
  return result
}

/// Expects the changes of a key path to be coalesced, from its current value to the one after the body (COA.3).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes, in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ path: KVKeyPath, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try body()
  coalescing.check()
  return result
}

/// Expects the changes of a key path to be coalesced while an asynchronous body runs (COA.3).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - old: The value before the first change.
///   - new: The value after the last change.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that waits for the changes, which are made in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ path: KVKeyPath, from old: Any?, to new: Any?,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try await body()
  coalescing.check(from: old, to: new)
  return result
}

/// Expects the changes of a key path to be coalesced while an asynchronous body runs, from its current value to the one
/// after the body (COA.3).
///
/// - Parameters:
///   - object: The object to observe.
///   - path: The key path.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that waits for the changes, which are made in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ path: KVKeyPath, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Result
) async rethrows -> Result {
  let coalescing = CoalescedChange(
    object, path, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try await body()
  coalescing.check()
  return result
}
