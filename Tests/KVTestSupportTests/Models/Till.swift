import KVTestSupport

/// A till: a number, its rows, and what they come to.
final class Till: KVObject {
  @KVProperty var number = 1
  @KVProperty var rows: [Double] = [10, 12.5]
  @KVProperty var tags: Set<String> = ["a", "b"]
  @KVProperty var label: String?
  @KVProperty var next: Till?
  /// Tells nobody of anything.
  var silent = 0
  var total: Double { rows.reduce(0, +) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Till.self) { key in
      key("number", \.number)
      key("rows", \.rows)
      key("tags", \.tags)
      key("label", \.label)
      key("next", \.next)
      key("total", \.total).affected(by: "rows")
    }
  }
}

/// A till whose author forgot `@KVProperty`.
final class Mute: KVObject {
  var number = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Mute.self) { key in key("number", \.number) }
  }
}
