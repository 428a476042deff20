import KVBinding

/// Counts the bytes of an object, and of one observer of it: what the process grows by over 200,000 of them.
func runW15(_ w15: Workload) throws {
  let count = 200_000
  let counter = Counter()
  var nodes: [Node] = []
  nodes.reserveCapacity(count)
  w15.bytes("object", count) { for _ in 0..<count { nodes.append(Node()) } }

  var tokens: [KVObservation] = []
  tokens.reserveCapacity(count)
  try w15.bytes("typed_observer", count) {
    for node in nodes { tokens.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  }
  counter.expect(1, "W15") { nodes[count / 2].age = 1 }
  var more: [KVObservation] = []
  more.reserveCapacity(count)
  try w15.bytes("second_typed_observer", count) {
    for node in nodes { more.append(try node.observe("age", as: Int.self) { counter.count($0.new) }) }
  }
  withExtendedLifetime((nodes, tokens, more)) {}

  var others: [Node] = []
  others.reserveCapacity(count)
  for _ in 0..<count { others.append(Node()) }
  var otherTokens: [KVObservation] = []
  otherTokens.reserveCapacity(count)
  try w15.bytes("any_observer", count) {
    for node in others { otherTokens.append(try node.observe("age") { counter.count(boxed: $0.new) }) }
  }
  withExtendedLifetime((others, otherTokens)) {}

  var native: [WatchedNode] = []
  native.reserveCapacity(count)
  w15.native.bytes("object", count) { for _ in 0..<count { native.append(WatchedNode()) } }
  w15.native.bytes("didSet_closure", count) { for node in native { node.handler = { counter.count($1) } } }
  withExtendedLifetime(native) {}
}
