import KVControllers

// Array controllers: the selection follows edits, and bindings follow the selection.

/// Inserts an object before 100 selected ones of 10,000, and removes it, with an observer of the selected indexes.
func runW19(_ w19: Workload) throws {
  let staff = Employee.staff(10_000)
  let selected = (0..<100).map { 5_000 + $0 * 50 }
  let new = Employee()
  let list = opaque(KVArrayController<Employee>())
  list.content = staff
  list.selectsInsertedObjects = false
  list.selectionIndexes = selected
  var calls = 0
  let token = try list.observe("selectionIndexes", options: []) { _ in calls += 1 }
  try w19.get("insert_remove", per: 1, where: { $0 == 2 }) {
    calls = 0
    try list.insert(new, at: 2_500)
    try list.remove(at: [2_500])
    return calls
  }
  if list.selectionIndexes != selected { fail("W19: the selection is wrong") }
  token.cancel()

  let hand = opaque(HandSelection(staff, selected))
  w19.native.get("insert_remove", per: 1, where: { $0 == 2 }) { hand.insertAndRemove(new, at: 2_500) }
}

/// Selects another object, which five bindings show; one of their paths has two keys.
func runW19d(_ w19d: Workload) throws {
  let staff = Employee.staff(10_000)
  let list = opaque(KVArrayController<Employee>())
  list.content = staff
  let form = opaque(Form())
  try form.bind("name", to: "selection.name", of: list)
  try form.bind("age", to: "selection.age", of: list)
  try form.bind("salary", to: "selection.salary", of: list)
  try form.bind("file", to: "selection.file", of: list)
  try form.bind("team", to: "selection.team.name", of: list)
  var index = selectEach(of: list, w19d)
  if form.name != staff[index].name || form.team != staff[index].team?.name { fail("W19d: the form is wrong") }

  let hand = opaque(HandSelection(staff, []))
  w19d.native.get("select", per: 1, where: { $0 == index }) {
    index = index == 9_999 ? 0 : index + 1
    hand.select(index)
    return hand.selected.first
  }
}

/// Measures selecting one object after the other; returns the index of the last one.
private func selectEach(of list: KVArrayController<Employee>, _ workload: Workload) -> Int {
  var index = 0
  workload.get("select", per: 1, where: { $0 == index }) {
    index = index == 9_999 ? 0 : index + 1
    list.selectionIndex = index
    return list.selectionIndex
  }
  return index
}

/// Selects another object, which one binding shows.
func runW19f(_ w19f: Workload) throws {
  let staff = Employee.staff(10_000)
  let list = opaque(KVArrayController<Employee>())
  list.content = staff
  let form = opaque(Form())
  try form.bind("name", to: "selection.name", of: list)
  let index = selectEach(of: list, w19f)
  if form.name != staff[index].name { fail("W19f: the form is wrong") }
}

/// Measures the same changes, and selections of many, for a number of elements.
func growController(_ growth: Growth) throws {
  let staff = Employee.staff(growth.count)
  let list = opaque(KVArrayController<Employee>())
  growth.measure("controller: assign the content (each)") { list.content = staff }
  list.selectsInsertedObjects = false
  growth.measure("controller: select all (each)") { list.selectionIndexes = Array(staff.indices) }
  let new = Employee()
  // The selection follows, of which each index is another one.
  try growth.measure("controller: insert and remove one before all (per selected)", operations: 4 * growth.count) {
    for _ in 0..<4 {
      try list.insert(new, at: 0)
      try list.remove(at: [0])
    }
  }
  list.selectionIndexes = (0..<100).map { growth.count / 2 + $0 }
  try growth.measure("controller: insert and remove one", operations: 40) {
    for _ in 0..<40 {
      try list.insert(new, at: growth.count / 4)
      try list.remove(at: [growth.count / 4])
    }
  }
  let form = opaque(Form())
  try form.bind("name", to: "selection.name", of: list, options: .init(multipleValues: "several"))
  try form.bind("team", to: "selection.team.name", of: list, options: .init(multipleValues: "several"))
  growth.measure("controller: select another, two bindings", operations: 400) {
    for index in 0..<400 { list.selectionIndex = index }
  }
  growth.measure("controller: select a tenth, two bindings (each)", operations: growth.count / 10) {
    list.selectionIndexes = Array(0..<growth.count / 10)
  }
  if list.selectedObjects.count != growth.count / 10 { fail("Growth: the selection is wrong") }
}

/// What shows an employee.
private final class Form: KVObject {
  @KVProperty var name = ""
  @KVProperty var age = 0
  @KVProperty var salary = 0.0
  @KVProperty var file = ""
  @KVProperty var team: String?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Form.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("salary", \.salary)
      key("file", \.file)
      key("team", \.team)
    }
  }
}

/// What a program without the library does.
private final class HandSelection {
  private(set) var selected: [Int]
  private var staff: [Employee]
  private var form = HandForm()
  private var calls = 0
  private var notify: ([Int]) -> Void = { _ in }
  private var show: (Employee) -> Void = { _ in }

  init(_ staff: [Employee], _ selected: [Int]) {
    (self.staff, self.selected) = (staff, selected)
    notify = opaque { [unowned self] _ in calls += 1 }
    show = opaque { [unowned self] employee in
      form.name = employee.name
      form.age = employee.age
      form.salary = employee.salary
      form.file = employee.file
      form.team = employee.team?.name
    }
  }

  func insertAndRemove(_ employee: Employee, at index: Int) -> Int {
    calls = 0
    staff.insert(employee, at: index)
    for position in selected.indices where selected[position] >= index { selected[position] += 1 }
    notify(selected)
    staff.remove(at: index)
    selected.removeAll { $0 == index }
    for position in selected.indices where selected[position] > index { selected[position] -= 1 }
    notify(selected)
    return calls
  }

  func select(_ index: Int) {
    selected = [index]
    show(staff[index])
  }
}

private struct HandForm {
  var name = ""
  var age = 0
  var salary = 0.0
  var file = ""
  var team: String?
}
