import KVBinding
import KVQuery

/// Prints what sorts and filters give, one line each, to be compared with what peers give for the same data.
///
/// A sort prints a number that depends on the place of each element, a filter the number of its matches.
func runResults(_ results: Workload) throws {
  let staff = Employee.staff(100_000)
  let places = Dictionary(uniqueKeysWithValues: staff.enumerated().map { (ObjectIdentifier($1), UInt32($0)) })
  func order(_ name: String, _ descriptors: [KVSortDescriptor]) throws {
    let digest = try staff.sorted(by: descriptors).reduce(UInt32(0)) { digest, employee in
      digest &* 31 &+ (places[ObjectIdentifier(employee)] ?? 0)
    }
    report("result sort \(name) \(digest)")
  }
  try order("name", ["name"])
  try order("age", ["age"])
  try order("team_age", ["team.name", .descending("age")])

  func matches(_ format: String, in staff: [Employee]) throws {
    report("result filter \(format): \(try staff.filter(KVPredicate(format: format)).count)")
  }
  let formats = [
    "age >= 30 AND age < 40", "name BEGINSWITH[c] 'ab'", "name CONTAINS[cd] 'eb'",
    "age < 10 OR age < 40 AND age >= 30", "age >= 30 AND age < 40 OR age < 10",
    "NOT age < 10 AND age < 40", "age BETWEEN {30, 39}", "name LIKE '*eb?'", "age IN {1, 2, 3}", "name == NULL",
  ]
  for format in formats { try matches(format, in: staff) }
  let buyers = Employee.staff(10_000, orders: 10)
  for quantifier in ["ANY", "SOME", "ALL", "NONE"] {
    try matches("\(quantifier) orders.total > 990", in: buyers)
    try matches("\(quantifier) orders.total <= 990", in: buyers)
  }
  try matches("orders.@sum.total > 5000", in: buyers)
  try matches("SUBQUERY(orders, $o, $o.total > 990).@count > 0", in: buyers)
}
