import KVBinding

/// Sets a property that 100 observers hear of; the time is that of a set.
func runW11(_ w11: Workload) throws {
  let counter = Counter()
  let texts = Alternating.texts
  let shortTexts = Alternating.shortTexts

  let typed = opaque(Node())
  let typedTokens = try (0..<100).map { _ in try typed.observe("name", as: String.self) { counter.count($0.new) } }
  counter.expect(100, "W11") { typed.name = "Ada" }
  w11.set("typed", typed, texts, reading: { $0.name }) { $0.name = $1 }
  w11.set("typed_short_text", typed, shortTexts, reading: { $0.name }) { $0.name = $1 }

  let any = opaque(Node())
  let anyTokens = try (0..<100).map { _ in try any.observe("name") { counter.count(boxed: $0.new) } }
  w11.set("any", any, texts, reading: { $0.name }) { $0.name = $1 }
  w11.set("any_short_text", any, shortTexts, reading: { $0.name }) { $0.name = $1 }
  withExtendedLifetime((typedTokens, anyTokens)) {}

  let watched = opaque(WatchedNode())
  for _ in 0..<100 { watched.handlers.append { counter.count($1) } }
  w11.native.set("array_of_closures", watched, texts, reading: { $0.title }) { $0.title = $1 }
}
