import KVBinding

/// Registers and cancels an observer: of a key (W10), beside another one (W10b), of a path of three (W10p).
func runW10(_ w10: Workload) throws {
  let w10b = Workload(name: "W10b", wall: w10.wall)
  let w10p = Workload(name: "W10p", wall: w10.wall)
  let counter = Counter()
  let node = opaque(Node())
  node.next = Node()
  node.next?.next = Node()

  try w10.get("typed", where: { !$0.isActive }) {
    let token = try node.observe("name", as: String.self) { counter.count($0.new) }
    token.cancel()
    return token
  }
  try w10.get("any", where: { !$0.isActive }) {
    let token = try node.observe("name") { counter.count(boxed: $0.new) }
    token.cancel()
    return token
  }
  try w10p.get("typed", where: { !$0.isActive }) {
    let token = try node.observe("next.next.name", as: String.self) { counter.count($0.new) }
    token.cancel()
    return token
  }

  let other = try node.observe("name", as: String.self) { counter.count($0.new) }
  try w10b.get("typed", where: { !$0.isActive }) {
    let token = try node.observe("name", as: String.self) { counter.count($0.new) }
    token.cancel()
    return token
  }
  other.cancel()

  let watched = opaque(WatchedNode())
  w10.native.get("array_of_closures", where: { $0 == 0 }) {
    watched.handlers.append { counter.count($1) }
    watched.handlers.removeLast()
    return watched.handlers.count
  }
}
