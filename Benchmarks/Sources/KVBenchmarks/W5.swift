import KVBinding

/// Sets an observed property: by key (W5) and from Swift (W5d).
///
/// One observer counts and looks at the new value; its record has the old one, too.
func runW5(_ w5: Workload) throws {
  let w5d = Workload(name: "W5d", wall: w5.wall)
  let counter = Counter()
  let texts = Alternating.texts
  let shortTexts = Alternating.shortTexts
  let numbers = Alternating.numbers

  let typed = opaque(Node())
  let typedTokens = [
    try typed.observe("name", as: String.self) { counter.count($0.new) },
    try typed.observe("age", as: Int.self) { counter.count($0.new) },
  ]
  counter.expect(1, "W5d") { typed.name = texts.first }
  try counter.expect(1, "W5") { try typed.setValue(texts.second, forKey: "name") }
  w5d.set("typed", typed, texts, reading: { $0.name }) { $0.name = $1 }
  w5d.set("typed_short_text", typed, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w5d.set("typed_int", typed, numbers, reading: { $0.age }) { $0.age = $1 }
  try w5.set("typed", typed, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w5.set("typed_short_text", typed, shortTexts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w5.set("typed_int", typed, numbers, reading: { $0.age }) { try $0.setValue($1, forKey: "age") }
  w5d.set("another_key", typed, shortTexts, reading: { $0.s4 }) { $0.s4 = $1 }

  let any = opaque(Node())
  let anyTokens = [
    try any.observe("name") { counter.count(boxed: $0.new) },
    try any.observe("age") { counter.count(boxed: $0.new) },
  ]
  w5d.set("any", any, texts, reading: { $0.name }) { $0.name = $1 }
  w5d.set("any_short_text", any, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w5d.set("any_int", any, numbers, reading: { $0.age }) { $0.age = $1 }
  try w5.set("any", any, texts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKey: "name") }

  let plain = opaque(PlainNode())
  let plainToken = try plain.observe("name", as: String.self) { counter.count($0.new) }
  try w5.set("typed_plain_property", plain, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  withExtendedLifetime((typedTokens, anyTokens, plainToken)) {}

  let native = opaque(WatchedNode())
  native.handler = { counter.count($1) }
  w5d.native.set("didSet_closure", native, texts, reading: { $0.name }) { $0.name = $1 }
  w5d.native.set("didSet_closure_short_text", native, shortTexts, reading: { $0.name }) { $0.name = $1 }
}
