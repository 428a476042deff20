import KVCore

/// A subclass whose table adds keys and replaces one.
final class Novelist: Author {
  @KVProperty var genre = "mystery"
  let badge = 7
  var advance = 100.0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Novelist.self) { key in
      key("genre", \.genre)
      key("badge", \.badge)
      key("advance", \.advance).readOnly()
      key("initial") { "N:" + $0.name.prefix(1) }
    }
  }
}
