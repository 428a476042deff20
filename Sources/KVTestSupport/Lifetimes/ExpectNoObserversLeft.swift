/// Expects an object to have no observers and no bindings left (TST.2).
///
/// Observations of other objects whose key paths go through the object count, too. The failure lists each remaining
/// observation and binding with its source location.
///
/// - Parameters:
///   - object: Any object: an object that is not observable may be the target of a binding.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
/// - Complexity: O(*n* log *n*) in the number of the object's observations and bindings.
public func expectNoObserversLeft(
  on object: AnyObject, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let left = ObserverLinks(of: object).attached
  guard !left.isEmpty else { return }
  fail(
    (["\(type(of: object)) is still observed or bound."] + left).joined(separator: "\n"),
    at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}
