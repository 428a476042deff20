import KVControllers
import Testing

/// What the indexes of handlers mean that change a controller in a half-delivered update (CTR.7).
@Suite struct ArrayReentryIndexTests {
  private let list = KVArrayController { Tune() }
  private let tunes = ["a", "b", "c", "d"].enumerated().map { Tune($1, rank: $0) }

  init() { list.content = tunes }

  private var titles: String { list.content.map(\.title).joined() }

  /// Calls a function once, in the first record of a key that satisfies a condition.
  private func once(
    _ key: String, _ isWanted: @escaping (KVChange) -> Bool = { $0.isPrior }, _ body: @escaping () throws -> Void
  ) throws -> KVObservation {
    var isDone = false
    return try list.observe(key, options: [.prior, .old, .new]) { change in
      if isDone || !isWanted(change) { return }
      isDone = true
      do { try body() } catch { Issue.record(error) }
    }
  }

  @Test("CTR.7: a handler of a prior record removes what it reads at the index")
  func removing() throws {
    let token = try once("arrangedObjects") { [list] in
      #expect(list.arrangedObjects[1].title == "b")
      try list.remove(at: [1, 3])
    }
    try list.insert(Tune("x"), at: 0)
    #expect(titles == "xac")
    token.cancel()
  }

  @Test("CTR.7: what has left the content meanwhile is not removed")
  func removed() throws {
    let token = try once("arrangedObjects") { [list] in try list.remove(at: [0, 3]) }
    try list.remove(at: [0, 1])
    #expect(titles == "c")
    token.cancel()
  }

  @Test("CTR.7: remove() removes the objects that the handler reads as selected")
  func removingSelected() throws {
    list.selectionIndexes = [1]
    let token = try once("selectionIndexes") { [list] in try list.remove() }
    list.selectionIndexes = [2]
    #expect(titles == "acd")
    token.cancel()
  }

  @Test("CTR.7: a handler of a prior record inserts before the object that it reads at the index")
  func inserting() throws {
    let token = try once("arrangedObjects") { [list] in
      try list.insert(contentsOf: [Tune("1"), Tune("2"), Tune("3")], at: [1, 3, 6])
    }
    try list.remove(at: [0, 1])
    #expect(titles == "12cd3")
    token.cancel()
  }

  @Test("CTR.7: handlers of the prior records of update { } as well")
  func combined() throws {
    let token = try once("arrangedObjects") { [list] in
      #expect(list.arrangedObjects.map(\.title) == ["a", "b", "c", "d"])
      try list.remove(at: [0])
      try list.insert(Tune("y"), at: 0)
    }
    try list.update {
      try list.insert(Tune("x"), at: 0)
      list.sortDescriptors = [.descending("rank")]
    }
    #expect(list.content.map(\.title).sorted().joined() == "bcdxy" && list.arrangedObjects.count == 5)
    token.cancel()
  }

  @Test("CTR.7, 11: a handler of the first of two records")
  func between() throws {
    list.automaticallyRearrangesObjects = true
    list.sortDescriptors = ["rank"]
    let token = try once("arrangedObjects", { $0.kind == .removal && !$0.isPrior }) { [list] in
      #expect(list.arrangedObjects.map(\.title) == ["b", "c", "d"])
      try list.remove(at: [2])
      #expect(list.arrangedObjects.map(\.title) == ["b", "a", "c"])
      list.selectionIndexes = [2]
    }
    tunes[0].rank = 2
    #expect(list.selectedObjects.map(\.title) == ["c"])
    token.cancel()
  }

  @Test("CTR.7: assigned indexes select the objects that the handler reads")
  func selecting() throws {
    let token = try once("arrangedObjects") { [list] in
      list.selectionIndexes = [1, 3]
      #expect(list.selectedObjects.map(\.title) == ["b", "d"])
      list.selectionIndex = 1
    }
    try list.insert(Tune("x"), at: 0)
    #expect(list.selectedObjects.map(\.title) == ["a"])
    token.cancel()
  }

  @Test("CTR.7: indexes of a view of content as well")
  func keyed() throws {
    let token = try once("content") { [list] in
      try list.mutableArray(forKey: "content").remove(at: [1])
      try list.mutableArray(forKey: "content").replace(at: [2], with: [Tune("y")])
    }
    try list.insert(Tune("x"), at: 0)
    #expect(titles == "xayd")
    token.cancel()
  }

  @Test("CTR.7, 36: values that are written through the selection replace those that the handler reads as selected")
  func writing() throws {
    let rows = KVArrayController<[String: Int]>()
    rows.content = [["n": 1], ["n": 2], ["n": 3]]
    rows.selectionIndexes = [1]
    var isDone = false
    let token = try rows.observe("arrangedObjects", options: [.prior]) { change in
      if isDone || !change.isPrior { return }
      isDone = true
      try? rows.setValue(9, forKeyPath: "selection.n")
    }
    try rows.insert(["n": 0], at: 0)
    #expect(rows.content == [["n": 0], ["n": 1], ["n": 9], ["n": 3]])
    token.cancel()
  }

  @Test("CTR.7, EDT.4: what a commit moves, or changes, is what the caller meant")
  func committing() throws {
    final class Field: KVObject, KVEditor {
      var commit: () throws -> Void = {}
      func commitEditing() throws { try commit() }
      func discardEditing() throws {}
    }
    let field = Field()
    list.automaticallyRearrangesObjects = true
    list.sortDescriptors = ["rank"]
    list.beginEditing(field)
    field.commit = { [tunes] in tunes[0].rank = 9 }
    try list.remove(at: [1])
    #expect(list.arrangedObjects.map(\.title) == ["c", "d", "a"])
    field.commit = { [tunes] in tunes[0].rank = 0 }
    list.selectionIndexes = [0]
    #expect(list.selectedObjects.map(\.title) == ["c"])
    let rows = KVArrayController<[String: Int]>()
    rows.content = [["n": 1], ["n": 2]]
    rows.beginEditing(field)
    field.commit = { try rows.setValue(7, forKeyPath: "selection.n") }
    try rows.remove(at: [0])
    #expect(rows.content == [["n": 2]])
  }
}
