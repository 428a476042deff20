import KVControllers
import Testing

/// What must not be written to several selected objects, nor removed in place of others (CTR.5, 9, 14, 23, 38, EDT.3).
@Suite struct MarkerWriteTests {
  private let shelves = KVArrayController { Shelf() }
  private let first = Shelf([Tune("a")])
  private let second = Shelf([Tune("b")])

  init() {
    shelves.content = [first, second]
    shelves.selectionIndexes = [0, 1]
  }

  @Test("CTR.14, CTR.38: the empty content that stands for a marker is not written back, also within an update")
  func contentOfSeveral() throws {
    let tunes = KVArrayController { Tune() }
    shelves.selectionIndexes = [0]
    try tunes.bindContent(to: "selection.tunes", of: shelves)
    try tunes.update { _ = try shelves.select(contentsOf: [first, second]) }
    #expect(tunes.content.isEmpty)
    #expect(first.tunes.map(\.title) == ["a"] && second.tunes.map(\.title) == ["b"])
  }

  @Test("CTR.14: a writer that several books do not share is not erased by a form bound to it")
  func contentOfForm() throws {
    let (ada, ben) = (Writer("Ada"), Writer("Ben"))
    let books = KVArrayController { Book("new") }
    books.content = [Book("x", by: ada), Book("y", by: ben)]
    books.selectionIndexes = [0, 1]
    let form = KVObjectController<Writer>()
    form.content = Writer("former")
    try form.bindContent(to: "selection.writer", of: books)
    #expect(form.content == nil)
    #expect(books.content[0].writer === ada && books.content[1].writer === ben)
  }

  @Test("CTR.5: nothing is added to a content that is a marker")
  func adding() throws {
    let tunes = KVArrayController { Tune() }
    try tunes.bindContent(to: "selection.tunes", of: shelves)
    #expect(throws: KVError.self) { try tunes.add(Tune("c")) }
    shelves.selectionIndexes = []
    #expect(throws: KVError.self) { try tunes.add(Tune("c")) }
    #expect(first.tunes.map(\.title) == ["a"] && second.tunes.map(\.title) == ["b"] && tunes.content.isEmpty)
    shelves.selectionIndexes = [1]
    try tunes.add(Tune("c"))
    #expect(second.tunes.map(\.title) == ["b", "c"])
  }

  @Test("CTR.23, EDT.4: what is removed was selected, although the commit moves it", arguments: [true, false])
  func moved(bySelection: Bool) throws {
    let list = KVArrayController { Tune() }
    list.automaticallyRearrangesObjects = true
    list.sortDescriptors = ["title"]
    list.content = [Tune("a"), Tune("b"), Tune("c")]
    list.selectionIndexes = [2]
    let field = Shelf()
    let binding = try field.bind(
      "names", to: "selection.title", of: list, options: .init(.twoWay, trigger: .onCommit),
      transform: { (title: String) in [title] }, reverse: { (names: [String]) in names.first ?? "" })
    field.names = ["A"]
    #expect(list.isEditing)
    if bySelection { try list.remove() } else { try list.remove(at: [2]) }
    #expect(list.content.map(\.title) == ["a", "b"])
    withExtendedLifetime(binding) {}
  }

  @Test("CTR.9: another object that is equal is another one")
  func equalObjects() throws {
    final class Word: KVObject, Equatable {
      @KVProperty var text = "x"

      static func == (left: Word, right: Word) -> Bool { left.text == right.text }

      override class var keyTable: KVTable {
        super.keyTable.extended(for: Word.self) { key in key("text", \.text) }
      }
    }
    let form = KVObjectController<Word>()
    form.content = Word()
    var texts: [String?] = []
    let token = try form.observe("selection.text") { texts.append($0.new as? String) }
    let other = Word()
    form.content = other
    other.text = "y"
    #expect(texts.last == "y")
    token.cancel()
  }

  @Test("EDT.3: controllers that are editors of each other commit once")
  func mutualEditors() throws {
    let other = KVArrayController { Tune() }
    shelves.beginEditing(other)
    other.beginEditing(shelves)
    try shelves.commitEditing()
    try other.discardEditing()
  }

  @Test("CTR.39: an edit is not written by a path on which an object of the selection has nil")
  func nilOnTheWay() throws {
    let books = KVArrayController { Book("new") }
    books.content = [Book("x", by: Writer("Ada")), Book("y")]
    let field = Book("")
    let binding = try field.bind("title", to: "selection.writer.name", of: books, options: .twoWay)
    #expect(books.selectionIndexes == [0] && binding.isEditable)
    for indexes in [[1], [0, 1]] {
      books.selectionIndexes = indexes
      #expect(!binding.isEditable)
      #expect(throws: KVError.self) { try books.setValue("Bob", forKeyPath: "selection.writer.name") }
    }
    books.content[1].writer = Writer("Eve")
    #expect(binding.isEditable)
    books.selectionIndexes = [1]
    #expect(binding.isEditable && field.title == "Eve")
  }
}
