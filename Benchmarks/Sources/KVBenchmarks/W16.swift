import Foundation
import KVBinding
import KVQuery

/// Sorts 100,000 objects by a key; the time is that of one element.
func runW16(_ w16: Workload) throws {
  let count = elementCount
  let staff = opaque(Employee.staff(count))
  let sorted = staff.sorted { $0.name < $1.name }
  let isRight: ([Employee]) -> Bool = { $0.map(ObjectIdentifier.init) == sorted.map(ObjectIdentifier.init) }
  try w16.get("name", per: count, where: isRight) { try staff.sorted(by: ["name"]) }
  w16.native.get("closure_name", per: count, where: isRight) { staff.sorted { $0.name < $1.name } }
  w16.native.get("KeyPathComparator_name", per: count, where: isRight) {
    staff.sorted(using: KeyPathComparator(\Employee.name))
  }
}

func runW16i(_ w16i: Workload) throws {
  let count = elementCount
  let staff = opaque(Employee.staff(count))
  let isRight: ([Employee]) -> Bool = { sorted in zip(sorted, sorted.dropFirst()).allSatisfy { $0.age <= $1.age } }
  try w16i.get("age", per: count, where: isRight) { try staff.sorted(by: ["age"]) }
  w16i.native.get("closure_age", per: count, where: isRight) { staff.sorted { $0.age < $1.age } }
  w16i.native.get("KeyPathComparator_age", per: count, where: isRight) {
    staff.sorted(using: KeyPathComparator(\Employee.age))
  }
}

func runW16p(_ w16p: Workload) throws {
  let count = elementCount
  let staff = opaque(Employee.staff(count))
  func precedes(_ left: Employee, _ right: Employee) -> Bool {
    let (first, second) = (left.team?.name ?? "", right.team?.name ?? "")
    return first != second ? first < second : left.age > right.age
  }
  let isRight: ([Employee]) -> Bool = { sorted in !zip(sorted, sorted.dropFirst()).contains { precedes($1, $0) } }
  try w16p.get("team_age", per: count, where: isRight) {
    try staff.sorted(by: ["team.name", .descending("age")])
  }
  w16p.native.get("closure_team_age", per: count, where: isRight) { staff.sorted(by: precedes) }
}

func runW16n(_ w16n: Workload) throws {
  let count = 20_000
  let staff = opaque(Employee.staff(count))
  func number(_ employee: Employee) -> Int { Int(employee.file.dropFirst(4).dropLast(4)) ?? 0 }
  let isRight: ([Employee]) -> Bool = { sorted in
    zip(sorted, sorted.dropFirst()).allSatisfy { number($0) <= number($1) }
  }
  try w16n.get("natural", per: count, where: isRight) { try staff.sorted(by: [.natural("file")]) }
  w16n.native.get("localizedStandardCompare", per: count, where: isRight) {
    staff.sorted { $0.file.localizedStandardCompare($1.file) == .orderedAscending }
  }
}
