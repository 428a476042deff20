import KVBinding
import KVCore
import TestModels

/// What owners observe.
final class OwnedItem: KVObject {
  @KVProperty var name = "a"
  @KVProperty var note: String?
  @KVProperty var count = 0
  @KVProperty var list: [Int] = []
  @KVProperty var members: Set<Int> = []
  @KVProperty var other: OwnedItem?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OwnedItem.self) { key in
      key("name", \.name)
      key("note", \.note)
      key("count", \.count)
      key("list", \.list)
      key("members", \.members)
      key("other", \.other)
    }
  }
}

/// An owner that notes what it hears.
final class OwnerBadge: KVObserver, LineLog {
  var lines: [String] = []
}
