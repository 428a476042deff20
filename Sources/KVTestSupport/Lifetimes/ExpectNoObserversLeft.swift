/// Expects that nobody observes an object any more, nor another one by a path that leads through it, and that nothing is
/// bound to it at either end (TST.2).
///
/// The failure lists each observation and each binding that is left, with the place where it was made.
///
/// - Parameters:
///   - object: Any object: one that is not observable may be the target of a binding.
///   - fileID: The caller's file.
///   - filePath: The path of the caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
/// - Complexity: O(*n* log *n*) in the observations and bindings of the object.
public func expectNoObserversLeft(
  on object: AnyObject, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let left = Ties(of: object).attached
  guard !left.isEmpty else { return }
  fail(
    (["\(type(of: object)) is still observed or bound."] + left).joined(separator: "\n"),
    at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}
