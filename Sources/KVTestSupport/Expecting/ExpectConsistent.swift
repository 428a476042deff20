/// Expects the endpoints of a binding to be consistent (TST.2).
///
/// The target must have the value that results from the source by the transformer. If values also propagate back, the
/// source must have the value that results from the target.
///
/// ```swift
/// let binding = try label.bind("text", to: "volume", of: player, options: .init(transformer: .named("percent")))
/// player.volume = 0.3
/// expectConsistent(binding)
/// ```
///
/// A binding that has ended, failed, or is unresolved is not consistent.
///
/// - Parameters:
///   - binding: The binding.
///   - others: Further bindings; one failure lists all inconsistent ones.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectConsistent(
  _ binding: KVPathBinding, _ others: KVPathBinding..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check([binding] + others, at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects the endpoints of all bindings of an object to be consistent; the object must have at least one (TST.2).
///
/// - Parameters:
///   - object: The source or the target of the bindings.
///   - fileID: The file of the caller, where a failure is reported.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
public func expectConsistent(
  bindingsOf object: AnyObject, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let bindings = KVDiagnostics.bindings(of: object)
  if bindings.isEmpty { return fail("\(type(of: object)) has no bindings, so nothing keeps it in step.", at: location) }
  check(bindings, at: location)
}

private func check(_ bindings: [KVPathBinding], at location: KVTestLocation) {
  let faults = bindings.compactMap { binding in
    binding.inconsistency(unless: { Similarity.areAlike($0, $1) }).map { "\(binding)\n  \($0)" }
  }
  if faults.isEmpty { return }
  let count = faults.count == 1 ? "A binding is" : "\(faults.count) of \(bindings.count) bindings are"
  fail("\(count) not consistent:\n\(faults.joined(separator: "\n"))", at: location)
}
