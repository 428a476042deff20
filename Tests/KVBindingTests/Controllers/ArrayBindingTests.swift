import KVBinding
import KVTestSupport
import Testing

/// Array controllers whose content is bound to a model (CTR.14, 18, 29, 45).
@Suite struct ArrayBindingTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 1)
  private let b = Tune("b", rank: 2)
  private let c = Tune("c", rank: 3)

  @Test("CTR.14: an edit of the controller is one by index in the model, which notifies once, and vice versa")
  func bound() throws {
    let shelf = Shelf([a, b])
    try list.bindContent(to: "tunes", of: shelf)
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"])
    var lines: [String] = []
    let tokens = [
      try shelf.observe("tunes") { lines.append("model \($0.kind) \($0.indexes ?? [])") },
      try list.observe("content") { lines.append("content \($0.kind) \($0.indexes ?? [])") },
    ]
    try list.insert(c, at: 1)
    #expect(shelf.tunes.map(\.title) == ["a", "c", "b"])
    try list.remove(at: [0])
    #expect(shelf.tunes.map(\.title) == ["c", "b"])
    try shelf.mutableArray(forKey: "tunes").append(a)
    #expect(list.content.map(\.title) == ["c", "b", "a"])
    #expect(list.selectedObjects.map(\.title) == ["c"])
    try shelf.mutableArray(forKey: "tunes").remove(at: 0)
    try shelf.mutableArray(forKey: "tunes").replace(at: 0, with: c)
    shelf.tunes = [b]
    #expect(list.content.map(\.title) == ["b"])
    #expect(lines.count == 12)
    #expect(
      lines.filter { $0.hasPrefix("model") } == [
        "model insertion [1]", "model removal [0]", "model insertion [2]", "model removal [0]", "model replacement [0]",
        "model setting []",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.14: when the model is deallocated, the content remains")
  func death() throws {
    var shelf: Shelf? = Shelf([a, b])
    if let shelf { try list.bindContent(to: "tunes", of: shelf) }
    shelf = nil
    #expect(list.content.map(\.title) == ["a", "b"])
    try list.add(c)
    #expect(list.content.count == 3)
  }

  @Test("CTR.1: a controller retains its content only")
  func lifetimes() throws {
    weak var weakList: KVArrayController<Tune>?
    weak var weakShelf: Shelf?
    do {
      let shelf = Shelf([a])
      let list = KVArrayController { Tune() }
      list.automaticallyRearrangesObjects = true
      list.sortDescriptors = ["rank"]
      try list.bindContent(to: "tunes", of: shelf)
      (weakList, weakShelf) = (list, shelf)
      try list.add(b)
    }
    #expect(weakList == nil && weakShelf == nil)
    a.rank = 5
  }

  private func observations(_ tune: Tune) -> [KVObservationInfo] { KVDiagnostics.observations(of: tune) }

  @Test("CTR.45: elements are observed for automatic rearrangement only")
  func observed() throws {
    list.content = [a, b, a]
    list.sortDescriptors = ["rank"]
    #expect(observations(a).isEmpty)
    list.automaticallyRearrangesObjects = true
    #expect(observations(a).count == 1)
    try list.remove(at: [0])
    a.rank = 9
    #expect(list.arrangedObjects.map(\.title) == ["b", "a"])
    try list.remove(a)
    #expect(observations(a).isEmpty && !observations(b).isEmpty)
    list.automaticallyRearrangesObjects = false
    #expect(observations(b).isEmpty)
  }

  @Test("CTR.14: an array of values")
  func values() throws {
    let texts = KVArrayController<String>()
    let shelf = Shelf()
    shelf.names = ["x", "y"]
    try texts.bindContent(to: "names", of: shelf)
    try texts.insert("z", at: 0)
    #expect(shelf.names == ["z", "x", "y"])
    try texts.remove("x")
    #expect(shelf.names == ["z", "y"])
  }
}
