import KVBinding

/// Finds out what grows with what: observers of one key, keys of one object, observed objects.
func runGrowth(_ growth: Workload) throws {
  for count in [1, 10, 100, 1_000, 10_000] {
    try observersOfOneKey(growth, count)
    try keysOfOneObject(growth, count)
  }
  try manyObjects(growth, 1_000_000)
}

/// Registering and cancelling one observer more, and a set, while a key has many observers.
private func observersOfOneKey(_ growth: Workload, _ count: Int) throws {
  let counter = Counter()
  let node = opaque(Node())
  var tokens: [KVObservation] = []
  let start = threadSeconds()
  for _ in 0..<count { tokens.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  growth.once("register_first_to_last_of_\(count)_on_one_key", threadSeconds() - start, count)
  counter.expect(count, "Growth") { node.age = 1 }

  try growth.get("add_remove_beside_\(count)_on_one_key", where: { !$0.isActive }) {
    let token = try node.observe("age", as: Int.self) { counter.count($0.new) }
    token.cancel()
    return token
  }
  growth.set("set_with_\(count)_observers", node, Alternating.numbers, reading: { $0.age }) { $0.age = $1 }
  growth.set("set_another_key_beside_\(count)", node, Alternating.numbers, reading: { $0.i2 }) { $0.i2 = $1 }

  // Cancelled from the middle outwards, so that gaps arise everywhere.
  let order = tokens.indices.sorted { abs($0 - count / 2) < abs($1 - count / 2) }
  let end = threadSeconds()
  for index in order { tokens[index].cancel() }
  growth.once("cancel_all_of_\(count)_on_one_key", threadSeconds() - end, count)
  counter.expect(0, "Growth") { node.age = 3 }
}

/// The same with one observer each of many keys of a record.
private func keysOfOneObject(_ growth: Workload, _ count: Int) throws {
  let counter = Counter()
  let record = opaque(KVRecord())
  let keys = (0..<count).map { "key\($0)" }
  for key in keys { record[key] = 0 }
  var tokens: [KVObservation] = []
  let start = threadSeconds()
  for key in keys { tokens.append(try record.observe(key, as: Int.self) { counter.count($0.new) }) }
  growth.once("register_\(count)_keys_of_one_record", threadSeconds() - start, count)
  counter.expect(1, "Growth") { record[keys[count / 2]] = 1 }

  let key = keys[count / 2]
  try growth.get("add_remove_beside_\(count)_keys_of_one_record", where: { !$0.isActive }) {
    let token = try record.observe(key, as: Int.self) { counter.count($0.new) }
    token.cancel()
    return token
  }
  growth.set("set_one_of_\(count)_observed_keys", record, Alternating.numbers, reading: { $0[key] as? Int }) {
    $0[key] = $1
  }
  let end = threadSeconds()
  for token in tokens { token.cancel() }
  growth.once("cancel_\(count)_keys_of_one_record", threadSeconds() - end, count)
}

/// One observer of each of many objects.
private func manyObjects(_ growth: Workload, _ count: Int) throws {
  let counter = Counter()
  var nodes: [Node] = []
  nodes.reserveCapacity(count)
  for _ in 0..<count { nodes.append(Node()) }
  var tokens: [KVObservation] = []
  tokens.reserveCapacity(count)
  let start = threadSeconds()
  try growth.bytes("observer_of_each_of_\(count)_objects", count) {
    for node in nodes { tokens.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  }
  growth.once("register_\(count)_objects", threadSeconds() - start, count)

  let sets = threadSeconds()
  for node in nodes { node.age = 7 }
  growth.once("set_\(count)_observed_objects", threadSeconds() - sets, count)
  if counter.calls != count { fail("Growth: \(counter.calls) calls instead of \(count)") }

  let other = opaque(Node())
  growth.set("set_unobserved_beside_\(count)_objects", other, Alternating.numbers, reading: { $0.age }) { $0.age = $1 }
  let end = threadSeconds()
  for token in tokens { token.cancel() }
  growth.once("cancel_\(count)_objects", threadSeconds() - end, count)
}
