import KVBinding

// The cases of growth with scopes, dependent keys and bindings.

/// Edits of one collection that a scope merges.
func scopes(_ growth: Growth) throws {
  let counter = Counter()
  let shop = opaque(Shop())
  shop.items = [Item()]
  let token = try shop.observe("items", options: [.old, .new, .coalesced]) { _ in counter.count() }
  let view = shop.mutableArray(forKey: "items")
  let item = Item()
  // A sequence that jumps about, the same in each run.
  func jump(_ index: Int) -> Int { index &* 7919 % (index + 1) }
  try growth.measure("a scope: merge insertions at random indexes (each)") {
    try KVCoalescing.coalesce { for index in 0..<growth.count { try view.insert(item, at: jump(index)) } }
  }
  try growth.measure("a scope: merge insertions and replacements (each)") {
    try KVCoalescing.coalesce {
      for index in 0..<growth.count {
        if index & 1 == 0 { try view.insert(item, at: jump(index)) }
        if index & 1 == 1 { try view.replace(at: index / 2, with: item) }
      }
    }
  }
  try growth.measure("a scope: merge removals at random indexes (each)") {
    try KVCoalescing.coalesce {
      for index in 0..<growth.count { try view.remove(at: jump(growth.count - 1 - index)) }
    }
  }
  token.cancel()

  let tags = opaque(Tags())
  let tagToken = try tags.observe("tags", options: [.old, .new, .coalesced]) { _ in counter.count() }
  growth.measure("a scope: merge settings of one key (each)") {
    KVCoalescing.coalesce { for index in 0..<growth.count { tags.tags = [index] } }
  }
  // Each edit of a set copies it, so that only few members are there.
  let set = tags.mutableSet(forKey: "tags")
  try growth.measure("a scope: merge members that are added and removed (each)") {
    try KVCoalescing.coalesce {
      for index in 0..<growth.count {
        if index & 1 == 0 { try set.add(index) } else { try set.remove(index - 1) }
      }
    }
  }
  tagToken.cancel()
}

/// Objects each of whose keys depends on that of the next one.
func chainOfDependents(_ growth: Growth) throws {
  let counter = Counter()
  let links = (0...growth.count).map { _ in Link() }
  for (link, next) in zip(links, links.dropFirst()) { link.next = next }
  var token: KVObservation?
  try growth.measure("a chain of dependent keys: observe it (per link)") {
    token = try links[0].observe("total", options: []) { _ in counter.count() }
  }
  growth.measureOften("a chain of dependent keys: set its end (per link)", per: growth.count) {
    links[growth.count].amount = $0
  }
  growth.measure("a chain of dependent keys: cancel (per link)", keeping: links) { token?.cancel() }
}

/// Targets that follow one key of one source.
func bindingsOfOneSource(_ growth: Growth) throws {
  let source = opaque(Node())
  let targets = (0..<growth.count).map { _ in Node() }
  try growth.measure("bindings of one source: bind each") {
    for target in targets { try target.bind("age", to: "age", of: source) }
  }
  growth.measureOften("bindings of one source: a set (per target)", per: growth.count) { source.age = $0 }
  try growth.measure("bindings of one source: unbind each") {
    for target in targets { try target.unbind("age", from: "age", of: source) }
  }
}

/// Keys of one record that follow one source each.
func bindingsOfOneTarget(_ growth: Growth) throws {
  let target = opaque(KVRecord())
  let sources = (0..<growth.count).map { _ in Node() }
  try growth.measure("bindings of one target: bind each") {
    for (index, source) in sources.enumerated() { try target.bind("key\(index)", to: "age", of: source) }
  }
  try growth.measure("bindings of one target: unbind each") {
    for (index, source) in sources.enumerated() { try target.unbind("key\(index)", from: "age", of: source) }
  }
}

/// Nodes each of which follows the one before.
func chainOfBindings(_ growth: Growth) throws {
  let nodes = (0...growth.count).map { _ in Node() }
  try growth.measure("a chain of bindings: bind each") {
    for (node, next) in zip(nodes, nodes.dropFirst()) { try next.bind("age", to: "age", of: node) }
  }
  growth.measureOften("a chain of bindings: a set (per binding)", per: growth.count) { nodes[0].age = $0 }
  if nodes[growth.count].age != nodes[0].age { fail("Growth: the chain was not followed to its end") }
  growth.measure("a chain of bindings: unbind each") { for node in nodes.dropFirst() { node.unbindAll() } }
}

/// An object whose total is its own amount, or that of the next one.
private final class Link: KVObject {
  @KVProperty var amount = 0
  @KVProperty var next: Link?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Link.self) { key in
      key("amount", \.amount)
      key("next", \.next)
      key("total") { $0.amount }.affected(by: "amount", "next.total")
    }
  }
}

/// An object with a set.
private final class Tags: KVObject {
  @KVProperty var tags: Set<Int> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Tags.self) { key in key("tags", \.tags) }
  }
}
