import KVControllers
import KVCore
import Testing

@Suite("UND objects that are equal and not the same")
struct UndoIdentityTests {
  private final class Word: KVObject, Hashable {
    @KVProperty var text: String
    @KVProperty var number = 0
    init(_ text: String = "x") { self.text = text }
    static func == (left: Word, right: Word) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Word.self) { key in
        key("text", \.text)
        key("number", \.number)
      }
    }
  }

  private final class Page: KVObject {
    @KVProperty var word: Word?
    @KVProperty var words: [Word] = []
    @KVProperty var members: Set<Word> = []
    @KVProperty var entries: [String: Word] = [:]
    @KVProperty var any: Any?
    @KVProperty var limit = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Page.self) { key in
        key("word", \.word)
        key("words", \.words)
        key("members", \.members)
        key("entries", \.entries)
        key("any", \.any)
        key(
          "limit", { (page: Page) in page.limit },
          set: { page, limit in
            if limit < 0 { throw KVError(.invalidValue, "negative") }
            page.limit = limit
          })
      }
    }
  }

  private let page = Page()
  private let undo = KVUndoManager()
  private let first = Word()
  private let second = Word()

  @Test("UND.2: equal objects have histories of their own")
  func histories() throws {
    page.words = [first, second]
    try undo.recordElements(of: "words", in: page, keys: ["number"])
    for object in [first, second] { object.number = object === first ? 1 : 2 }
    try page.mutableArray(forKey: "words").remove(at: 0)
    second.number = 3
    while try undo.undo() {}
    #expect(first.number == 0 && second.number == 0 && page.words[0] === first && page.words[1] === second)
    while try undo.redo() {}
    #expect(first.number == 1 && second.number == 3 && page.words.count == 1 && page.words[0] === second)
  }

  @Test("UND.2: a setting of an equal object is recorded, and one of the same object is not")
  func settings() throws {
    page.word = first
    page.any = first
    try undo.record(page)
    page.word = second
    page.any = second
    page.any = second
    page.word = second
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(page.word === first && page.any as? Word === first)
    while try undo.redo() {}
    #expect(page.word === second && page.any as? Word === second)
  }

  @Test("UND.2: the same holds for elements, members and entries")
  func collections() throws {
    (page.words, page.members, page.entries) = ([first], [first], ["a": first])
    try undo.record(page)
    page.words = [second]
    page.words = [second]
    try page.mutableArray(forKey: "words").replace(at: 0, with: first)
    page.members = [second]
    page.members = [second]
    page.entries = ["a": second]
    page.entries = ["a": second]
    #expect(undo.undoCount == 4)
    while try undo.undo() {}
    #expect(page.words[0] === first && page.members.first === first && page.entries["a"] === first)
    while try undo.redo() {}
    #expect(page.words[0] === first && page.members.first === second && page.entries["a"] === second)
  }

  @Test("UND.2: equal objects that exchange their places are other values")
  func exchange() throws {
    page.words = [first, second]
    page.entries = ["a": first, "b": second]
    try undo.record(page)
    page.words = [second, first]
    page.entries = ["a": second, "b": first]
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(page.words[0] === first && page.words[1] === second)
    #expect(page.entries["a"] === first && page.entries["b"] === second)
  }

  @Test("UND.4, UND.7: transactions and steps that fail, and handlers, restore the same objects")
  func restoring() throws {
    struct Failure: Error {}
    page.word = first
    try undo.record(page)
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try page.setValue(second, forKey: "word")
        throw Failure()
      }
    }
    #expect(page.word === first && undo.undoCount == 0)
    undo.group {
      undo.register(page, undo: { _ in throw Failure() }, redo: { _ in })
      page.word = second
    }
    #expect(throws: KVError.self) { try undo.undo() }
    #expect(page.word === second && undo.undoCount == 1)
    undo.removeAll()
    page.limit = 1
    let third = Word()
    let token = try page.observe("limit") { [page] _ in page.word = third }
    try undo.undo()
    #expect(page.word === second && page.limit == 0)
    token.cancel()
  }
}
