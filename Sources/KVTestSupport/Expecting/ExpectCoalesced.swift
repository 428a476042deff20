import KVCore

/// Expects the changes of a path to be coalesced: one delivery, from the first old value to the last new one (COA.3).
///
/// ```swift
/// expectCoalesced(of: order, "total", from: 22.5, to: 30) { order.reprice() }
/// ```
///
/// The body is to open the scope itself; what is tested is that it does.
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - old: The value before the first change.
///   - new: The value after the last one.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
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

/// Expects the changes of a path to be coalesced, from the value that it holds to the one that it holds afterwards (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
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

/// Expects the changes of a path to be coalesced while an asynchronous body runs (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - old: The value before the first change.
///   - new: The value after the last one.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Waits for what makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
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

/// Expects the changes of a path to be coalesced while an asynchronous body runs, from the value that it holds to the one
/// that it holds afterwards (COA.3).
///
/// - Parameters:
///   - object: The object.
///   - path: The path.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Waits for what makes the changes, in a scope of `KVCoalescing`.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is compared then.
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
