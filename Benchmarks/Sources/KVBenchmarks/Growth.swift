import KVBinding

/// Finds out what grows with what.
///
/// Each line has a case, the number *n*, the nanoseconds of one operation and the bytes
/// of one part, separated by commas: an operation that is not linear in *n* shows as a figure that grows.
func runGrowth(_ growth: Workload) throws {
  report("case,n,ns,bytes")
  for count in [1, 10, 100, 1_000, 10_000, 100_000] {
    try keysOfOneRecord(Growth(count))
    if count > 10_000 { continue }
    try observersOfOneKey(Growth(count))
    try targetsOfOneKey(Growth(count))
    try objectsOfOneTarget(Growth(count))
    try pathsThroughOneObject(Growth(count))
    try elements(Growth(count))
    try scopes(Growth(count))
    try chainOfDependents(Growth(count))
    try bindingsOfOneSource(Growth(count))
    try bindingsOfOneTarget(Growth(count))
    try chainOfBindings(Growth(count))
  }
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    try manyObjects(Growth(count))
    try sortsAndFilters(Growth(count))
    try undoing(Growth(count))
    try growArrangement(Growth(count))
    try growController(Growth(count))
    if count <= 100_000 { try groupsAndPaths(Growth(count)) }
  }
}

/// The measurements of one size.
struct Growth {
  let count: Int

  init(_ count: Int) { self.count = count }

  /// Measures a body that makes a number of operations, and prints a line.
  ///
  /// What is kept is not released before: observations end with their objects.
  func measure(
    _ name: String, operations: Int? = nil, keeping kept: Any? = nil, _ body: () throws -> Void
  ) rethrows {
    defer { withExtendedLifetime(kept) {} }
    let bytes = residentBytes()
    let start = threadSeconds()
    try body()
    let seconds = threadSeconds() - start
    let grown = Double(max(0, residentBytes() - bytes)) / Double(count)
    report("\(name),\(count),\(Timing.text(seconds * 1e9 / Double(operations ?? count))),\(Timing.text(grown))")
  }

  /// Measures an operation that is made again and again.
  func measureOften(_ name: String, per parts: Int = 1, _ operation: (Int) throws -> Void) rethrows {
    let rounds = max(2, 20_000 / max(1, parts))
    for round in 0..<2 { try operation(round) }
    try measure(name, operations: rounds * parts) { for round in 0..<rounds { try operation(round) } }
  }
}

// MARK: Observers

private func observersOfOneKey(_ growth: Growth) throws {
  let counter = Counter()
  let node = opaque(Node())
  var tokens: [KVObservation] = []
  try growth.measure("observers of one key: register each") {
    for _ in 0..<growth.count { tokens.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  }
  counter.expect(growth.count, "Growth") { node.age = -1 }
  try growth.measureOften("observers of one key: register and cancel one more") { _ in
    try node.observe("age", as: Int.self) { counter.count($0.new) }.cancel()
  }
  growth.measureOften("observers of one key: a set (per observer)", per: growth.count) { node.age = $0 }
  growth.measureOften("observers of one key: set another key") { node.i2 = $0 }
  // From the middle outwards, so that gaps arise everywhere.
  let order = tokens.indices.sorted { abs($0 - growth.count / 2) < abs($1 - growth.count / 2) }
  growth.measure("observers of one key: cancel each", keeping: node) { for index in order { tokens[index].cancel() } }
}

private func keysOfOneRecord(_ growth: Growth) throws {
  let counter = Counter()
  let record = opaque(KVRecord())
  let keys = (0..<growth.count).map { "key\($0)" }
  growth.measure("keys of a record: set each") { for key in keys { record[key] = 0 } }
  var tokens: [KVObservation] = []
  try growth.measure("keys of a record: observe each") {
    for key in keys { tokens.append(try record.observe(key, as: Int.self) { counter.count($0.new) }) }
  }
  let key = keys[growth.count / 2]
  growth.measureOften("keys of a record: set one of them (observed)") { record[key] = $0 }
  growth.measure("keys of a record: cancel each", keeping: record) { for token in tokens { token.cancel() } }
}

private func targetsOfOneKey(_ growth: Growth) throws {
  let node = opaque(Node())
  let targets = (0..<growth.count).map { _ in Target() }
  try growth.measure("targets of one key: add each") {
    for target in targets { try node.addTarget(target, Target.touch, forKeyPath: "age") }
  }
  try growth.measure("targets of one key: remove each") {
    for target in targets { try node.removeTarget(target, forKeyPath: "age") }
  }
}

private func objectsOfOneTarget(_ growth: Growth) throws {
  let target = Target()
  let nodes = (0..<growth.count).map { _ in Node() }
  for node in nodes { try node.addTarget(target, Target.touch, forKeyPath: "age") }
  growth.measure("objects of one target: remove it from each") { for node in nodes { node.removeTarget(target) } }
}

private func pathsThroughOneObject(_ growth: Growth) throws {
  let counter = Counter()
  let root = opaque(Node())
  root.next = Node()
  var tokens: [KVObservation] = []
  try growth.measure("paths through one object: register each") {
    for _ in 0..<growth.count {
      tokens.append(try root.observe("next.age", as: Int.self) { counter.count($0.new) })
    }
  }
  let nodes = [Node(), Node()]
  growth.measureOften("paths through one object: replace it (per path)", per: growth.count) {
    root.next = nodes[$0 & 1]
  }
  growth.measure("paths through one object: cancel each", keeping: root) { for token in tokens { token.cancel() } }
}

private func elements(_ growth: Growth) throws {
  let counter = Counter()
  let shop = opaque(Shop.stocked(growth.count))
  let token = try shop.observeElements(of: "items", "value") { _ in counter.count() }
  let view = shop.mutableArray(forKey: "items")
  let item = Item()
  try growth.measure("observed elements: append and remove one", operations: 100) {
    for _ in 0..<100 {
      try view.append(item)
      try view.removeLast()
    }
  }
  token.cancel()
}

private func manyObjects(_ growth: Growth) throws {
  let counter = Counter()
  let nodes = (0..<growth.count).map { _ in Node() }
  var tokens: [KVObservation] = []
  tokens.reserveCapacity(growth.count)
  try growth.measure("objects: observe each") {
    for node in nodes { tokens.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  }
  growth.measure("objects: set each") { for node in nodes { node.age = 7 } }
  growth.measure("objects: cancel each", keeping: nodes) { for token in tokens { token.cancel() } }
}

/// A target whose action does nothing.
private final class Target: KVObject {
  static var touch: KVAction<Target> { KVAction("touch", perform: { _ in }) }
}
