import KVCore
import Testing

@testable import KVControllers

@Suite("CTR editors of controllers")
struct EditorTests {
  private final class Field: KVEditor {
    func commitEditing() throws {}
    func discardEditing() throws {}
  }

  private let shelf = ShelfController()
  private let window = ShelfWindow()

  // MARK: Updates

  @Test("EDT.1: an editor that begins or ends in a prior handler stays so after the update", arguments: [true, false])
  func inPriorHandler(isEditing: Bool) throws {
    let (early, late, other) = (Field(), Field(), Field())
    if isEditing { shelf.beginEditing(early) }
    var isDone = false
    let token = try shelf.observe("selectedObjects", options: [.prior]) { [shelf] _ in
      if isDone { return }
      isDone = true
      shelf.beginEditing(late)
      shelf.endEditing(early)
    }
    shelf.update {
      shelf.beginEditing(other)
      shelf.selectedObjects = [Book("A")]
    }
    #expect(shelf.editors.compactMap { $0.editor as? Field }.elementsEqual([other, late]) { $0 === $1 })
    for field in [other, late] { shelf.endEditing(field) }
    #expect(!shelf.isEditing)
    token.cancel()
  }

  // MARK: Masters and details

  @Test("EDT.2, EDT.3: a detail controller is an editor of its master while it has editors")
  func detail() throws {
    let books = KVArrayController { Book("new") }
    let (ada, bob) = (Writer("Ada"), Writer("Bob"))
    books.content = [Book("A", by: ada), Book("B", by: bob)]
    let detail = KVObjectController<Writer>()
    try detail.bindContent(to: "selection.writer", of: books)
    let (log, options) = (ChangeLog(), KVBindingOptions(.twoWay, noSelection: "", trigger: .onCommit))
    try log.observe(books, "isEditing")
    let binding = try window.bind("text", to: "selection.name", of: detail, options: options)
    books.selectionIndexes = [0]
    window.text = "Eve"
    #expect(detail.isEditing && books.isEditing)
    try books.commitEditing()
    #expect(ada.name == "Eve" && !detail.isEditing && !books.isEditing)
    window.text = "lost"
    try books.discardEditing()
    #expect(window.text == "Eve" && !books.isEditing)
    window.text = "Mia"
    books.selectionIndexes = [1]
    #expect(ada.name == "Mia" && bob.name == "Bob" && window.text == "Bob" && !books.isEditing)
    #expect(log.take().count == 6)
    window.text = "Ben"
    let other = KVObjectController<Book>()
    try detail.bindContent(to: "selection.writer", of: other)
    #expect(!books.isEditing, "the detail is not that of the books any more")
    binding.cancel()
    #expect(!other.isEditing)
  }

  @Test("EDT.3: an edit of a detail of a detail that cannot be committed prevents that its master selects")
  func chain() throws {
    let books = KVArrayController { Book("new") }
    books.content = [Book("A"), Book("B")]
    books.selectionIndexes = [0]
    let details = [KVObjectController<Book>(), KVObjectController<Book>()]
    try details[0].bindContent(to: "selection.self", of: books)
    try details[1].bindContent(to: "content", of: details[0])
    try window.bind(
      "text", to: "selection.title", of: details[1],
      options: .init(.twoWay, noSelection: "", validates: true, trigger: .onCommit))
    window.text = ""
    #expect(details[1].isEditing && details[0].isEditing && books.isEditing)
    #expect(throws: KVError.self) { try books.selectNext() }
    #expect(books.selectionIndexes == [0])
    window.text = "ok"
    try books.selectNext()
    #expect(books.content[0].title == "ok" && books.selectionIndexes == [1] && !books.isEditing)
  }

  // MARK: Several objects

  @Test("CTR.39, BND.13: whether an edit may be written depends on the objects for which it was made")
  func countOfOwners() throws {
    let books = [Book("A"), Book("B"), Book("C")]
    shelf.selectedObjects = [books[0], books[1]]
    let binding = try window.bind(
      "text", to: "selection.title", of: shelf,
      options: .init(
        .twoWay, noSelection: "", multipleValues: "", allowsEditingMultipleValues: false, trigger: .onCommit))
    window.text = "both"
    shelf.selectedObjects = [books[2]]
    #expect(books.map(\.title) == ["A", "B", "C"] && binding.lastError?.code == .unsupported)
    #expect(window.text == "C" && !shelf.isEditing)
    window.text = "one"
    shelf.selectedObjects = [books[0], books[1]]
    #expect(books.map(\.title) == ["A", "B", "one"] && binding.lastError == nil)
  }
}
