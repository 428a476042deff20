import KVCore
import TestModels
import Testing

@testable import KVControllers

@Suite("CTR the selection of a controller")
struct SelectionTests {
  let shelf = ShelfController()
  let writers = [Writer("Ada"), Writer("Bob")]
  let books: [Book]
  let log = ChangeLog()

  init() {
    books = [Book("A", by: writers[0]), Book("B", by: writers[0]), Book("C", 1999, by: writers[1])]
  }

  // MARK: Reading

  @Test("CTR.32, CTR.33, CTR.34: a path yields the common value of the selected objects, or a marker")
  func reading() throws {
    #expect(shelf.selection["title"].marker == .noSelection)
    shelf.selectedObjects = [books[0]]
    #expect(shelf.selection["title"].value as? String == "A")
    #expect(try shelf.value(forKeyPath: "selection.writer.name", as: String.self) == "Ada")
    shelf.selectedObjects = [books[0], books[1]]
    #expect(shelf.selection["title"].marker == .multipleValues)
    #expect(shelf.selection["writer.name"].value as? String == "Ada")
    writers[1].name = "Ada"
    shelf.selectedObjects = books
    #expect(shelf.selection["writer.name"].value as? String == "Ada", "whatever the intermediate objects")
    #expect(shelf.selection["writer"].marker == .multipleValues)
    #expect(try shelf.selection.value(forKey: "year") as? KVSelectionMarker == .multipleValues)
    #expect(try shelf.value(forKeyPath: "selection.year") as? KVSelectionMarker == .multipleValues)
  }

  @Test("CTR.33: a missing key is not applicable, a missing entry is nil, equal nils are the value nil")
  func missing() throws {
    shelf.selectedObjects = [books[0], Magazine()]
    #expect(shelf.selection["year"].marker == .notApplicable)
    #expect(shelf.selection["writer.name"].marker == .notApplicable)
    shelf.selectedObjects = [Magazine()]
    #expect(shelf.selection["year"].marker == .notApplicable)
    let records: [KVRecord] = [["name": "x"], [:]]
    shelf.selectedObjects = [records[1]]
    guard case .value(nil) = shelf.selection["name"] else { return _ = Issue.record("no value nil") }
    shelf.selectedObjects = records
    #expect(shelf.selection["name"].marker == .multipleValues)
    for book in books { book.writer = nil }
    shelf.selectedObjects = books
    guard case .value(nil) = shelf.selection["writer.name"] else { return _ = Issue.record("no value nil") }
  }

  @Test("CTR.33: alwaysUsesMultipleValuesMarker yields the marker for two objects, whose values are not read")
  func alwaysMarker() throws {
    shelf.selectedObjects = [books[0], books[1]]
    try log.observe(shelf, "selection.year")
    shelf.alwaysUsesMultipleValuesMarker = true
    #expect(shelf.selection["year"].marker == .multipleValues)
    #expect(log.lines == ["selection.year: 2000 → KVSelectionMarker.multipleValues"])
    shelf.selectedObjects = [books[0]]
    #expect(shelf.selection["year"].value as? Int == 2000)
  }

  @Test("CTR.34: a typed read of a marker throws a type mismatch that names the marker")
  func typedRead() throws {
    let error = #expect(throws: KVError.self) { try shelf.value(forKeyPath: "selection.title", as: String.self) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.description.contains("noSelection") == true)
  }

  @Test("CTR.34: a typed observer gets nil for a marker, and nothing is reported")
  func typedObserver() throws {
    var titles: [[String?]] = []
    let token = try shelf.observe("selection.title", as: String.self) { titles.append([$0.old, $0.new]) }
    let events = capturingEvents {
      shelf.selectedObjects = [books[0]]
      shelf.selectedObjects = books
      shelf.selectedObjects = [Magazine()]
      shelf.selectedObjects = []
    }
    #expect(titles == [[nil, "A"], ["A", nil], [nil, "Weekly"], ["Weekly", nil]])
    #expect(events.about(shelf).isEmpty)
    token.cancel()
  }

  @Test("CTR.32: nothing notifies of a controller that is gone: bindings to its selection find out at a transfer")
  func outliving() throws {
    var controller: ShelfController? = ShelfController()
    let selection = try #require(controller?.selection)
    let window = ShelfWindow()
    controller?.selectedObjects = [books[0]]
    let binding = try window.bind("text", to: "title", of: selection, options: .init(.twoWay, noSelection: "none"))
    try log.observe(selection, "title")
    #expect(window.text == "A")
    controller = nil
    books[0].title = "B"
    #expect(window.text == "A" && binding.state == .active && log.take().isEmpty)
    window.text = "typed"
    #expect(binding.state == .unresolved && books[0].title == "B" && log.take().isEmpty)
    try binding.updateTarget()
    #expect(window.text == "none")
  }

