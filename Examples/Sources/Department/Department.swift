import KVControllers

/// A department: its employees, and what they earn together.
@KVModel final class Department: KVObject {
  var title: String
  var employees: [Employee] = []
  @KVKey(.affected(by: "employees.@sum.salary")) var payroll: Double { employees.reduce(0) { $0 + $1.salary } }
  var summary: String { "\(title): \(employees.count) people, \(payroll)" }

  init(_ title: String) { self.title = title }

  /// Returns an undo manager that records all edits of the department and of its employees.
  ///
  /// - Throws: `KVError`: the errors of recording.
  func recordingUndo() throws -> KVUndoManager {
    let undo = KVUndoManager()
    try undo.record(self)
    try undo.recordElements(of: "employees", in: self)
    return undo
  }

  /// Validates a value and sets it, as an edit field does.
  ///
  /// - Throws: ``InvalidEdit``, as the underlying error of a `KVError`, if the validator refuses the value.
  func edit(_ employee: Employee, _ key: String, to value: Any?) throws {
    switch try employee.validate(value, forKeyPath: key) {
    case .valid: try employee.setValue(value, forKeyPath: key)
    case .replaced(let other): try employee.setValue(other, forKeyPath: key)
    }
  }
}
