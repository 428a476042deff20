import KVBinding

/// Sets the leaf of an observed path of three (W6).
func runW6(_ w6: Workload) throws {
  let counter = Counter()
  let (root, leaf) = (opaque(Node()), Node())
  root.next = Node()
  root.next?.next = leaf
  let typed = try root.observe("next.next.name", as: String.self) { counter.count($0.new) }
  counter.expect(1, "W6") { leaf.name = "Ada" }
  w6.set("typed", leaf, Alternating.texts, reading: { $0.name }) { $0.name = $1 }
  w6.set("typed_short_text", leaf, Alternating.shortTexts, reading: { $0.name }) { $0.name = $1 }
  typed.cancel()

  let any = try root.observe("next.next.name") { counter.count(boxed: $0.new) }
  w6.set("any", leaf, Alternating.texts, reading: { $0.name }) { $0.name = $1 }
  any.cancel()
}

/// Replaces the object in the middle of an observed path of three (W7).
func runW7(_ w7: Workload) throws {
  let counter = Counter()
  let (root, middle) = (opaque(Node()), Node())
  root.next = middle
  let leaves = Alternating(Node(), Node())
  leaves.first.name = Alternating.texts.first
  leaves.second.name = Alternating.texts.second
  middle.next = leaves.first
  let typed = try root.observe("next.next.name", as: String.self) { counter.count($0.new) }
  counter.expect(1, "W7") { middle.next = leaves.second }
  counter.expect(0, "W7") { leaves.first.age = 1 }
  w7.set("typed", middle, leaves, reading: { $0.next }) { $0.next = $1 }
  typed.cancel()

  let any = try root.observe("next.next.name") { counter.count(boxed: $0.new) }
  w7.set("any", middle, leaves, reading: { $0.next }) { $0.next = $1 }
  any.cancel()
}

extension Node: Equatable {
  /// Whether both are the same object.
  static func == (left: Node, right: Node) -> Bool { left === right }
}
