import KVCore
import TestModels
import Testing

@testable import KVControllers

@Suite("CTR object controllers")
struct ObjectControllerTests {
  private final class Desk: KVObject {
    @KVProperty var book: Book?
    @KVProperty var shelf: ShelfController?
    var fixed: Book? { book }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Desk.self) { key in
        key("book", \.book)
        key("shelf", \.shelf)
        key("fixed", \.fixed).affected(by: "book")
      }
    }
  }

  let form = KVObjectController<Book>()
  let log = ChangeLog()
  let book = Book("A")

  @Test("CTR.15: the content may be the selection of another controller, whose markers pass")
  func selectionAsContent() throws {
    let books = KVArrayController<Book>()
    books.content = [book, Book("B")]
    let (detail, field) = (KVObjectController<KVSelection>(), ShelfWindow())
    try detail.bindContent(to: "selection", of: books)
    try field.bind(
      "text", to: "selection.title", of: detail, options: .init(.twoWay, noSelection: "-", multipleValues: "several"))
    books.selectionIndexes = []
    #expect(field.text == "-" && !detail.canAdd)
    books.selectionIndexes = [1]
    field.text = "C"
    #expect(books.content[1].title == "C")
    books.selectionIndexes = [0, 1]
    #expect(field.text == "several" && detail.content === books.selection)
  }

  @Test("CTR.16: removing an object commits the editors before, and keeps the content if one refuses")
  func removingCommits() throws {
    let editor = RefusingEditor()
    form.content = book
    form.beginEditing(editor)
    expectCause(RefusingEditor.Refusal.self) { try form.remove(book) }
    #expect(form.content === book)
    expectCause(RefusingEditor.Refusal.self) { try form.remove() }
    #expect(form.content === book)
    editor.refuses = false
    try form.remove(book)
    #expect(form.content == nil && editor.commits == 3)
  }

  @Test(
    "CTR.1, CTR.2, CTR.3, CTR.13: the state is keys with defaults; objects, records, dictionaries and values are contents"
  )
  func keys() throws {
    #expect(form.isEditable && !form.alwaysUsesMultipleValuesMarker && !form.isEditing)
    #expect(form.content == nil && form.selectedObjects.isEmpty)
    let names = [
      "content", "selectedObjects", "selection", "canAdd", "canInsert", "canRemove", "isEditable", "isEditing",
    ]
    for key in try KVC.keys(of: form) where names.contains(key.name) {
      #expect(key.canNotify, "\(key.name)")
      _ = try form.value(forKey: key.name)
    }
    try form.setValue(book, forKey: "contentObject")
    #expect(form.content === book)
    #expect(throws: KVError.self) { try form.setValue(5, forKey: "content") }
    let (record, dictionary, point) = (
      KVObjectController<KVRecord>(["x": 1]), KVObjectController(["x": 1]), KVObjectController(Point(x: 1))
    )
    for controller in [record, dictionary, point] { #expect(controller.selection["x"].value as? Int == 1) }
    weak var gone: Book?
    do {
      let content = Book("gone")
      gone = content
      form.content = content
    }
    #expect(gone != nil, "the content is retained")
    form.content = nil
    #expect(gone == nil)
  }

  @Test("CTR.9: an update notifies of the keys that differ, each once")
  func notifications() throws {
    try log.observe(
      form, "canRemove", "content", "selectedObjects", "selection", "canAdd", "isEditable", "selection.title",
      options: [])
    func keys() -> [String] { log.take().map { String($0.prefix { $0 != ":" }) } }
    form.content = book
    #expect(keys() == ["canRemove", "content", "selectedObjects", "selection", "selection.title"])
    form.content = book
    #expect(keys() == ["content"])
    form.isEditable = false
    #expect(keys() == ["canRemove", "canAdd", "isEditable"] && !form.canInsert)
    form.isEditable = true
    _ = keys()
    form.update {
      form.content = nil
      form.content = Book("B")
      form.isEditable = false
      form.content = book
      form.isEditable = true
    }
    #expect(keys() == ["content", "isEditable"])
    form.content = nil
    #expect(keys().contains("canRemove"))
  }

  @Test("CTR.4, CTR.5, CTR.16: adding and removing, and what refuses it")
  func adding() throws {
    func code(_ body: () throws -> Void) -> KVError.Code? {
      do { try body() } catch { return (error as? KVError)?.code }
      return nil
    }
    #expect(code { try form.add() } == .unsupported)
    #expect(code { try form.remove() } == .unsupported)
    try form.add(book)
    #expect(form.content === book && form.selectedObjects.count == 1)
    try form.add()
    #expect(form.content === book, "there is an object already")
    try form.remove(Book("other"))
    #expect(form.content === book)
    try form.remove(book)
    #expect(form.content == nil)
    form.isEditable = false
    #expect(code { try form.add(book) } == .unsupported && form.content == nil)
    let maker = KVObjectController { Book("new") }
    try maker.add()
    #expect(maker.content?.title == "new")
    maker.isEditable = false
    #expect(code { try maker.remove() } == .unsupported && maker.content != nil)
    final class Writing: KVObjectController<Book> {
      override func newObject() throws -> Book { Book("overridden") }
    }
    let writing = Writing()
    try writing.add()
    #expect(writing.content?.title == "overridden")
  }

  @Test("CTR.14: the content follows a model both ways without echo, and stays when the model is deallocated")
  func bindContent() throws {
    var desk: Desk? = Desk()
    let model = try #require(desk)
    try form.bindContent(to: "book", of: model)
    try log.observe(form, "content", options: [])
    try log.observe(model, "book", options: [])
    model.book = book
    #expect(form.content === book && log.take().count == 2)
    try form.remove()
    #expect(model.book == nil && log.take().count == 2)
    try form.add(book)
    #expect(model.book === book)
    desk = nil
    #expect(form.content === book && form.canAdd)
  }

  @Test("CTR.5: a content that is bound one-way or through an operator can neither be added to nor removed")
  func oneWayContent() throws {
    let desk = Desk()
    desk.book = book
    try log.observe(form, "canAdd", "canRemove")
    try form.bindContent(to: "fixed", of: desk)
    #expect(form.content === book && !form.canAdd && !form.canRemove)
    #expect(throws: KVError.self) { try form.remove() }
    #expect(log.take() == ["canAdd: true → false"])
    try form.bindContent(to: "book", of: desk)
    #expect(form.canAdd && form.canRemove)
    let shelf = ShelfController()
    try form.bindContent(to: "selection.@firstObject", of: shelf)
    shelf.selectedObjects = [book]
    #expect(form.content === book && !form.canAdd)
    form.unbindAll()
    #expect(form.canAdd)
  }

  @Test("CTR.14, CTR.15: the selection of another controller is a content; a marker is none")
  func masterAndDetail() throws {
    let shelf = ShelfController()
    let detail = KVObjectController<Writer>()
    try detail.bindContent(to: "selection.writer", of: shelf)
    #expect(detail.content == nil)
    let (ada, bob) = (Writer("Ada"), Writer("Bob"))
    shelf.selectedObjects = [Book("A", by: ada)]
    #expect(detail.content === ada)
    let several = [Book("A", by: ada), Book("B", by: bob)]
    shelf.selectedObjects = several
    #expect(detail.content == nil)
    expect(.unsupported) { try detail.add(Writer("Cy")) }
    #expect(detail.content == nil && several.map { $0.writer?.name } == ["Ada", "Bob"])
    shelf.selectedObjects = [Book("B", by: bob)]
    #expect(detail.selection["name"].value as? String == "Bob")
    shelf.selectedObjects = []
    #expect(detail.content == nil)
  }
}

/// An editor whose input is invalid at first.
private final class RefusingEditor: KVEditor {
  struct Refusal: Error {}

  var refuses = true
  var commits = 0

  func commitEditing() throws {
    commits += 1
    if refuses { throw Refusal() }
  }

  func discardEditing() throws {}
}
