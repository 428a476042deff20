import Foundation
import KVCore
import TestModels
import Testing

@testable import KVControllers

@Suite("CTR bindings to a selection")
struct SelectionBindingTests {
  let shelf = ShelfController()
  let window = ShelfWindow()
  let books = [Book("A", by: Writer("Ada")), Book("B", by: Writer("Bob"))]

  @Test("CTR.38: markers have placeholders, which are not transformed and never written back")
  func placeholders() throws {
    let binding = try window.bind(
      "text", to: "selection.title", of: shelf,
      options: .init(
        .twoWay,
        transformer: KVTransformer(
          forward: { (text: String) in text + "!" }, reverse: { (text: String) in String(text.dropLast()) }),
        noSelection: "none", multipleValues: "several", notApplicable: "no title"))
    #expect(window.text == "none" && binding.marker == .noSelection)
    shelf.selectedObjects = [books[0]]
    #expect(window.text == "A!" && binding.marker == nil)
    shelf.selectedObjects = books
    #expect(window.text == "several" && binding.marker == .multipleValues)
    window.text = "x"
    #expect(books.map(\.title) == ["", ""], "the reverse function drops a character")
    for (book, title) in zip(books, ["A", "B"]) { book.title = title }
    #expect(window.text == "several")
    try binding.updateSource()
    #expect(books.map(\.title) == ["A", "B"] && binding.state == .active)
    shelf.selectedObjects = [Writer("Ada")]
    #expect(window.text == "no title" && binding.marker == .notApplicable)
  }

  @Test("CTR.38: without placeholders a marker is null, or empty for a collection; notApplicable is an error")
  func withoutPlaceholders() throws {
    try window.bind("optional", to: "selection.title", of: shelf)
    let list = try window.bind("list", to: "selection.tags", of: shelf)
    let nulled = try window.bind("text", to: "selection.title", of: shelf, options: .init(nullPlaceholder: "-"))
    #expect(window.optional == nil && window.list.isEmpty && window.text == "-")
    (books[0].tags, books[1].tags) = (["x"], ["y"])
    shelf.selectedObjects = [books[0]]
    #expect(window.optional == "A" && window.list == ["x"] && window.text == "A")
    shelf.selectedObjects = books
    #expect(window.optional == nil && window.list.isEmpty && window.text == "-")
    shelf.selectedObjects = [Magazine()]
    #expect(list.state == .failed && list.lastError?.code == .undefinedKey)
    #expect(nulled.state == .active && window.text == "Weekly")
    shelf.selectedObjects = [books[1]]
    #expect(list.state == .active && window.list == ["y"])
  }

