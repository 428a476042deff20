import KVControllers
import KVTestSupport
import TestModels
import Testing

/// The content by key and by bindings: what is refused, and what editors prevent (CTR.5, CTR.14, CTR.15, EDT.4).
@Suite struct ArrayKeyedContentTests {
  private let list = KVArrayController { Tune() }
  private let field = EditingField()
  private let shelf = Shelf([Tune("x"), Tune("y")])

  init() { list.content = [Tune("a"), Tune("b")] }

  private var titles: String { list.content.map(\.title).joined() }

  @Test("EDT.4: a write of content by key commits edits first, and throws if that fails")
  func keyed() throws {
    list.beginEditing(field)
    try list.setValue(nil, forKey: "contentArray")
    try list.setValue([Tune("a"), Tune("b")], forKey: "content")
    let view = list.mutableArray(forKey: "content")
    try view.append(Tune("c"))
    try view.remove(at: 2)
    try view.replace(at: 1, with: Tune("d"))
    #expect(field.commits == 5 && titles == "ad")
    field.refuses = true
    expect(.custom) { try list.setValue(nil, forKey: "content") }
    expect(.custom) { try list.setValue([Tune](), forKey: "contentSet") }
    expect(.custom) { try view.append(Tune("c")) }
    expect(.custom) { try view.remove(at: 0) }
    expect(.custom) { try view.replace(at: 0, with: Tune("c")) }
    #expect(titles == "ad")
  }

  @Test("CTR.5: edits by index through a view need canAdd; the assignment of content does not")
  func refused() throws {
    list.isEditable = false
    let view = list.mutableArray(forKey: "content")
    expect(.unsupported) { try view.append(Tune("c")) }
    expect(.unsupported) { try view.remove(at: 0) }
    expect(.unsupported) { try view.replace(at: 0, with: Tune("c")) }
    #expect(titles == "ab")
    list.content = [Tune("c")]
    try list.setValue([Tune("d")], forKey: "content")
    #expect(titles == "d")
    try list.setValue(nil, forKey: "content")
    #expect(titles.isEmpty)
  }

  @Test("CTR.5: what the model edits is not refused, with any binding of the content")
  func model() throws {
    for isPlain in [false, true] {
      let list = KVArrayController { Tune() }
      if isPlain {
        try list.bind("content", to: "tunes", of: shelf, options: .oneWay)
      } else {
        try list.bindContent(to: "tunes", of: shelf)
      }
      list.isEditable = false
      list.beginEditing(field)
      field.refuses = true
      try shelf.mutableArray(forKey: "tunes").append(Tune("z"))
      #expect(list.content.map(\.title) == shelf.tunes.map(\.title))
      shelf.tunes = [Tune("x"), Tune("y")]
      #expect(list.content.map(\.title) == ["x", "y"])
      field.refuses = false
    }
  }

  @Test("CTR.5, CTR.14: a plain one-way binding of the content refuses nothing; the model's next change replaces it")
  func plainOneWay() throws {
    let (shelf, list) = (Shelf([Tune("a"), Tune("b")]), KVArrayController { Tune() })
    try list.bind("content", to: "tunes", of: shelf, options: .oneWay)
    try list.add(Tune("c"))
    #expect(list.canAdd && list.content.count == 3 && shelf.tunes.count == 2)
    try shelf.mutableArray(forKey: "tunes").append(Tune("d"))
    #expect(list.content.map(\.title) == ["a", "b", "d"])
    try list.bindContent(to: "tunes.@self", of: shelf)
    #expect(!list.canAdd && list.content.count == 3)
    expect(.unsupported) { try list.add(Tune("e")) }
  }

  @Test("CTR.14: a binding that fails leaves the former one")
  func failing() throws {
    let binding = try list.bindContent(to: "tunes", of: shelf, forMultipleSelection: nil, selectsAll: true)
    #expect(throws: KVError.self) { try list.bindContent(to: "missing", of: Shelf()) }
    let ints = Shelf()
    ints.names = ["no tune"]
    #expect(throws: KVError.self) { try list.bindContent(to: "names", of: ints) }
    #expect(binding.isActive && titles == "xy" && list.canAdd)
    shelf.tunes = [Tune("p"), Tune("q")]
    #expect(titles == "pq" && list.selectionIndexes == [0, 1])
    try list.add(Tune("r"))
    #expect(shelf.tunes.count == 3 && ints.names == ["no tune"])
  }

  @Test("CTR.6, 14: binding the content anew is one update, and the former model keeps its own")
  func rebinding() throws {
    let other = Shelf([Tune("p")])
    try list.bindContent(to: "tunes", of: shelf)
    var lines: [String] = []
    let tokens = try ["content", "arrangedObjects", "canAdd", "selectionIndexes"].map { key in
      try list.observe(key) { _ in lines.append(key) }
    }
    list.selectionIndexes = [1]
    lines = []
    try list.bindContent(to: "tunes.@unionOfObjects.self", of: other)
    #expect(lines == ["content", "arrangedObjects", "canAdd", "selectionIndexes"])
    #expect(titles == "p" && shelf.tunes.map(\.title) == ["x", "y"])
    other.tunes = []
    #expect(titles.isEmpty && shelf.tunes.count == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("EDT.4: binding the content commits edits first, and throws if that fails")
  func editing() throws {
    list.beginEditing(field)
    field.refuses = true
    expect(.custom) { try list.bindContent(to: "tunes", of: shelf) }
    #expect(titles == "ab")
    shelf.tunes = [Tune("z")]
    #expect(titles == "ab")
    field.refuses = false
    try list.bindContent(to: "tunes", of: shelf)
    #expect(titles == "z" && field.commits == 1)
  }

  @Test("CTR.15: the path for several selected objects is not observed any more when the binding has ended")
  func ending() throws {
    let shelves = KVArrayController<Shelf>()
    shelves.content = [shelf, Shelf([Tune("p")])]
    shelves.selectionIndexes = [0]
    let binding = try list.bindContent(
      to: "selection.tunes", of: shelves, forMultipleSelection: "selection.@distinctUnionOfArrays.tunes")
    #expect(titles == "xy")
    shelves.selectionIndexes = [0, 1]
    #expect(titles == "xyp" && !list.canAdd && !binding.isActive)
    #expect(KVDiagnostics.bindings(of: list).count == 1)
    shelves.selectionIndexes = [1]
    #expect(titles == "p" && list.canAdd)
    let count = KVDiagnostics.observations(of: shelves).count
    try list.unbind("content")
    #expect(KVDiagnostics.observations(of: shelves).count < count)
    #expect(KVDiagnostics.observations(of: shelves).isEmpty)
    shelves.selectionIndexes = [0, 1]
    #expect(titles == "p" && KVDiagnostics.bindings(of: list).isEmpty)
  }
}
