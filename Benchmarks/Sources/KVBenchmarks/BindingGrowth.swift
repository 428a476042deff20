import KVBinding

/// Finds out what grows with the number of bindings: many of one source, chains, and what they take of memory.
func runBindingGrowth(_ growth: Workload) throws {
  for count in [1, 10, 100, 1_000, 10_000, 100_000] { try bindingsOfOneSource(growth, count) }
  for length in [1, 10, 100, 1_000] { try chain(growth, length) }
}

/// Targets that follow one key of one source.
private func bindingsOfOneSource(_ growth: Workload, _ count: Int) throws {
  let source = opaque(Node())
  let targets = (0..<count).map { _ in Node() }
  let start = threadSeconds()
  try growth.bytes("binding_of_\(count)", count) {
    for target in targets { try target.bind("age", to: "age", of: source) }
  }
  growth.once("bind_first_to_last_of_\(count)", threadSeconds() - start, count)

  let sets = threadSeconds()
  for age in 1...10 { source.age = age }
  growth.once("set_with_\(count)_targets_each", threadSeconds() - sets, count * 10)
  if targets.contains(where: { $0.age != 10 }) { fail("BindingGrowth: a target was left behind") }

  let end = threadSeconds()
  for target in targets { target.unbindAll() }
  growth.once("unbind_all_of_\(count)", threadSeconds() - end, count)
}

/// Nodes each of which follows the one before.
private func chain(_ growth: Workload, _ length: Int) throws {
  let nodes = (0...length).map { _ in Node() }
  for (node, next) in zip(nodes, nodes.dropFirst()) { try next.bind("age", to: "age", of: node) }
  growth.set("set_through_chain_of_\(length)", nodes[0], Alternating.numbers, reading: { _ in nodes[length].age }) {
    $0.age = $1
  }
}
