import KVBinding

/// Sets the source of a one-way binding: the value goes to the target (W8), through a function (W8t).
func runW8(_ w8: Workload) throws {
  let w8t = Workload(name: "W8t", wall: w8.wall)
  let (source, target) = (opaque(Node()), opaque(Node()))
  try target.bind("name", to: "name", of: source)
  try target.bind("age", to: "age", of: source)
  w8.set("text", source, Alternating.texts, reading: { _ in target.name }) { $0.name = $1 }
  w8.set("short_text", source, Alternating.shortTexts, reading: { _ in target.name }) { $0.name = $1 }
  w8.set("int", source, Alternating.numbers, reading: { _ in target.age }) { $0.age = $1 }
  try w8.set("by_key_text", source, Alternating.texts, reading: { _ in target.name }) {
    try $0.setValue($1, forKey: "name")
  }
  var chain = [target]
  for _ in 1..<10 {
    let next = Node()
    try next.bind("age", to: "age", of: chain[chain.count - 1])
    chain.append(next)
  }
  w8.set("int_ten_in_a_chain", source, Alternating.numbers, reading: { _ in chain[9].age }) { $0.age = $1 }
  for node in chain { node.unbindAll() }
  try target.bind("age", to: "age", of: source) { (age: Int) in age - 1 }
  w8t.set("int", source, Alternating.numbers, reading: { _ in target.age + 1 }) { $0.age = $1 }
  target.unbindAll()
  try target.bind("name", to: "age", of: source) { (age: Int) in age == 1_000_001 ? "odd" : "even" }
  w8t.set("int_to_text", source, Alternating.numbers, reading: { Optional($0.age) }) { $0.age = $1 }
  target.unbindAll()

  let (native, nativeTarget) = (opaque(WatchedNode()), opaque(NativeNode()))
  native.handler = { [unowned nativeTarget] _, new in if nativeTarget.name != new { nativeTarget.name = new } }
  w8.native.set("didSet", native, Alternating.texts, reading: { _ in nativeTarget.name }) { $0.name = $1 }
}

/// Sets the target of a two-way binding: the value goes back to the source (W9).
func runW9(_ w9: Workload) throws {
  let (source, target) = (opaque(Node()), opaque(Node()))
  try target.bind("name", to: "name", of: source, options: .twoWay)
  try target.bind("age", to: "age", of: source, options: .twoWay)
  w9.set("text", target, Alternating.texts, reading: { _ in source.name }) { $0.name = $1 }
  w9.set("short_text", target, Alternating.shortTexts, reading: { _ in source.name }) { $0.name = $1 }
  w9.set("int", target, Alternating.numbers, reading: { _ in source.age }) { $0.age = $1 }
  w9.set("forward_text", source, Alternating.texts, reading: { _ in target.name }) { $0.name = $1 }
}

/// Inserts and removes in the middle of an array of 1,000 that another one mirrors (W13b).
func runW13b(_ w13b: Workload) throws {
  let (source, target) = (opaque(Shop.stocked(1_000)), opaque(Shop()))
  try target.bind("items", to: "items", of: source)
  let items = source.mutableArray(forKey: "items")
  let item = Item()
  try w13b.get("objects", where: { $0 == 1_000 && target.items.count == 1_000 }) {
    try items.insert(item, at: 500)
    try items.remove(at: 500)
    return source.items.count
  }
}
