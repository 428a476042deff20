import KVBinding

/// A model by hand beside a generated one.
///
/// Both are read by key (W1), set by key (W2) and in Swift (W2d), read and set through objects (W3, W4), set while they are
/// observed (W5, W5d) and behind an observed path (W6), and changed in place. The generated one is also bound (W8, W9),
/// registered (W10), observed by a hundred (W11) and set in a scope (W14).
func runWM(_ wm: Workload) throws {
  try runHandmade(wm)
  try runGenerated(wm)
  try runGeneratedBindings(wm)
  try runGeneratedObservers(wm)
}

private func runHandmade(_ wm: Workload) throws {
  let (texts, numbers, counter) = (Alternating.texts, Alternating.numbers, Counter())
  let (text, path) = (texts.first, opaque("next.next.name" as KVKeyPath))
  let hand = opaque(HandmadeNode())
  hand.next = HandmadeNode()
  hand.next?.next = HandmadeNode()
  let handMiddle = hand.next?.next
  try wm.set("W2_hand", hand, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try wm.set("W2_int_hand", hand, numbers, reading: { $0.age }) { try $0.setValue($1, forKey: "age") }
  wm.set("W2d_hand", hand, texts, reading: { $0.name }) { $0.name = $1 }
  wm.set("W2d_int_hand", hand, numbers, reading: { $0.age }) { $0.age = $1 }
  hand.name = text
  try wm.get("W1_hand", text) { try hand.value(forKey: "name", as: String.self) }
  handMiddle?.name = text
  try wm.get("W3_hand", text) { try hand.value(forKeyPath: path, as: String.self) }
  try wm.set("W4_hand", hand, texts, reading: { _ in handMiddle?.name ?? "" }) { try $0.setValue($1, forKeyPath: path) }
  wm.set("inPlace_hand", hand, numbers, reading: { $0.items[0] }) { $0.items = [$1] }
  wm.set("element_hand", hand, numbers, reading: { $0.items[0] }) { $0.items[0] = $1 }
  let handTokens = [
    try hand.observe("name", as: String.self) { counter.count($0.new) },
    try hand.observe("age", as: Int.self) { counter.count($0.new) },
    try hand.observe("items", options: [.new]) { counter.count(boxed: $0.new) },
    try hand.observe("next.next.name", as: String.self) { counter.count($0.new) },
  ]
  try wm.set("W5_hand", hand, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  wm.set("W5d_hand", hand, texts, reading: { $0.name }) { $0.name = $1 }
  wm.set("W5d_int_hand", hand, numbers, reading: { $0.age }) { $0.age = $1 }
  wm.set("W5d_another_key_hand", hand, texts, reading: { $0.s4 }) { $0.s4 = $1 }
  wm.set("W5d_element_hand", hand, numbers, reading: { $0.items[0] }) { $0.items[0] = $1 }
  wm.set("W6_hand", hand, texts, reading: { _ in handMiddle?.name ?? "" }) { _, text in handMiddle?.name = text }
  withExtendedLifetime(handTokens) {}
}

private func runGenerated(_ wm: Workload) throws {
  let (texts, numbers, counter) = (Alternating.texts, Alternating.numbers, Counter())
  let (text, path) = (texts.first, opaque("next.next.name" as KVKeyPath))
  let generated = opaque(GeneratedNode())
  generated.next = GeneratedNode()
  generated.next?.next = GeneratedNode()
  let generatedMiddle = generated.next?.next
  try wm.set("W2_macro", generated, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try wm.set("W2_int_macro", generated, numbers, reading: { $0.age }) { try $0.setValue($1, forKey: "age") }
  wm.set("W2d_macro", generated, texts, reading: { $0.name }) { $0.name = $1 }
  wm.set("W2d_int_macro", generated, numbers, reading: { $0.age }) { $0.age = $1 }
  generated.name = text
  try wm.get("W1_macro", text) { try generated.value(forKey: "name", as: String.self) }
  generatedMiddle?.name = text
  try wm.get("W3_macro", text) { try generated.value(forKeyPath: path, as: String.self) }
  try wm.set("W4_macro", generated, texts, reading: { _ in generatedMiddle?.name ?? "" }) {
    try $0.setValue($1, forKeyPath: path)
  }
  wm.set("inPlace_macro", generated, numbers, reading: { $0.items[0] }) { $0.items = [$1] }
  wm.set("element_macro", generated, numbers, reading: { $0.items[0] }) { $0.items[0] = $1 }
  let generatedTokens = [
    try generated.observe("name", as: String.self) { counter.count($0.new) },
    try generated.observe("age", as: Int.self) { counter.count($0.new) },
    try generated.observe("items", options: [.new]) { counter.count(boxed: $0.new) },
    try generated.observe("next.next.name", as: String.self) { counter.count($0.new) },
  ]
  try wm.set("W5_macro", generated, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  wm.set("W5d_macro", generated, texts, reading: { $0.name }) { $0.name = $1 }
  wm.set("W5d_int_macro", generated, numbers, reading: { $0.age }) { $0.age = $1 }
  wm.set("W5d_another_key_macro", generated, texts, reading: { $0.s4 }) { $0.s4 = $1 }
  wm.set("W5d_element_macro", generated, numbers, reading: { $0.items[0] }) { $0.items[0] = $1 }
  wm.set("W6_macro", generated, texts, reading: { _ in generatedMiddle?.name ?? "" }) { _, text in
    generatedMiddle?.name = text
  }
  withExtendedLifetime(generatedTokens) {}
}

private func runGeneratedBindings(_ wm: Workload) throws {
  let (source, target) = (opaque(GeneratedNode()), opaque(GeneratedNode()))
  try target.bind("name", to: "name", of: source)
  try target.bind("age", to: "age", of: source)
  wm.set("W8_macro", source, Alternating.texts, reading: { _ in target.name }) { $0.name = $1 }
  wm.set("W8_int_macro", source, Alternating.numbers, reading: { _ in target.age }) { $0.age = $1 }
  target.unbindAll()
  try target.bind("name", to: "name", of: source, options: .twoWay)
  wm.set("W9_macro", target, Alternating.texts, reading: { _ in source.name }) { $0.name = $1 }
}

private func runGeneratedObservers(_ wm: Workload) throws {
  let counter = Counter()
  let node = opaque(GeneratedNode())
  try wm.get("W10_macro", where: { !$0.isActive }) {
    let token = try node.observe("name", as: String.self) { counter.count($0.new) }
    token.cancel()
    return token
  }
  let coalesced = try node.observe("name", as: String.self, options: [.old, .new, .coalesced]) {
    counter.count($0.new)
  }
  wm.inScopes("W14_macro", node, Alternating.texts) { $0.name = $1 }
  coalesced.cancel()
  let tokens = try (0..<100).map { _ in try node.observe("name", as: String.self) { counter.count($0.new) } }
  wm.set("W11_macro", node, Alternating.texts, reading: { $0.name }) { $0.name = $1 }
  withExtendedLifetime(tokens) {}
}
