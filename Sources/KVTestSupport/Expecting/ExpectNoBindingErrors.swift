import KVCore

/// Expects no binding to fail while a body runs (TST.2).
///
/// ```swift
/// expectNoBindingErrors { form.fill(from: order) }
/// expectNoBindingErrors(of: form) { … }              // on whichever thread
/// ```
///
/// Without objects, what counts is what fails in the body's own task and its child tasks, so that tests that run at the
/// same time do not meet. With objects, all failures of their bindings count, those on queues and other threads too.
///
/// - Parameters:
///   - objects: Objects at either end of the bindings that count.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: What runs.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is reported then.
@discardableResult
public func expectNoBindingErrors<Result>(
  of objects: AnyObject..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let watch = BindingFailureWatch(objects)
  let result = try BindingFailureWatch.$scopes.withValue(BindingFailureWatch.scopes + [watch.lines], operation: body)
  watch.check(at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Expects no binding to fail while an asynchronous body runs (TST.2).
///
/// - Parameters:
///   - objects: Objects at either end of the bindings that count.
///   - isolation: Where it runs: where the caller does.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: What runs.
/// - Returns: What the body returns.
/// - Throws: What the body throws; nothing is reported then.
@discardableResult
public func expectNoBindingErrors<Result>(
  of objects: AnyObject..., isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let watch = BindingFailureWatch(objects)
  let result = try await BindingFailureWatch.$scopes.withValue(
    BindingFailureWatch.scopes + [watch.lines], operation: body, isolation: isolation)
  watch.check(at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Writes down failures of bindings.
private final class BindingFailureWatch: Sendable {
  /// The lists of the watches whose bodies this task runs.
  @TaskLocal static var scopes: [Collected<String>] = []

  let lines = Collected<String>()
  private let listener: Int

  /// Begins to listen.
  ///
  /// - Parameter objects: The objects that count; none for all that fails in the scope.
  init(_ objects: [AnyObject]) {
    let lines = lines
    let counted = Set(objects.map { ObjectIdentifier($0) })
    listener = BindingFailures.add(
      BindingFailures.Listener { binding, error in
        let ends = (binding.sources + [binding.target]).compactMap { $0.object.map { ObjectIdentifier($0) } }
        let counts = counted.isEmpty ? Self.scopes.contains { $0 === lines } : !counted.isDisjoint(with: ends)
        if counts { lines.add("\(binding)\n  \(error)") }
      })
  }

  deinit { BindingFailures.remove(listener) }

  func check(at location: KVTestLocation) {
    let lines = lines.all
    if lines.isEmpty { return }
    let count = lines.count == 1 ? "A binding" : "Bindings"
    let times = lines.count == 1 ? "" : " \(lines.count) times"
    fail("\(count) failed\(times):\n\(lines.joined(separator: "\n"))", at: location)
  }
}
