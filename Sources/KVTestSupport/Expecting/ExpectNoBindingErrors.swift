import KVCore

/// Expects no binding to fail while a body runs (TST.2).
///
/// ```swift
/// expectNoBindingErrors { form.fill(from: order) }
/// expectNoBindingErrors(of: form) { … }              // on any thread
/// ```
///
/// Without objects, the failures in the body's own task and its child tasks count, so that tests that run at the same
/// time do not interfere. With objects, all failures of their bindings count, including those on queues and other
/// threads.
///
/// - Parameters:
///   - objects: The sources or targets of the bindings that count.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: The closure to run.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is reported then.
@discardableResult
public func expectNoBindingErrors<Result>(
  of objects: AnyObject..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, during body: () throws -> Result
) rethrows -> Result {
  let observer = BindingFailureObserver(objects)
  let result = try BindingFailureObserver.$scopes.withValue(
    BindingFailureObserver.scopes + [observer.lines], operation: body)
  observer.check(at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Expects no binding to fail while an asynchronous body runs (TST.2).
///
/// - Parameters:
///   - objects: The sources or targets of the bindings that count.
///   - isolation: The isolation of the function: that of the caller.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - body: The closure to run.
/// - Returns: The result of the body.
/// - Throws: The error of the body; nothing is reported then.
@discardableResult
public func expectNoBindingErrors<Result>(
  of objects: AnyObject..., isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, during body: () async throws -> Result
) async rethrows -> Result {
  let observer = BindingFailureObserver(objects)
  let result = try await BindingFailureObserver.$scopes.withValue(
    BindingFailureObserver.scopes + [observer.lines], operation: body, isolation: isolation)
  observer.check(at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// A recorder of the failures of bindings.
private final class BindingFailureObserver: Sendable {
  /// The lists of the recorders whose bodies the current task runs.
  @TaskLocal static var scopes: [Collected<String>] = []

  let lines = Collected<String>()
  private let listener: Int

  /// Begins to record.
  ///
  /// - Parameter objects: The objects that count; empty for all failures in the scope.
  init(_ objects: [AnyObject]) {
    let lines = lines
    let counted = Set(objects.map { ObjectIdentifier($0) })
    listener = BindingFailures.add { binding, error in
      let endpoints = (binding.sources + [binding.target]).compactMap { $0.object.map { ObjectIdentifier($0) } }
      let counts = counted.isEmpty ? Self.scopes.contains { $0 === lines } : !counted.isDisjoint(with: endpoints)
      if counts { lines.add("\(binding)\n  \(error)") }
    }
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
