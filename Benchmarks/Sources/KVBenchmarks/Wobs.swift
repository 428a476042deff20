import KVBinding

final class Counter { var count = 0; var length = 0 }

func runWobs(_ w: Workload) throws {
  let texts = Alternating.texts
  let w5 = Workload(name: "W5", wall: w.wall)
  do {
    let node = opaque(Node()); let c = Counter()
    let t = try node.observe("name", as: String.self) { change in
      c.count += 1; c.length += change.new.map { $0.utf8.count } ?? 0
    }
    w5.set("typed_direct", node, texts, reading: { $0.name }) { $0.name = $1 }
    try w5.set("typed_bykey", node, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
    withExtendedLifetime(t) {}
    print(c.count > 100)
  }
  do {
    let node = opaque(Node()); let c = Counter()
    let t = try node.observe("name") { change in c.count += 1 }
    w5.set("any_direct", node, texts, reading: { $0.name }) { $0.name = $1 }
    try w5.set("any_bykey", node, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
    withExtendedLifetime(t) {}
  }
  do {
    let root = opaque(Node()); root.next = Node(); root.next?.next = Node(); let c = Counter()
    let leaf = root.next!.next!
    let t = try root.observe("next.next.name", as: String.self) { change in c.count += 1 }
    Workload(name: "W6", wall: w.wall).set("typed", leaf, texts, reading: { $0.name }) { $0.name = $1 }
    let t2 = try root.observe("next.next.name") { change in c.count += 1 }
    Workload(name: "W6", wall: w.wall).set("typed+any", leaf, texts, reading: { $0.name }) { $0.name = $1 }
    t2.cancel()
    let m = Alternating<Node>(leaf, Node())
    let mid = root.next!
    try Workload(name: "W7", wall: w.wall).get("typed", where: { _ in true }) {
      mid.next = m.first; mid.next = m.second; return 1
    }
    try Workload(name: "W10p", wall: w.wall).get("typed", where: { _ in true }) {
      try root.observe("next.next.name", as: String.self) { change in c.count += 1 }.cancel(); return 1
    }
    withExtendedLifetime(t) {}
  }
  do {
    let node = opaque(Node()); let c = Counter()
    try Workload(name: "W10", wall: w.wall).get("any", where: { _ in true }) {
      try node.observe("name") { change in c.count += 1 }.cancel(); return 1
    }
    try Workload(name: "W10", wall: w.wall).get("typed", where: { _ in true }) {
      try node.observe("name", as: String.self) { change in c.count += 1 }.cancel(); return 1
    }
    var ts: [KVObservation] = []
    for _ in 0..<100 { ts.append(try node.observe("name", as: String.self) { change in c.count += 1 }) }
    Workload(name: "W11", wall: w.wall).set("typed", node, texts, reading: { $0.name }) { $0.name = $1 }
    ts = []
    for _ in 0..<100 { ts.append(try node.observe("name") { change in c.count += 1 }) }
    Workload(name: "W11", wall: w.wall).set("any", node, texts, reading: { $0.name }) { $0.name = $1 }
    ts = []
  }
}
