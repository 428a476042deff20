import KVBinding

/// Sets an observed property from Swift while other keys of its object have observers that run before their changes: a
/// `.prior` observer, and the middle of a path.
func runW5o(_ w5o: Workload) throws {
  let counter = Counter()
  let node = opaque(Node())
  node.next = Node()
  let others = [
    try node.observe("age", options: [.old, .new, .prior]) { _ in },
    try node.observe("next.age", as: Int.self) { _ in },
  ]
  let token = try node.observe("name", as: String.self) { counter.count($0.new) }
  let (texts, shortTexts) = (Alternating.texts, Alternating.shortTexts)
  counter.expect(1, "W5o") { node.name = texts.first }
  w5o.set("typed", node, texts, reading: { $0.name }) { $0.name = $1 }
  w5o.set("typed_short_text", node, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w5o.set("unobserved_key", node, shortTexts, reading: { $0.s4 }) { $0.s4 = $1 }
  withExtendedLifetime((token, others)) {}
}
