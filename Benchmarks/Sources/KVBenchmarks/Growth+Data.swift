import KVControllers

// The cases of growth with sorting, filtering, grouping and undoing.

/// Sorts, filters and groups of one array.
func sortsAndFilters(_ growth: Growth) throws {
  let staff = opaque(Employee.staff(growth.count, orders: growth.count > 100_000 ? 0 : 2))
  func sort(_ name: String, _ descriptors: [KVSortDescriptor]) throws {
    var sorted: [Employee] = []
    try growth.measure(name) { sorted = try staff.sorted(by: descriptors) }
    if try !sorted.isSorted(by: descriptors) { fail("Growth: \(name): the elements are not in order") }
  }
  try sort("sort by a text (each)", ["name"])
  try sort("sort by an integer (each)", ["age"])
  try sort("sort by two key paths (each)", ["team.name", .descending("age")])
  try sort("sort in natural order (each)", [.natural("file")])
  try growth.measure("sort what is in order (each)") { _ = opaque(try staff.sorted(by: ["isManager"])) }

  func filter(_ name: String, _ predicate: KVPredicate, _ isMatch: (Employee) -> Bool) throws {
    var matches = 0
    try growth.measure(name) { matches = try staff.filter(predicate).count }
    if matches != staff.lazy.filter(isMatch).count { fail("Growth: \(name): the matches are wrong") }
  }
  try filter("filter by an integer (each)", "age >= 30 AND age < 40") { $0.age >= 30 && $0.age < 40 }
  try filter("filter by a text (each)", "name CONTAINS[cd] 'eb'") { $0.name.contains("eb") }
  try filter("filter by ANY (each)", "ANY orders.total > 990") { $0.orders.contains { $0.total > 990 } }

  func group(_ name: String, _ path: KVKeyPath) throws {
    var groups: [KVGroup<Employee>] = []
    try growth.measure(name) { groups = try staff.grouped(by: path) }
    if groups.reduce(0, { $0 + $1.elements.count }) != staff.count { fail("Growth: \(name): elements are missing") }
  }
  try group("group into 20 by a text (each)", "team.name")
  try group("group into 20 by an object (each)", "team")
  try group("group into one for each, by a text (each)", "name")
  try growth.measure("find the distinct ones (each)") { _ = opaque(try staff.uniqued(by: "name")) }
}

/// Edits that are recorded, undone and done again.
func undoing(_ growth: Growth) throws {
  let node = opaque(Node())
  let undo = KVUndoManager()
  try undo.record(node, keys: ["age"])
  growth.measure("undo: record settings in one step (each)") {
    undo.group("Count") { for number in 1...growth.count { node.age = number } }
  }
  try growth.measure("undo: undo one step of many edits (per edit)") { _ = try undo.undo() }
  try growth.measure("undo: redo one step of many edits (per edit)") { _ = try undo.redo() }
  undo.removeAll()
  growth.measure("undo: record steps (each)") { for number in 1...growth.count { node.age = -number } }
  try growth.measure("undo: undo steps (each)") { while try undo.undo() {} }
  try growth.measure("undo: redo steps (each)") { while try undo.redo() {} }
  if node.age != -growth.count { fail("Growth: the steps were not done again") }
  growth.measure("undo: forget steps (each)") { undo.removeAll() }
  undo.levelsOfUndo = 100
  growth.measure("undo: record steps beyond the limit (each)") { for number in 1...growth.count { node.age = number } }

  let office = opaque(RecordedOffice())
  let history = KVUndoManager()
  office.staff = (0..<growth.count).map { _ in Employee() }
  try growth.measure("undo: record the elements of a collection (each)") {
    try history.recordElements(of: "staff", in: office, keys: ["age"])
  }
  growth.measure("undo: set a key of elements (each)") { for employee in office.staff { employee.age = 1 } }
  try growth.measure("undo: undo the settings of elements (each)") { while try history.undo() {} }
  let staff = office.mutableArray(forKey: "staff")
  try growth.measure("undo: remove the last elements (each)") {
    for _ in office.staff.indices { try staff.removeLast() }
  }
  try growth.measure("undo: insert them again (each)") { while try history.undo() {} }
  if office.staff.count != growth.count { fail("Growth: the elements were not inserted again") }
  history.removeAll()
  // Each removal moves the elements behind it, as it does without a manager.
  func removeAndUndo() throws {
    try staff.remove(at: growth.count / 2)
    try history.undo()
  }
  try removeAndUndo()  // the allocator sorts what was released before
  try growth.measure("undo: remove one in the middle, and undo it", operations: 20) {
    for _ in 0..<20 { try removeAndUndo() }
  }
}

/// Live groups, and what changes inside the elements of a controller.
func groupsAndPaths(_ growth: Growth) throws {
  let staff = Employee.staff(growth.count)
  let office = opaque(Office(staff))
  let groups = try KVGroups<Employee>(of: "staff", in: office, by: "team.name", sortedBy: ["age"])
  var calls = 0
  let token = try groups.observe("groups", options: []) { _ in calls += 1 }
  let teams = Array(Set(staff.compactMap(\.team).map(ObjectIdentifier.init))).count
  let others = staff.prefix(100).compactMap(\.team)
  growth.measure("groups: move one to another group", operations: others.count) {
    for (index, team) in others.enumerated() { staff[growth.count / 2 + index].team = team }
  }
  let view = office.mutableArray(forKey: "staff")
  try growth.measure("groups: insert and remove one", operations: 40) {
    for _ in 0..<40 {
      try view.insert(staff[0], at: growth.count / 2)
      try view.remove(at: growth.count / 2)
    }
  }
  if groups.groups.count > teams || groups.groups.reduce(0, { $0 + $1.elements.count }) != growth.count {
    fail("Growth: the groups are wrong")
  }
  withExtendedLifetime(token) {}

  let list = opaque(KVArrayController<Employee>())
  list.content = staff
  list.selectionIndexes = Array(staff.indices)
  var tokens: [KVObservation] = []
  try growth.measure("controller: observe a path of the elements (each)") {
    tokens.append(try list.observe("arrangedObjects.age", options: [.old, .new]) { _ in calls += 1 })
  }
  // The first change makes the table in which the others find their indexes.
  staff[0].age += 1
  growth.measure("controller: change an element of an observed path", operations: 1_000) {
    for index in 0..<1_000 { staff[index].age += 1 }
  }
  tokens = []
  tokens.append(try list.observe("selection.age", options: [.old, .new]) { _ in calls += 1 })
  try growth.measure("controller: write through the selection of all (each)") {
    try list.setValue(7, forKeyPath: "selection.age")
  }
  try growth.measure("controller: select and remove half (each)") {
    list.selectionIndexes = Array(stride(from: 0, to: growth.count, by: 2))
    try list.remove()
  }
  if list.content.count != growth.count / 2 { fail("Growth: half of the elements should be left") }
}

/// An object with elements whose edits are recorded; a view edits an array of a `@KVModel` class in place.
@KVModel final class RecordedOffice: KVObject {
  var staff: [Employee] = []
}
