import KVControllers

// Live arrangements: 100,000 elements by `name`, of which half pass `age < 50`, with one observer by index. Figures are of
// one change.

/// Sets the name of an element, so that it moves.
func runW18(_ w18: Workload) throws {
  let moves = try Moves(elementCount)
  w18.get("move", per: moves.count, where: { $0 == moves.count }) { moves.setNames() }
  try moves.verify("W18")
  let hand = HandMoves(elementCount)
  w18.native.get("move", per: hand.count, where: { $0 == hand.count }) { hand.setNames() }
  hand.verify("W18")
  var kept: [Any] = []
  let staff = Office(Employee.staff(elementCount))
  try w18.bytes("element", elementCount) {
    kept.append(try KVArrangement<Employee>(of: "staff", in: staff, sortedBy: ["name"], where: "age < 50"))
  }
  withExtendedLifetime(kept) {}
}

/// Sets the age of an element, so that it is hidden or shown.
func runW18h(_ w18h: Workload) throws {
  let moves = try Moves(elementCount)
  w18h.get("show_hide", per: moves.count, where: { $0 == moves.count }) { moves.setAges() }
  try moves.verify("W18h")
  let hand = HandMoves(elementCount)
  w18h.native.get("show_hide", per: hand.count, where: { $0 == hand.count }) { hand.setAges() }
  hand.verify("W18h")
}

/// Inserts an object into the model, and removes it.
func runW18i(_ w18i: Workload) throws {
  let moves = try Moves(elementCount)
  try w18i.get("insert_remove", per: 1, where: { $0 == 2 }) { try moves.insertAndRemove() }
  try moves.verify("W18i")
  let hand = HandMoves(elementCount)
  w18i.native.get("insert_remove", per: 1, where: { $0 == 2 }) { hand.insertAndRemove() }
  hand.verify("W18i")
}

/// Measures the same changes for a number of elements.
func growArrangement(_ growth: Growth) throws {
  let staff = Office(Employee.staff(growth.count))
  var kept: [Any] = []
  try growth.measure("arrangement: arrange") {
    kept.append(try KVArrangement<Employee>(of: "staff", in: staff, sortedBy: ["name"], where: "age < 50"))
  }
  let moves = try Moves(growth.count)
  let rounds = growth.count > 100_000 ? 2 : 20
  for _ in 0..<2 { _ = moves.setNames() }
  growth.measure("arrangement: move one", operations: rounds * moves.count) {
    for _ in 0..<rounds { _ = moves.setNames() }
  }
  growth.measure("arrangement: show or hide one", operations: rounds * moves.count) {
    for _ in 0..<rounds { _ = moves.setAges() }
  }
  try growth.measure("arrangement: insert and remove one", operations: rounds * 10) {
    for _ in 0..<rounds * 10 { _ = try moves.insertAndRemove() }
  }
  growth.measure("arrangement: release", keeping: kept) { kept = [] }
}

/// An arrangement of employees, and what is set on some of them.
private final class Moves {
  let count = 256
  private let office: Office
  private let arrangement: KVArrangement<Employee>
  private let changes: Changes
  private let new = Employee()
  private let view: KVMutableArray
  private var token: KVObservation?
  private var calls = 0

  init(_ count: Int) throws {
    office = opaque(Office(Employee.staff(count)))
    view = office.mutableArray(forKey: "staff")
    arrangement = opaque(
      try KVArrangement<Employee>(of: "staff", in: office, sortedBy: ["name"], where: "age < 50"))
    changes = Changes(office.staff)
    (new.name, new.age) = ("mmmmmmmmmmmm", 20)
    token = try arrangement.observe("elements", options: []) { [unowned self] change in
      if change.kind == .insertion || change.kind == .removal { calls += 1 }
    }
  }

  /// Returns how many elements have moved.
  func setNames() -> Int {
    calls = 0
    changes.forEachName { $0.name = $1 }
    return calls / 2
  }

