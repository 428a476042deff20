import KVControllers
import KVCore
import Testing

@Suite("UND collections that are nil")
struct UndoNilTests {
  private final class Shelf: KVObject {
    @KVProperty var books: [String]?
    @KVProperty var name = ""

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shelf.self) { key in
        key("books", \.books)
        key("name", \.name)
      }
    }
  }

  @Test("UND.5: a collection that was nil is nil again, also against handlers")
  func handlers() throws {
    let shelf = Shelf()
    let undo = KVUndoManager()
    try undo.record(shelf)
    let token = try shelf.observe("name") { _ in
      for book in ["x", "y"] { try? shelf.mutableArray(forKey: "books").append(book) }
    }
    shelf.name = "1"
    #expect(shelf.books == ["x", "y"] && undo.undoCount == 1)
    try undo.undo()
    #expect(shelf.books == nil && shelf.name.isEmpty)
    try undo.redo()
    #expect(shelf.books == ["x", "y"] && shelf.name == "1")
    token.cancel()
  }

  @Test("UND.4: a failed transaction that inserted into nil leaves no step")
  func transaction() throws {
    struct Failure: Error {}
    let shelf = Shelf()
    let undo = KVUndoManager()
    try undo.record(shelf)
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try shelf.mutableArray(forKey: "books").append("a")
        throw Failure()
      }
    }
    #expect(shelf.books == nil && undo.undoCount == 0)
  }

  @Test("UND.5: a collection that was nil is nil again after a handler has inserted into it and removed that")
  func insertedAndRemoved() throws {
    let shelf = Shelf()
    let undo = KVUndoManager()
    try undo.record(shelf)
    shelf.name = "1"
    let token = try shelf.observe("name") { _ in
      guard undo.isUndoing || undo.isRedoing else { return }
      let books = shelf.mutableArray(forKey: "books")
      try? books.append("x")
      try? books.remove(at: 0)
    }
    try undo.undo()
    #expect(shelf.books == nil && shelf.name.isEmpty)
    try undo.redo()
    #expect(shelf.books == nil && shelf.name == "1")
    token.cancel()
  }
}
