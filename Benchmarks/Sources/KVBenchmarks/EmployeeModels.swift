import KVCore

// The models of W16 and W17: a class with eight observable properties and a table, and seeded data.

/// An element that is sorted and filtered.
final class Employee: KVObject {
  @KVProperty var name = ""
  @KVProperty var age = 0
  @KVProperty var salary = 0.0
  @KVProperty var isManager = false
  @KVProperty var city = ""
  @KVProperty var file = ""
  @KVProperty var team: Team?
  @KVProperty var orders: [SalesOrder] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Employee.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("salary", \.salary)
      key("isManager", \.isManager)
      key("city", \.city)
      key("file", \.file)
      key("team", \.team)
      key("orders", \.orders)
    }
  }

  /// Returns employees with random names of 12 letters, ages below 100 and 20 teams.
  static func staff(_ count: Int, orders: Int = 0) -> [Employee] {
    var random = SeededNumbers()
    let teams = (0..<20).map { Team(random.letters(8) + "\($0)") }
    return (0..<count).map { _ in
      let employee = Employee()
      employee.name = random.letters(12)
      employee.age = random.below(100)
      employee.salary = Double(random.below(100_000))
      employee.file = "file\(random.below(100_000)).txt"
      employee.team = teams[random.below(20)]
      employee.orders = (0..<orders).map { _ in SalesOrder(Double(random.below(1_000))) }
      return employee
    }
  }
}

final class Team: KVObject {
  @KVProperty var name = ""

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Team.self) { key in key("name", \.name) }
  }
}

final class SalesOrder: KVObject {
  @KVProperty var total = 0.0

  convenience init(_ total: Double) {
    self.init()
    self.total = total
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SalesOrder.self) { key in key("total", \.total) }
  }
}

/// Seeded numbers: the same in each run.
struct SeededNumbers {
  private var state: UInt64 = 16

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
  }

  mutating func letters(_ count: Int) -> String {
    String(decoding: (0..<count).map { _ in UInt8(97 + below(26)) }, as: UTF8.self)
  }
}
