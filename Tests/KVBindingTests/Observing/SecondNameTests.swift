import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.14: a property that a subclass gives another name")
struct SecondNameTests {
  @Test(
    "KVO.14: an alias is observed under either name, set in Swift or by key, and keeps what the superclass declares")
  func alias() throws {
    let book = SecondBook()
    let log = ChangeLines()
    let tokens = [try log.watch(book, "name"), try log.watch(book, "title"), try log.watch(book, "shelfMark")]
    book.name = "b"
    #expect(log.take().sorted() == ["name setting a → b", "shelfMark setting A → B", "title setting a → b"])
    try book.setValue("c", forKey: "title")
    #expect(log.take().sorted() == ["name setting b → c", "shelfMark setting B → C", "title setting b → c"])
    tokens.forEach { $0.cancel() }
  }
}

private class FirstBook: KVObject {
  @KVProperty var name = "a"
  var shelfMark: String { name.uppercased() }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: FirstBook.self) { key in
      key("name", \.name)
      key("shelfMark", \.shelfMark).affected(by: "name")
    }
  }
}

private final class SecondBook: FirstBook {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: SecondBook.self) { key in key("name", \.name).alias("title") }
  }
}