  /// Returns how many elements were shown or hidden.
  func setAges() -> Int {
    calls = 0
    changes.forEachAge { $0.age = $1 }
    return calls
  }

  func insertAndRemove() throws -> Int {
    calls = 0
    let index = office.staff.count / 2
    try view.insert(new, at: index)
    try view.remove(at: index)
    return calls
  }

  func verify(_ name: String) throws {
    let fresh = try office.staff.filter("age < 50").sorted(by: ["name"])
    if !fresh.elementsEqual(arrangement.elements, by: ===) { fail("\(name): the arrangement is wrong") }
  }
}

/// What a program without the library does.
private final class HandMoves {
  let count = 256
  private var staff: [Employee]
  private var arranged: [Employee]
  private let changes: Changes
  private let new = Employee()
  private var calls = 0
  private var notify: (Int) -> Void = { _ in }

  init(_ count: Int) {
    staff = opaque(Employee.staff(count))
    arranged = staff.filter { $0.age < 50 }.sorted { $0.name < $1.name }
    changes = Changes(staff)
    (new.name, new.age) = ("mmmmmmmmmmmm", 20)
    notify = opaque { [unowned self] _ in calls += 1 }
  }

  private func index(of name: String) -> Int {
    var (low, high) = (0, arranged.count)
    while low < high {
      let middle = (low + high) / 2
      if arranged[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func remove(_ employee: Employee) {
    var position = index(of: employee.name)
    while arranged[position] !== employee { position += 1 }
    arranged.remove(at: position)
    notify(position)
  }

  private func insert(_ employee: Employee) {
    let position = index(of: employee.name)
    arranged.insert(employee, at: position)
    notify(position)
  }

  func setNames() -> Int {
    calls = 0
    changes.forEachName { employee, name in
      remove(employee)
      employee.name = name
      insert(employee)
    }
    return calls / 2
  }

  func setAges() -> Int {
    calls = 0
    changes.forEachAge { employee, age in
      if employee.age < 50 { remove(employee) }
      employee.age = age
      if age < 50 { insert(employee) }
    }
    return calls
  }

  func insertAndRemove() -> Int {
    calls = 0
    let index = staff.count / 2
    staff.insert(new, at: index)
    if new.age < 50 { insert(new) }
    if staff.remove(at: index).age < 50 { remove(new) }
    return calls
  }

  func verify(_ name: String) {
    let fresh = staff.filter { $0.age < 50 }.sorted { $0.name < $1.name }
    // By hand, equal names stand in the order of their insertion.
    if !fresh.elementsEqual(arranged, by: { $0.name == $1.name }) { fail("\(name): the array is wrong") }
  }
}

/// Employees that pass, and the names that they have by turns.
private final class Changes {
  private let changed: [Employee]
  private let names: [(String, String)]
  private var isSecond = false
  private var isHidden = false

  init(_ staff: [Employee]) {
    var random = SeededNumbers()
    for _ in 0..<100 { _ = random.below(7) }
    let passing = staff.filter { $0.age < 50 }
    changed = (0..<256).map { passing[$0 * (passing.count / 256)] }
    names = changed.map { _ in (random.letters(12), random.letters(12)) }
  }

  func forEachName(_ body: (Employee, String) -> Void) {
    isSecond.toggle()
    for (employee, names) in zip(changed, names) { body(employee, isSecond ? names.1 : names.0) }
  }

  func forEachAge(_ body: (Employee, Int) -> Void) {
    isHidden.toggle()
    for employee in changed { body(employee, isHidden ? 70 : 30) }
  }
}

final class Office: KVObject {
  @KVProperty var staff: [Employee] = []

  convenience init(_ staff: [Employee]) {
    self.init()
    self.staff = staff
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Office.self) { key in key("staff", \.staff).inPlace { $1(&$0.staff) } }
  }
}