  @Test(
    "CTR.38: the error of a key that a selected object does not have names the nearest one, also in the middle of a path"
  )
  func misspelt() throws {
    shelf.selectedObjects = [books[0]]
    for (path, key, suggestion) in [
      ("tilte", "tilte", "title"), ("writr.name", "writr", "writer"), ("writer.nam", "nam", "name"),
    ] {
      let error = #expect(throws: KVError.self) {
        try window.bind("text", to: KVKeyPath("selection.\(path)"), of: shelf)
      }
      #expect(error?.code == .undefinedKey && error?.suggestion == suggestion && error?.component == key)
      #expect(
        error?.message == """
          a selected object does not have the key "\(key)". Did you mean "\(suggestion)"? Select objects that have it, or bind \
          with the option notApplicable: and a value to show.
          """)
    }
    let operand = #expect(throws: KVError.self) { try window.bind("text", to: "selection.@max.tilte", of: shelf) }
    #expect(operand?.suggestion == "title")
    let error = #expect(throws: KVError.self) { try window.bind("text", to: "selection.quite", of: shelf) }
    #expect(
      error?.message == """
        a selected object does not have the key "quite". Select objects that have it, or bind with the option \
        notApplicable: and a value to show.
        """)
  }

  @Test("CTR.34: each selected object is read by its own key, whatever the type of its value is")
  func types() throws {
    shelf.selectedObjects = [books[0]]
    try window.bind("number", to: "selection.year", of: shelf)
    #expect(window.number == 2000)
    let dated = Dated()
    shelf.selectedObjects = [dated]
    #expect(window.number == 1984)
    dated.year = 1985
    #expect(window.number == 1985)
    shelf.selectedObjects = [Point()]
    #expect(window.number == 1985, "a value without the key leaves the target as it is")
    shelf.selectedObjects = [books[1]]
    books[1].year = 2001
    #expect(window.number == 2001)
  }

  @Test(
    "CTR.36, CTR.39: an edit is written to all selected objects, unless the option forbids it, and to none if none is")
  func editing() throws {
    let free = try window.bind(
      "text", to: "selection.title", of: shelf, options: .init(.twoWay, noSelection: "", multipleValues: "several"))
    #expect(!free.isEditable)
    window.text = "lost"
    #expect(free.state == .unresolved)
    shelf.selectedObjects = books
    #expect(free.isEditable && window.text == "several")
    window.text = "Z"
    #expect(books.map(\.title) == ["Z", "Z"])
    free.cancel()
    let single = try window.bind(
      "text", to: "selection.title", of: shelf,
      options: .init(.twoWay, multipleValues: "several", allowsEditingMultipleValues: false))
    #expect(!single.isEditable && window.text == "Z")
    window.text = "Y"
    #expect(books.map(\.title) == ["Z", "Z"] && single.lastError?.code == .unsupported)
    shelf.selectedObjects = [books[1]]
    #expect(single.isEditable && single.state == .active)
    window.text = "Y"
    #expect(books.map(\.title) == ["Z", "Y"])
    let oneWay = try window.bind("number", to: "selection.year", of: shelf)
    #expect(!oneWay.isEditable)
  }

  // MARK: Editors

  private func field(_ path: String, _ key: String = "text") throws -> KVPathBinding {
    try window.bind(
      KVKeyPath(key), to: KVKeyPath(path), of: shelf,
      options: .init(.twoWay, noSelection: "", multipleValues: "", validates: true, trigger: .onCommit))
  }

  @Test("EDT.1, EDT.2: a binding with an uncommitted edit is an editor of its source")
  func bindingAsEditor() throws {
    shelf.selectedObjects = [books[0]]
    let binding = try field("selection.title")
    let log = ChangeLog()
    try log.observe(shelf, "isEditing")
    window.text = "typed"
    window.text = "typed on"
    #expect(shelf.isEditing && binding.hasPendingEdit && books[0].title == "A")
    try shelf.commitEditing()
    #expect(!shelf.isEditing && books[0].title == "typed on")
    window.text = "other"
    try shelf.discardEditing()
    #expect(!shelf.isEditing && window.text == "typed on")
    window.text = "third"
    binding.cancel()
    #expect(!shelf.isEditing)
    #expect(log.lines == (0..<3).flatMap { _ in ["isEditing: false → true", "isEditing: true → false"] })
  }

  @Test("EDT.3: editors are committed in the order of registration up to the first failure, and all are discarded")
  func order() throws {
    struct Refusal: Error {}
    final class Field: KVEditor {
      nonisolated(unsafe) static var calls: [String] = []
      let name: String
      var refuses = false

      init(_ name: String) { self.name = name }
      func commitEditing() throws {
        Self.calls.append("commit \(name)")
        if refuses { throw Refusal() }
      }
      func discardEditing() throws {
        Self.calls.append("discard \(name)")
        if refuses { throw Refusal() }
      }
    }
    let fields = ["a", "b", "c"].map { Field($0) }
    for field in [fields[1], fields[0], fields[2], fields[1]] { shelf.beginEditing(field) }
    fields[0].refuses = true
    expectCause(Refusal.self) { try shelf.commitEditing() }
    #expect(Field.calls == ["commit b", "commit a"])
    Field.calls = []
    expectCause(Refusal.self) { try shelf.discardEditing() }
    #expect(Field.calls == ["discard b", "discard a", "discard c"])
    for field in fields { shelf.endEditing(field) }
    #expect(!shelf.isEditing)
    try shelf.commitEditing()
    do {
      let dropped = Field("dropped")
      shelf.beginEditing(dropped)
      #expect(shelf.isEditing)
    }
    #expect(!shelf.isEditing, "editors are not retained")
  }

  @Test("CTR.38: a target that takes no nil is refused with the option that it needs")
  func missingPlaceholder() throws {
    let (list, field) = (KVArrayController<Tune>(), Tune())
    let error = #expect(throws: KVError.self) { try field.bind("rank", to: "selection.rank", of: list) }
    #expect(
      error?.message == """
        cannot set "rank" of Tune: the source "selection.rank" yields the marker noSelection, and the property takes no nil. \
        Bind with the option noSelection: and a value to show, or make the property optional.
        """)
    #expect(error?.code == .nilValue)
  }

  @Test("EDT.4: assigning content and removing commit edits first; a failure prevents them")
  func committingFirst() throws {
    let form = KVObjectController(books[0])
    let binding = try window.bind(
      "text", to: "selection.title", of: form,
      options: .init(.twoWay, noSelection: "", validates: true, trigger: .onCommit))
    window.text = "typed"
    form.content = books[1]
    #expect(books[0].title == "typed" && window.text == "B")
    window.text = ""
    let events = capturingEvents(level: .error) { form.content = nil }
    #expect(form.content === books[1] && !events.about(form).isEmpty)
    #expect(throws: KVError.self) { try form.setValue(nil, forKey: "content") }
    #expect(throws: KVError.self) { try form.remove() }
    #expect(throws: KVError.self) { try form.add(books[0]) }
    #expect(form.content === books[1] && binding.hasPendingEdit && window.text.isEmpty)
    try form.discardEditing()
    try form.remove()
    #expect(form.content == nil && !form.isEditing)
  }

  @Test(
    "BND.13, EDT.4: an edit belongs to the objects for which it was typed, if the selection changes without the user")
  func movedEdit() throws {
    shelf.selectedObjects = books
    let binding = try field("selection.title")
    window.text = "both"
    shelf.selectedObjects = [Book("C")]
    #expect(books.map(\.title) == ["both", "both"] && window.text == "C" && !shelf.isEditing)
    window.text = ""
    shelf.selectedObjects = []
    #expect(binding.state == .failed && window.text.isEmpty && !binding.hasPendingEdit)
  }

  @Test("CTR.39: controller, window, object and binding die in any order while an edit waits")
  func deaths() throws {
    for seed in 0..<24 {
      var random = SplitMix64(seed: UInt64(seed))
      var controller: ShelfController? = ShelfController()
      var window: ShelfWindow? = ShelfWindow()
      var book: Book? = Book("x")
      controller?.selectedObjects = [try #require(book)]
      var binding: KVPathBinding? = try #require(window).bind(
        "text", to: "selection.title", of: try #require(controller), options: .init(.twoWay, trigger: .onCommit))
      window?.text = "typed"
      weak let (goneController, goneWindow, goneBook) = (controller, window, book)
      for step in [0, 1, 2, 3].shuffled(using: &random) {
        switch step {
        case 0: controller = nil
        case 1: window = nil
        case 2: book = nil
        default:
          binding?.cancel()
          binding = nil
        }
        _ = try? controller?.commitEditing()
      }
      #expect(goneController == nil && goneWindow == nil && goneBook == nil, "seed \(seed)")
    }
  }
}

/// Has a year of another type than a book.
private final class Dated: KVObject {
  @KVProperty var year = 1984.0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Dated.self) { key in key("year", \.year) }
  }
}
