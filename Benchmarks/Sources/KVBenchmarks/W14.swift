import KVBinding

/// Sets a property 1,000 times in one coalescing scope, with one observer who hears of it once; the time is that of a
/// set.
func runW14(_ w14: Workload) throws {
  let counter = Counter()
  let texts = Alternating.texts
  let numbers = Alternating.numbers
  let node = opaque(Node())
  let tokens = [
    try node.observe("name", as: String.self, options: [.old, .new, .coalesced]) { counter.count($0.new) },
    try node.observe("age", as: Int.self, options: [.old, .new, .coalesced]) { counter.count($0.new) },
  ]
  counter.expect(1, "W14") {
    KVCoalescing.coalesce { for _ in 0..<1_000 { node.age += 1 } }
  }
  w14.inScopes("heap_text", node, texts) { $0.name = $1 }
  w14.inScopes("short_text", node, Alternating.shortTexts) { $0.name = $1 }
  w14.inScopes("int", node, numbers) { $0.age = $1 }
  try w14.inScopes("by_key", node, texts) { try $0.setValue($1, forKey: "name") }
  withExtendedLifetime(tokens) {}
}

extension Workload {
  /// Measures a set in scopes of a thousand.
  @inline(__always)
  func inScopes<Model: AnyObject, Value>(
    _ row: String, _ model: Model, _ values: Alternating<Value>, _ operation: (Model, Value) throws -> Void
  ) rethrows {
    try get(row, per: 1_000, where: { !$0 }) {
      try KVCoalescing.coalesce {
        for _ in 0..<500 {
          let address = wall(Unmanaged.passUnretained(model).toOpaque())
          let model = Unmanaged<Model>.fromOpaque(address)
          try model._withUnsafeGuaranteedRef { try operation($0, values.first) }
          try model._withUnsafeGuaranteedRef { try operation($0, values.second) }
        }
      }
      return KVCoalescing.isCoalescing
    }
  }
}