  @Test("CTR.35: operators apply to the selected objects")
  func operators() throws {
    #expect(shelf.selection["@count"].value as? Int == 0)
    (books[0].tags, books[1].tags) = (["x", "y"], ["y"])
    shelf.selectedObjects = [books[0], books[1]]
    #expect(try shelf.value(forKeyPath: "selection.@count", as: Int.self) == 2)
    #expect(try shelf.value(forKeyPath: "selection.@distinctUnionOfArrays.tags", as: [String].self) == ["x", "y"])
    #expect(try shelf.value(forKeyPath: "selection.@sum.year", as: Int.self) == 4000)
    #expect(shelf.selection["tags.@count"].marker == .multipleValues)
    try log.observe(shelf, "selection.@sum.year", "selection.@count")
    books[0].year = 2001
    shelf.selectedObjects = [books[0]]
    #expect(
      log.lines == [
        "selection.@sum.year: 4000 → 4001", "selection.@sum.year: 4001 → 2001", "selection.@count: 2 → 1",
      ])
  }

  @Test("CTR.32: the selection is one object for the lifetime of the controller, and outlives it without values")
  func identity() throws {
    var controller: ShelfController? = ShelfController()
    let selection = try #require(controller?.selection)
    #expect(controller?.selection === selection)
    controller?.selectedObjects = books
    controller = nil
    #expect(selection["title"].marker == .noSelection)
    #expect(throws: KVError.self) { try selection.setValue("x", forKey: "title") }
  }

  // MARK: Writing

  @Test("CTR.36: writing sets every selected object, and observers of the path are notified once")
  func writing() throws {
    shelf.selectedObjects = books
    try log.observe(shelf, "selection.title", options: [.old, .new, .prior])
    try log.observe(books[1], "title")
    try shelf.setValue("Z", forKeyPath: "selection.title")
    #expect(books.map(\.title) == ["Z", "Z", "Z"])
    #expect(
      log.take() == [
        "selection.title (prior): KVSelectionMarker.multipleValues → nil", "title: B → Z",
        "selection.title: KVSelectionMarker.multipleValues → Z",
      ])
    try shelf.setValue("Bea", forKeyPath: "selection.writer.name")
    #expect(writers.map(\.name) == ["Bea", "Bea"])
    try shelf.selection.setValue("Y", forKey: "title")
    #expect(books[2].title == "Y")
  }

  @Test("CTR.36: if one object refuses, none changes and nobody is notified of the path")
  func refusing() throws {
    shelf.selectedObjects = [books[0], books[1], books[2]]
    try log.observe(shelf, "selection.price", "selection.year")
    #expect(throws: KVError.self) { try shelf.setValue("many", forKeyPath: "selection.year") }
    // The setter of the last book throws, after the others have been set.
    #expect(throws: KVError.self) { try shelf.setValue(2000, forKeyPath: "selection.price") }
    #expect(books.map(\.price) == [0, 0, 0])
    #expect(log.take().isEmpty)
    try shelf.setValue(1500, forKeyPath: "selection.price")
    #expect(books.map(\.price) == [1500, 1500, 1500])
    #expect(log.lines == ["selection.price: 0 → 1500"])
    shelf.selectedObjects = [books[0], Magazine()]
    #expect(throws: KVError.self) { try shelf.setValue(1, forKeyPath: "selection.year") }
    #expect(books[0].year == 2000)
  }

  @Test("CTR.36: with nothing selected a write throws unresolvedPath, or is ignored on request")
  func writingNothing() throws {
    let error = #expect(throws: KVError.self) { try shelf.setValue("x", forKeyPath: "selection.title") }
    #expect(error?.code == .unresolvedPath)
    #expect(try shelf.setValueIfResolved("x", forKeyPath: "selection.title") == false)
    #expect(throws: KVError.self) { try shelf.setValue(1, forKeyPath: "selection.@count") }
  }

  @Test("CTR.36: elements that are values are replaced in the content")
  func values() throws {
    let form = KVObjectController(Point(x: 1, y: 2))
    try log.observe(form, "selection.x", "content")
    try form.setValue(5, forKeyPath: "selection.x")
    #expect(form.content == Point(x: 5, y: 2))
    #expect(log.lines.first == "selection.x: 1 → 5" && log.lines.count == 2)
    shelf.selectedObjects = [Point(x: 1), Point(x: 2)]
    try log.observe(shelf, "selection.y")
    _ = log.take()
    try shelf.setValue(7, forKeyPath: "selection.y")
    #expect(shelf.selectedObjects as? [Point] == [Point(x: 1, y: 7), Point(x: 2, y: 7)])
    #expect(log.lines == ["selection.y: 0 → 7"])
  }

  @Test("CTR.32: validation and collection views follow the selected objects")
  func validating() throws {
    shelf.selectedObjects = [books[0], books[1]]
    #expect(throws: KVError.self) { try shelf.validate("", forKeyPath: "selection.title") }
    guard case .valid = try shelf.validate("x", forKeyPath: "selection.title") else {
      return _ = Issue.record("not valid")
    }
    #expect(throws: Never.self) { try shelf.validate("", forKeyPath: "selection.writer.name") }
    shelf.selectedObjects = [books[0]]
    var kinds: [KVChange.Kind] = []
    let token = try books[0].observe("tags") { kinds.append($0.kind) }
    let tags = try shelf.mutableArray(forKeyPath: "selection.tags")
    try tags.append("new")
    #expect(books[0].tags == ["new"] && kinds == [.insertion])
    token.cancel()
  }

  // MARK: Observing

  @Test("CTR.37: a path can be observed without content, and notifies once per update and per change of an object")
  func observing() throws {
    try log.observe(shelf, "selection.writer.name", "selection.nothing")
    shelf.selectedObjects = [books[0], books[1]]
    #expect(
      log.take() == [
        "selection.writer.name: KVSelectionMarker.noSelection → Ada",
        "selection.nothing: KVSelectionMarker.noSelection → KVSelectionMarker.notApplicable",
      ])
    writers[0].name = "Eve"
    #expect(log.take() == ["selection.writer.name: Ada → Eve"])
    books[1].writer = writers[1]
    #expect(log.take() == ["selection.writer.name: Eve → KVSelectionMarker.multipleValues"])
    writers[1].name = "Eve"
    #expect(log.take() == ["selection.writer.name: KVSelectionMarker.multipleValues → Eve"])
    shelf.selectedObjects = []
    #expect(log.take().count == 2)
    writers[0].name = "nobody"
    #expect(log.take().isEmpty)
  }

  @Test("CTR.37: a path that begins with an entry is observed like one that begins with a key")
  func entries() throws {
    let records = [try KVRecord(["a.b": 1, "list": [1, 2]]), try KVRecord(["a.b": 1, "list": [1, 2]])]
    let list = KVArrayController<KVRecord>()
    list.content = records
    list.selectionIndexes = [0, 1]
    var seen: [Int] = []
    let token = try list.observe(#"selection["a.b"]"#) { change in seen.append(change.new as? Int ?? -1) }
    for record in records { record["a.b"] = 2 }
    #expect(seen == [-1, 2])
    try list.setValue(3, forKeyPath: #"selection["a.b"]"#)
    #expect(seen == [-1, 2, 3] && records.allSatisfy { $0["a.b"] as? Int == 3 })
    token.cancel()
  }

  @Test("CTR.37: a key that an element in a selected object does not have is no fault of an observed path")
  func missingKeyOfElement() throws {
    let person = Villager("Ada")
    let form = KVObjectController<Villager>()
    form.content = person
    let token = try form.observe("selection.kids.@sum.height", options: []) { _ in }
    let events = capturingEvents(level: .error) { person.kids = [Villager("Bob")] }
    #expect(!events.contains { $0.message.contains("height") })
    token.cancel()
  }

  @Test("CTR.37: a path is observed from another root, from the selection itself, and through a replaced controller")
  func otherRoots() throws {
    let window = ShelfWindow()
    try log.observe(window, "shelf.selection.title", "shelf.selection.@count")
    try log.observe(shelf.selection, "title")
    shelf.selectedObjects = [books[0]]
    #expect(log.take() == ["title: KVSelectionMarker.noSelection → A"])
    window.shelf = shelf
    #expect(log.take() == ["shelf.selection.title: nil → A", "shelf.selection.@count: nil → 1"])
    books[0].title = "AA"
    #expect(log.take() == ["shelf.selection.title: A → AA", "title: A → AA"])
    window.shelf = nil
    books[0].title = "B"
    #expect(log.take().last == "title: AA → B")
    log.stop()
    #expect(KVDiagnostics.observations(of: books[0]).isEmpty && KVDiagnostics.observations(of: shelf).isEmpty)
  }

  @Test("CTR.37: objects, controller and observers die in any order")
  func deaths() throws {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var book: Book? = Book("x", by: writers[0])
      var controller: ShelfController? = ShelfController()
      controller?.selectedObjects = [try #require(book)]
      var token: KVObservation? = try #require(controller).observe("selection.writer.name") { _ in }
      weak let (gone, deadController) = (book, controller)
      for step in order {
        switch step {
        case 0: book = nil
        case 1: controller = nil
        default: token = nil
        }
        writers[0].name += "!"
      }
      #expect(gone == nil && deadController == nil)
      withExtendedLifetime(token) {}
    }
    #expect(KVDiagnostics.observations(of: writers[0]).isEmpty)
  }
}
