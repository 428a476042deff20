import KVBinding

// Keys that depend on others, and graphs of bindings: what one change causes.

/// Sets a key, with an observer of one that is computed from it: alone (W21), at the end of ten in a chain (W21c), behind
/// two others (W21d), a total over elements (W21t), and of a collection that changes in part, or by a setter (W21v).
func runW21(_ w21: Workload) throws {
  let counter = Counter()
  let model = opaque(Derived())
  func row(
    _ name: String, of suffix: String = "", _ token: KVObservation, _ operation: (Workload, String) throws -> Void
  ) rethrows {
    try operation(Workload(name: w21.name + suffix, wall: w21.wall), name)
    token.cancel()
  }
  func set(_ workload: Workload, _ name: String) {
    workload.set(name, model, Alternating.texts, reading: { $0.name }) { $0.name = $1 }
  }
  row("typed", try model.observe("initial", as: String.self) { counter.count($0.new) }, set)
  row("typed_no_values", try model.observe("initial", as: String.self, options: []) { counter.count($0.new) }, set)
  row("any", try model.observe("initial") { counter.count(boxed: $0.new) }, set)
  func setNumber(_ workload: Workload, _ name: String) {
    workload.set(name, model, Alternating.numbers, reading: { $0.k0 }) { $0.k0 = $1 }
  }
  row("ten_in_a_chain", of: "c", try model.observe("k10", as: Int.self) { counter.count($0.new) }, setNumber)
  row("diamond", of: "d", try model.observe("both", as: Int.self) { counter.count($0.new) }, setNumber)
  try row("by_computed_setter", of: "v", try model.observe("double", as: Int.self) { counter.count($0.new) }) {
    workload, name in
    try workload.set(name, model, Alternating(2, 4), reading: { $0.double }) { try $0.setValue($1, forKey: "double") }
  }
  row("in_place", of: "v", try model.observe("sum", as: Int.self) { counter.count($0.new) }) { workload, name in
    workload.set(name, model, Alternating.numbers, reading: { $0.values[3] }) { $0.values[3] = $1 }
  }
  let view = model.mutableArray(forKey: "values")
  try row("by_index", of: "v", try model.observe("sum", as: Int.self) { counter.count($0.new) }) { workload, name in
    try workload.set(name, model, Alternating.numbers, reading: { $0.values[3] }) { try view.replace(at: 3, with: $1) }
  }
  model.parts = (0..<100).map { _ in Part() }
  row("total_of_100", of: "t", try model.observe("total", as: Int.self) { counter.count($0.new) }) { workload, name in
    workload.set(name, model.parts[50], Alternating.numbers, reading: { $0.price }) { $0.price = $1 }
  }
}

/// Sets the first of fifty objects that depend on each other (W22), of fifty in a chain of bindings (W22p), the source of
/// fifty bindings (W22b), of five to what one key is computed from (W22d), and of diamonds in a row (W23).
func runW22(_ w22: Workload) throws {
  let counter = Counter()
  func workload(_ suffix: String) -> Workload { Workload(name: w22.name + suffix, wall: w22.wall) }
  func set(_ workload: Workload, _ name: String, _ object: Linked) {
    workload.set(name, object, Alternating.numbers, reading: { $0.value }) { $0.value = $1 }
  }
  do {
    let objects = (0..<50).map { _ in Linked() }
    for (former, object) in zip(objects, objects.dropFirst()) { object.former = former }
    let token = try objects[49].observe("total", as: Int.self) { counter.count($0.new) }
    set(w22, "fifty_objects", opaque(objects[0]))
    token.cancel()
    withExtendedLifetime(objects) {}
  }
  do {
    let objects = (0..<51).map { _ in Linked() }
    for (former, object) in zip(objects, objects.dropFirst()) { try object.bind("value", to: "value", of: former) }
    set(workload("p"), "fifty_in_a_chain", opaque(objects[0]))
    withExtendedLifetime(objects) {}
  }
  do {
    let (source, objects) = (opaque(Linked()), (0..<50).map { _ in Linked() })
    var tokens: [KVObservation] = []
    for object in objects {
      try object.bind("value", to: "value", of: source)
      tokens.append(try object.observe("value", as: Int.self) { counter.count($0.new) })
    }
    set(workload("b"), "fifty_to_one", source)
    tokens.forEach { $0.cancel() }
    withExtendedLifetime(objects) {}
  }
  do {
    let (source, target) = (opaque(Linked()), Linked())
    for key in ["a", "b", "c", "d", "e"] { try target.bind(KVKeyPath(key), to: "value", of: source) }
    let token = try target.observe("sum", as: Int.self) { counter.count($0.new) }
    set(workload("d"), "five_to_one_sum", source)
    token.cancel()
  }
  for count in [1, 5, 20] {
    let objects = (0...count).map { _ in Linked() }
    for (former, object) in zip(objects, objects.dropFirst()) {
      let source: KVKeyPath = former === objects[0] ? "value" : "sum"
      try object.bind("a", to: source, of: former)
      try object.bind("b", to: source, of: former) { (number: Int) in 0 &* number }
    }
    let token = try objects[count].observe("sum", as: Int.self) { counter.count($0.new) }
    set(Workload(name: "W23", wall: w22.wall), "diamonds_\(count)", opaque(objects[0]))
    token.cancel()
    withExtendedLifetime(objects) {}
  }
}

/// Keys that are computed from others.
@KVModel private final class Derived: KVObject {
  var name = ""
  var k0 = 0
  var values = Array(0..<10)
  var parts: [Part] = []
  var initial: String { String(name.prefix(1)) }
  var k1: Int { k0 &+ 1 }
  var k2: Int { k1 &+ 1 }
  var k3: Int { k2 &+ 1 }
  var k4: Int { k3 &+ 1 }
  var k5: Int { k4 &+ 1 }
  var k6: Int { k5 &+ 1 }
  var k7: Int { k6 &+ 1 }
  var k8: Int { k7 &+ 1 }
  var k9: Int { k8 &+ 1 }
  var k10: Int { k9 &+ 1 }
  var both: Int { k1 &+ k2 }
  var sum: Int { values.reduce(0, &+) }
  @KVKey(.affected(by: "parts.@sum.price")) var total: Int { parts.reduce(0) { $0 &+ $1.price } }
  var double: Int {
    get { k0 &* 2 }
    set { k0 = newValue / 2 }
  }
}

@KVModel private final class Part: KVObject {
  var price = 1
}

/// One of a chain of objects.
@KVModel private final class Linked: KVObject {
  var value = 0
  var former: Linked?
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0
  @KVKey(.affected(by: "value", "former.total")) var total: Int { value &+ (former?.total ?? 0) }
  var sum: Int { a &+ b &+ c &+ d &+ e }
}
