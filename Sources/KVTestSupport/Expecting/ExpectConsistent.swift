/// Expects both ends of a binding to agree: the target holds what the source's value comes to through the transformer,
/// and where values go back, the source holds what the target's value comes to (TST.2).
///
/// ```swift
/// let binding = try label.bind("text", to: "volume", of: player, options: .init(transformer: .named("percent")))
/// player.volume = 0.3
/// expectConsistent(binding)
/// ```
///
/// A binding that has ended, failed, or waits on a path that leads nowhere is not consistent.
///
/// - Parameters:
///   - binding: The binding.
///   - others: More of them; one failure lists all that do not agree.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectConsistent(
  _ binding: KVPathBinding, _ others: KVPathBinding..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check([binding] + others, at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects both ends of all bindings of an object to agree, at whichever end it stands; there must be one (TST.2).
///
/// - Parameters:
///   - object: The object.
///   - fileID: Where a failure is reported; the caller's file.
///   - filePath: The path of that file.
///   - line: The caller's line.
///   - column: The caller's column.
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
    binding.inconsistency(unless: { Likeness.areAlike($0, $1) }).map { "\(binding)\n  \($0)" }
  }
  if faults.isEmpty { return }
  let count = faults.count == 1 ? "A binding is" : "\(faults.count) of \(bindings.count) bindings are"
  fail("\(count) not consistent:\n\(faults.joined(separator: "\n"))", at: location)
}
