import KVCore

/// The usual model: observable and plain properties, an optional object, a struct, arrays, a computed property.
class Author: KVObject {
  @KVProperty var name = "Ada"
  @KVProperty var town = Town()
  var born = 1_815
  var agent: Author?
  var titles: [String] = ["Notes"]
  var books: [Book] = []
  var rivals: [Author] = []
  var initial: String { String(name.prefix(1)) }
  lazy var signature = name.uppercased()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Author.self) { key in
      key("name", \.name)
      key("town", \.town)
      key("born", \.born).alias("yearOfBirth", "birthYear")
      key("agent", \.agent)
      key("titles", \.titles)
      key("books", \.books)
      key("rivals", \.rivals)
      key("initial", \.initial).affected(by: "name")
    }
  }
}
