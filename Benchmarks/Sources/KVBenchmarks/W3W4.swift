import KVCore

/// Reads "next.next.name": three components, over objects.
func runW3(_ w3: Workload) throws {
  let text = Alternating.texts.first
  let path = opaque("next.next.name" as KVKeyPath)
  let chain = Chain()
  let root = chain.root
  chain.leaf.name = text

  try w3.get("typed_string_path", text) { try root.value(forKeyPath: "next.next.name", as: String.self) }
  try w3.get("any_string_path", where: { $0 as? String == text }) { try root.value(forKeyPath: "next.next.name") }
  try w3.get("typed_KVKeyPath", text) { try root.value(forKeyPath: path, as: String.self) }
  try w3.get("any_KVKeyPath", where: { $0 as? String == text }) { try root.value(forKeyPath: path) }
  try w3.get("typed_closure_table", text) { [root = chain.closureRoot] in
    try root.value(forKeyPath: path, as: String.self)
  }

  let native = NativeChain()
  let nativeRoot = native.root
  let keyPathRoot = native.keyPathRoot
  let keyPath = opaque(\NativeKeyPathNode.next?.next?.name)
  native.leaf.name = text
  native.keyPathLeaf.name = text
  w3.native.get("chain", text) { nativeRoot.next?.next?.name }
  w3.native.get("KeyPath", text) { keyPathRoot[keyPath: keyPath] }
}

/// Sets "next.next.name", while nobody observes.
func runW4(_ w4: Workload) throws {
  let texts = Alternating.texts
  let path = opaque("next.next.name" as KVKeyPath)
  let agePath = opaque("next.next.age" as KVKeyPath)
  let chain = Chain()
  let root = chain.root
  let leaf = chain.leaf

  try w4.set("typed_string_path", root, texts, reading: { _ in leaf.name }) {
    try $0.setValue($1, forKeyPath: "next.next.name")
  }
  try w4.set("any_string_path", root, texts, reading: { _ in leaf.name }) {
    try $0.setValue($1 as Any?, forKeyPath: "next.next.name")
  }
  try w4.set("typed_KVKeyPath", root, texts, reading: { _ in leaf.name }) { try $0.setValue($1, forKeyPath: path) }
  try w4.set("any_KVKeyPath", root, texts, reading: { _ in leaf.name }) {
    try $0.setValue($1 as Any?, forKeyPath: path)
  }
  try w4.set("typed_KVKeyPath_int", root, Alternating.numbers, reading: { _ in leaf.age }) {
    try $0.setValue($1, forKeyPath: agePath)
  }

  let native = NativeChain()
  let nativeRoot = native.root
  let nativeLeaf = native.leaf
  let keyPathRoot = native.keyPathRoot
  let keyPathLeaf = native.keyPathLeaf
  let keyPath = opaque(\NativeKeyPathNode.next!.next!.name)
  w4.native.set("chain", nativeRoot, texts, reading: { _ in nativeLeaf.name }) { $0.next?.next?.name = $1 }
  w4.native.set("KeyPath", keyPathRoot, texts, reading: { _ in keyPathLeaf.name }) { $0[keyPath: keyPath] = $1 }
}

/// Three nodes in a row.
private struct Chain {
  let root = opaque(Node())
  let leaf = opaque(Node())
  let closureRoot = opaque(ClosureNode())

  init() {
    root.next = Node()
    root.next?.next = leaf
    closureRoot.next = ClosureNode()
    closureRoot.next?.next = ClosureNode()
    closureRoot.next?.next?.name = Alternating.texts.first
  }
}

/// Three nodes in a row that know nothing of the library.
private struct NativeChain {
  let root = opaque(NativeNode())
  let leaf = opaque(NativeNode())
  let keyPathRoot = opaque(NativeKeyPathNode())
  let keyPathLeaf = opaque(NativeKeyPathNode())

  init() {
    root.next = NativeNode()
    root.next?.next = leaf
    keyPathRoot.next = NativeKeyPathNode()
    keyPathRoot.next?.next = keyPathLeaf
  }
}
