import KVControllers
import KVCore

final class OracleItem: KVObject, Hashable {
  @KVProperty var label = ""

  /// All items are equal: only their identity tells them apart (UND.2).
  static func == (left: OracleItem, right: OracleItem) -> Bool { true }
  func hash(into hasher: inout Hasher) {}

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OracleItem.self) { key in key("label", \.label) }
  }
}

final class OracleShelf: KVObject {
  /// The setter of `guarded` refuses lower numbers.
  var floor = 0
  @KVProperty var title = "t"
  @KVProperty var note: String?
  @KVProperty var names: [String]?
  @KVProperty var entries: [String: Int] = [:]
  @KVProperty var map: [String: OracleItem]?
  @KVProperty var item: OracleItem?
  @KVProperty var items: [OracleItem] = []
  @KVProperty var guarded = 5

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OracleShelf.self) { key in
      key("title", \.title)
      key("note", \.note)
      key("names", \.names)
      key("entries", \.entries)
      key("map", \.map)
      key("item", \.item)
      key("items", \.items)
      key(
        "guarded", { (shelf: OracleShelf) in shelf.guarded },
        set: { shelf, number in
          if number < shelf.floor { throw KVError(.invalidValue, "\(number) is too low") }
          shelf.guarded = number
        })
    }
  }
}
