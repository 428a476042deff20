import KVCore

/// A struct with a table, for collections of values.
struct Book: KeyValueCoding, Hashable {
  var title = "Notes"
  var price = 10
  var note: String?

  static var keyTable: KVTable {
    KVTable(Book.self) { key in
      key("title", \.title)
      key("price", \.price)
      key("note", \.note)
    }
  }
}
