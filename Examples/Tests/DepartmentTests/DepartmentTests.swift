import KVBinding
import KVTestSupport
import Testing

@testable import Department

@Suite("A department") struct DepartmentTests {
  let research = Department("Research")
  let ada = Employee("Ada", salary: 5_000)
  let grace = Employee("Grace", salary: 5_500)

  @Test("its classes comply with key-value coding and observing")
  func compliance() {
    expectCompliant(values: ["employees": [ada]]) {
      let department = Department("Research")
      department.employees = [Employee("Ada", salary: 5_000)]
      return department
    }
    expectCompliant(values: ["name": "Bea", "salary": 1.5]) { Employee("Ada", salary: 5_000) }
  }

  @Test("the payroll follows employees and their salaries")
  func payroll() throws {
    expectChanges(
      of: research, [.inserted([ada], into: "employees", at: [0]), .set("payroll", from: 0.0, to: 5_000.0)]
    ) {
      #expect(throws: Never.self) { try research.mutableArray(forKey: "employees").append(ada) }
    }
    expectChanges(of: research, [.set("payroll", from: 5_000.0, to: 6_000.0), .set("summary")]) { ada.salary = 6_000 }
    expectNoChange(of: research, "payroll", "employees") { ada.name = "Bea" }
  }

  @Test("a summary of two keys that change together is delivered once, and never half updated")
  func summary() throws {
    research.employees = [ada, grace]
    expectChanges(
      of: research, [.set("summary", from: "Research: 2 people, 10500.0", to: "Research: 1 people, 5000.0")]
    ) {
      research.employees = [ada]
    }
  }

  @Test("an edit is validated first: replaced by a valid value, or refused with nothing changed")
  func validation() throws {
    research.employees = [ada]
    try research.edit(ada, "name", to: "  Ada Lovelace ")
    #expect(ada.name == "Ada Lovelace")
    try research.edit(ada, "salary", to: "6250.5")
    #expect(ada.salary == 6250.5)
    expectNoChange(of: ada, "name", "salary") {
      #expect(throws: KVError.self) { try research.edit(ada, "name", to: " ") }
      #expect(throws: KVError.self) { try research.edit(ada, "salary", to: -1) }
      #expect(throws: KVError.self) { try research.edit(ada, "salary", to: "much") }
    }
  }

  @Test("every edit is undone and redone by its record, in steps")
  func undo() throws {
    research.employees = [ada]
    let undo = try research.recordingUndo()
    #expect(!undo.canUndo)
    let people = research.mutableArray(forKey: "employees")
    try people.insert(grace, at: 0)
    ada.salary = 7_000
    try undo.group("Computing") {
      grace.name = "Grace Hopper"
      try people.remove(at: 1)
      research.title = "Computing"
    }
    #expect(research.summary == "Computing: 1 people, 5500.0")

    try undo.undo()
    #expect(
      research.title == "Research" && grace.name == "Grace" && research.employees.map(\.name) == ["Grace", "Ada"])
    try undo.undo()
    #expect(ada.salary == 5_000)
    try undo.undo()
    #expect(research.employees.map(\.name) == ["Ada"] && !undo.canUndo)

    while undo.canRedo { try undo.redo() }
    #expect(research.summary == "Computing: 1 people, 5500.0" && grace.name == "Grace Hopper")

    try undo.undo()
    research.title = "Applied Research"
    #expect(!undo.canRedo)
  }

  @Test("whether there is something to undo is observable, as a menu needs it")
  func menu() throws {
    let undo = try research.recordingUndo()
    expectChanges(of: undo, [.set("canUndo", from: false, to: true)]) { research.title = "R&D" }
    try expectChanges(of: undo, [.set("canUndo", to: false), .set("canRedo", to: true)], matching: .anyOrder) {
      try undo.undo()
    }
  }

  @Test("neither the history nor an observer keeps a department")
  func lifetime() throws {
    var department: Department? = Department("Research")
    let undo = try #require(try department?.recordingUndo())
    expectReleased(&department)
    #expect(!undo.canUndo)
  }
}
