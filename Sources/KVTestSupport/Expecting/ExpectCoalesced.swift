import KVCore

/// Expects the changes of a key path to be coalesced: one delivery, from the first old to the last new value (COA.3).
///
/// ```swift
/// expectCoalesced(of: order, .set("total", from: 22.5, to: 30)) { order.reprice() }
/// ```
///
/// The body must open the scope itself; the expectation tests that it does.
///
/// - Parameters:
///   - object: The object to observe.
///   - expected: The change from the first old to the last new value. A value that it leaves out is that of the path
///     before the body, or after it.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes, in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ expected: KVExpectedChange, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let coalescing = CoalescedChange(
    object, expected, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try body()
  coalescing.check()
  return result
}

/// Expects the changes of a key path to be coalesced, with a body that awaits (COA.3).
///
/// - Parameters:
///   - object: The object to observe.
///   - expected: The change from the first old to the last new value. A value that it leaves out is that of the path
///     before the body, or after it.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: A closure that makes the changes, in a scope of `KVCoalescing`.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is compared then.
@discardableResult
public func expectCoalesced<Result>(
  of object: some KVObservable, _ expected: KVExpectedChange, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  during body: () async throws -> Result
) async rethrows -> Result {
  let coalescing = CoalescedChange(
    object, expected, KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  let result = try await body()
  coalescing.check()
  return result
}
