import KVBinding
import KVCore

/// Expects that a type complies with key-value coding and, if its objects are observable, key-value observing (TST.2).
///
/// ```swift
/// @Test func complies() {
///   expectCompliant { Order() }
///   expectCompliant(values: ["size": Size.large], ignoring: ["setterNotObservable": ["cache"]]) { Order() }
/// }
/// ```
///
/// All violations are one failure, each with its key and how to fix it. ``KVCompliance`` lists the checks and their
/// limits.
///
/// - Parameters:
///   - values: Values to write, by key, for keys whose values cannot be made up or whose made-up values are not
///     accepted.
///   - exceptions: Accepted violations: keys by the kind of the violation. An unneeded exception is a violation.
///   - fileID: The file of the caller.
///   - filePath: The path of the caller's file.
///   - line: The line of the caller.
///   - column: The column of the caller.
///   - make: Creates a sample; called for each check. An error that it throws is the failure.
/// - Complexity: O(*n*²) in the number of keys; some dozen samples per key.
public func expectCompliant<Model: KeyValueCoding>(
  values: [String: Any?] = [:], ignoring exceptions: [KVComplianceViolation.Kind: Set<String>] = [:],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ make: () throws -> Model
) {
  let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let violations: [KVComplianceViolation]
  do {
    violations = try KVCompliance.violations(values: values, ignoring: exceptions, make)
  } catch {
    return fail(
      "Whether \(Model.self) complies is not known: making a sample threw \(error)", at: location)
  }
  if violations.isEmpty { return }
  let count = violations.count == 1 ? "a violation" : "\(violations.count) violations"
  let list = violations.map { "- \($0)" }.joined(separator: "\n")
  fail("\(Model.self) does not comply with key-value coding and observing, \(count):\n\(list)", at: location)
}
