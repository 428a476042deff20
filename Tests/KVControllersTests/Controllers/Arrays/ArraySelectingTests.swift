import KVControllers
import KVTestSupport
import Testing

/// The selection of array controllers (CTR.25–31).
@Suite struct ArraySelectingTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 4)
  private let b = Tune("b", rank: 3)
  private let c = Tune("c", rank: 2)
  private let d = Tune("d", rank: 1)

  private var selected: String { list.selectedObjects.map(\.title).joined() }

  init() {
    list.content = [a, b, c, d]
  }

  @Test("CTR.25: indexes ascend, invalid ones are ignored")
  func indexes() {
    let indexes = [3, 1, 7, -1]
    list.selectionIndexes = indexes
    #expect(list.selectionIndexes == [1, 3] && list.selectionIndex == 1 && indexes.count == 4)
    list.selectionIndex = 2
    #expect(list.selectionIndexes == [2])
    list.selectionIndex = nil
    #expect(list.selectionIndexes == [] && list.selectionIndex == nil)
  }

  @Test("CTR.26: objects in arranged order; the first free index of each, identical before equal")
  func objects() throws {
    list.selectedObjects = [c, a, Tune("x")]
    #expect(selected == "ac")
    let texts = KVArrayController<String>()
    texts.content = ["x", "y", "x"]
    texts.selectedObjects = ["x", "x", "x", "z"]
    #expect(texts.selectionIndexes == [0, 2])
    texts.selectedObjects = ["x"]
    #expect(texts.selectionIndexes == [0])
  }

  @Test("CTR.27: selecting returns whether the selection changed")
  func selecting() throws {
    #expect(try list.select(b))
    #expect(try !list.select(b))
    #expect(try list.addToSelection(d))
    #expect(selected == "bd")
    #expect(try !list.addToSelection(d))
    #expect(try list.removeFromSelection(b))
    #expect(try !list.removeFromSelection(b))
    #expect(try list.select(contentsOf: [a, c]))
    #expect(selected == "ac")
    #expect(try list.addToSelection(contentsOf: [a, b]))
    #expect(try list.removeFromSelection(contentsOf: [a, b, c]))
    #expect(selected == "")
  }

  @Test("CTR.28: after content is assigned or rearranged, the same objects or the same indexes")
  func preserving() {
    list.selectionIndexes = [0, 1]
    list.sortDescriptors = ["rank"]
    #expect(list.selectionIndexes == [2, 3] && selected == "ba")
    list.content = [b, d]
    #expect(selected == "b")
    list.preservesSelection = false
    list.content = [a, b, c, d]
    #expect(list.selectionIndexes == [1] && selected == "c")
    list.sortDescriptors = []
    #expect(list.selectionIndexes == [1] && selected == "b")
    list.selectionIndexes = [0, 3]
    list.filterPredicate = "rank > 2"
    #expect(list.selectionIndexes == [0] && selected == "a")
  }

  @Test("CTR.29: the objects added through the controller are selected")
  func inserted() throws {
    try list.add(Tune("e"))
    #expect(selected == "e")
    list.clearsFilterPredicateOnInsertion = false
    list.filterPredicate = "title != 'h'"
    try list.add(contentsOf: [Tune("h"), Tune("f")])
    #expect(selected == "f")
    list.selectsInsertedObjects = false
    try list.add(Tune("g"))
    #expect(selected == "f")
  }

  @Test("CTR.30: an emptied selection selects a neighbour")
  func neighbour() throws {
    list.selectionIndexes = [1]
    try list.remove()
    #expect(selected == "c")
    try list.remove()
    #expect(selected == "d")
    try list.remove()
    #expect(selected == "a")
    try list.remove()
    #expect(list.selectionIndexes == [] && list.content.isEmpty)
    list.content = [a, b]
    #expect(selected == "a")
  }

  @Test("CTR.30: an explicit empty selection remains until the arrangement changes")
  func emptied() throws {
    list.selectionIndexes = []
    #expect(selected == "")
    list.rearrangeObjects()
    #expect(selected == "")
    list.avoidsEmptySelection = false
    list.content = [b, a]
    #expect(selected == "")
    list.avoidsEmptySelection = true
    #expect(selected == "b")
  }

  @Test("CTR.27, CTR.30: a call that is ignored does not forget where the selection was", arguments: 0..<3)
  func ignored(_ call: Int) throws {
    list.selectionIndexes = [2]
    try list.update {
      try list.remove()
      switch call {
      case 0: #expect(try !list.addToSelection(Tune("x")))
      case 1: #expect(try !list.removeFromSelection(a))
      default: try list.selectPrevious()
      }
    }
    #expect(selected == "d")
  }

  @Test("CTR.31: the neighbours of the first selected object")
  func neighbours() throws {
    list.selectionIndexes = []
    #expect(list.canSelectNext && !list.canSelectPrevious)
    try list.selectPrevious()
    #expect(selected == "")
    try list.selectNext()
    #expect(selected == "a")
    list.selectionIndexes = [1, 3]
    try list.selectNext()
    #expect(selected == "c")
    try list.selectPrevious()
    #expect(selected == "b")
    list.selectionIndex = 3
    #expect(!list.canSelectNext && list.canSelectPrevious)
    try list.selectNext()
    #expect(selected == "d")
  }

  @Test("CTR.10, 9: no key notifies of a selection that remains")
  func equal() throws {
    list.selectionIndexes = [1]
    var keys: [String] = []
    let tokens = try ["selectionIndexes", "selectionIndex", "selectedObjects", "selection", "canRemove"].map { key in
      try list.observe(key) { _ in keys.append(key) }
    }
    list.selectionIndexes = [1]
    list.update {
      list.selectionIndexes = [2]
      list.selectionIndexes = [1]
    }
    #expect(keys == [])
    list.selectionIndexes = [1, 2]
    #expect(keys == ["selectionIndexes", "selectionIndex", "selectedObjects", "selection"])
    withExtendedLifetime(tokens) {}
  }
}
