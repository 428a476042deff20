import KVBinding

/// A person who works in a department.
@KVModel final class Employee: KVObject {
  @KVKey(.metadata("title", "Name"), .validated(by: checkName)) var name: String
  @KVKey(.metadata("title", "Salary"), .lenient, .validated(by: checkSalary)) var salary: Double

  init(_ name: String, salary: Double) {
    self.name = name
    self.salary = salary
  }

  private func checkName(_ name: String) throws -> KVValidation {
    let trimmed = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    if trimmed.isEmpty { throw InvalidEdit("An employee needs a name.") }
    return trimmed == name ? .valid : .replaced(with: trimmed)
  }

  private func checkSalary(_ salary: Double) throws -> KVValidation {
    if salary < 0 { throw InvalidEdit("A salary is not negative.") }
    return .valid
  }
}

/// An edit that a validator refuses.
struct InvalidEdit: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
