import KVBinding

/// A person who works in a department.
final class Employee: KVObject {
  @KVProperty var name: String
  @KVProperty var salary: Double

  init(_ name: String, salary: Double) {
    self.name = name
    self.salary = salary
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Employee.self) { key in
      key("name", \.name).metadata("title", "Name").validated { name in
        let trimmed = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        if trimmed.isEmpty { throw InvalidEdit("An employee needs a name.") }
        return trimmed == name ? .valid : .replaced(with: trimmed)
      }
      key("salary", \.salary).metadata("title", "Salary").lenient().validated { salary in
        if salary < 0 { throw InvalidEdit("A salary is not negative.") }
        return .valid
      }
    }
  }
}

/// An edit that a validator refuses.
struct InvalidEdit: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
