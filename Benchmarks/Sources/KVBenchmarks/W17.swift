import Foundation
import KVBinding
import KVQuery

/// Filters 100,000 objects; the time is that of one element.
func runW17(_ w17: Workload) throws {
  let count = elementCount
  let staff = opaque(Employee.staff(count))
  let matches = staff.filter { $0.age >= 30 && $0.age < 40 }.count
  let wanted: KVPredicate = "age >= 30 AND age < 40"
  try w17.get("age", per: count, where: { $0.count == matches }) { try staff.filter(wanted) }
  w17.native.get("closure_age", per: count, where: { $0.count == matches }) {
    staff.filter { $0.age >= 30 && $0.age < 40 }
  }
  let predicate = #Predicate<Employee> { $0.age >= 30 && $0.age < 40 }
  try w17.native.get("Predicate_age", per: count, where: { $0.count == matches }) { try staff.filter(predicate) }
}

func runW17c(_ w17c: Workload) throws {
  let count = elementCount
  let staff = opaque(Employee.staff(count))
  let begins: KVPredicate = "name BEGINSWITH[c] 'ab'"
  let contains: KVPredicate = "name CONTAINS[cd] 'eb'"
  let (beginning, containing) = (
    staff.filter { $0.name.hasPrefix("ab") }.count, staff.filter { $0.name.contains("eb") }.count
  )
  try w17c.get("begins", per: count, where: { $0.count == beginning }) { try staff.filter(begins) }
  try w17c.get("contains", per: count, where: { $0.count == containing }) { try staff.filter(contains) }
  w17c.native.get("lowercased_hasPrefix", per: count, where: { $0.count == beginning }) {
    staff.filter { $0.name.lowercased().hasPrefix("ab") }
  }
  w17c.native.get("range_of", per: count, where: { $0.count == containing }) {
    staff.filter { $0.name.range(of: "eb", options: [.caseInsensitive, .diacriticInsensitive]) != nil }
  }
}

func runW17a(_ w17a: Workload) throws {
  let count = 10_000
  let staff = opaque(Employee.staff(count, orders: 10))
  let matches = staff.filter { $0.orders.contains { $0.total > 990 } }.count
  let wanted: KVPredicate = "ANY orders.total > 990"
  try w17a.get("any", per: count, where: { $0.count == matches }) { try staff.filter(wanted) }
  w17a.native.get("closure_any", per: count, where: { $0.count == matches }) {
    staff.filter { $0.orders.contains { $0.total > 990 } }
  }
}

/// Parses two formats of 60 characters together.
func runW17f(_ w17f: Workload) throws {
  let (first, second) = (opaque("age >= 30 AND age < 40"), opaque("name CONTAINS[cd] 'eb' OR city == 'Wien'"))
  try w17f.get("parse", where: { $0 != $1 }) {
    (try KVPredicate(format: first), try KVPredicate(format: second))
  }
}
