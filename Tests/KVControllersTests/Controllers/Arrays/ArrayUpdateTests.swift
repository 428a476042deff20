import KVControllers
import KVTestSupport
import Testing

/// The updates of array controllers, and how keys notify (CTR.6–12).
@Suite struct ArrayUpdateTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 1)
  private let b = Tune("b", rank: 2)
  private let c = Tune("c", rank: 3)

  init() { list.content = [a, b, c] }

  private func lines(_ keys: [String], options: KVObservingOptions = [.old, .new], _ body: () throws -> Void) throws
    -> [String]
  {
    var lines: [String] = []
    let tokens = try keys.map { key in
      try list.observe(key, options: options) { change in
        let indexes = change.indexes.map { " at \($0)" } ?? ""
        lines.append("\(key) \(change.isPrior ? "prior " : "")\(change.kind)\(indexes)")
      }
    }
    try body()
    withExtendedLifetime(tokens) {}
    return lines
  }

  @Test("CTR.6: update { } combines all changes into one, also if the body throws")
  func combined() throws {
    struct Failure: Error {}
    list.selectionIndexes = [1]
    let lines = try lines(["content", "arrangedObjects", "sortDescriptors", "filterPredicate", "selectionIndexes"]) {
      #expect(throws: Failure.self) {
        try list.update {
          list.sortDescriptors = [.descending("rank")]
          list.filterPredicate = "rank > 1"
          try list.add(Tune("d", rank: 4))
          throw Failure()
        }
      }
    }
    #expect(
      lines == [
        "content insertion at [3]", "arrangedObjects setting", "sortDescriptors setting", "filterPredicate setting",
        "selectionIndexes setting",
      ])
    #expect(list.filterPredicate == nil)
    #expect(list.arrangedObjects.map(\.title) == ["c", "b", "a", "d"])
  }

  @Test("CTR.10, 11: an update that removes what it has put in place of all others is a removal")
  func replacedAndRemoved() throws {
    let shelf = Shelf([a])
    try list.bindContent(to: "tunes", of: shelf)
    let lines = try lines(["arrangedObjects"]) {
      try list.update {
        try shelf.mutableArray(forKey: "tunes").replace(at: [0], with: [b])
        try list.remove(b)
      }
    }
    #expect(lines == ["arrangedObjects removal at [0]"])
    #expect(list.arrangedObjects.isEmpty && shelf.tunes.isEmpty)
  }

  @Test("CTR.6, 10: edits of one update are one removal and one insertion")
  func composed() throws {
    var states: [String] = []
    let token = try list.observe("arrangedObjects") { [list] _ in
      states.append(list.arrangedObjects.map(\.title).joined() + " \(list.selectionIndexes)")
    }
    list.selectionIndexes = [1]
    let lines = try lines(["arrangedObjects", "content", "canSelectNext"]) {
      try list.update {
        try list.insert(Tune("x"), at: 0)
        try list.remove(at: [1])
        try list.add(Tune("y"))
        try list.select(b)
      }
    }
    #expect(
      lines == ["arrangedObjects removal at [0]", "arrangedObjects insertion at [0, 3]", "content setting"])
    #expect(states == ["bc [0]", "xbcy [1]"])
    token.cancel()
  }

  @Test("CTR.7: a change by a handler is a separate update, delivered completely first")
  func nested() throws {
    var lines: [String] = []
    let first = try list.observe("arrangedObjects") { [list] change in
      lines.append("first \(change.kind) \(list.arrangedObjects.count)")
      if list.arrangedObjects.count == 4 { try? list.remove(at: [0]) }
    }
    let second = try list.observe("selectionIndexes") { [list] change in
      lines.append("second \(list.selectionIndexes)")
    }
    try list.add(Tune("d"))
    #expect(lines == ["first insertion 4", "first removal 3", "second [2]", "second [2]"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("CTR.8: prior records precede all others, in the order of registration")
  func prior() throws {
    var before: [String] = []
    let token = try list.observe("content", options: [.prior, .old]) { [list] change in
      if change.isPrior { before.append(list.arrangedObjects.map(\.title).joined()) }
    }
    let lines = try lines(["selectedObjects", "arrangedObjects", "content"], options: [.prior, .old, .new]) {
      try list.add(Tune("d"))
    }
    #expect(
      lines == [
        "selectedObjects prior setting", "arrangedObjects prior insertion at [3]", "content prior insertion at [3]",
        "selectedObjects setting", "arrangedObjects insertion at [3]", "content insertion at [3]",
      ])
    #expect(before == ["abc"])
    token.cancel()
  }

  @Test("CTR.9: content notifies with its kind of change")
  func kinds() throws {
    let view = list.mutableArray(forKey: "content")
    let lines = try lines(["content", "arrangedObjects"]) {
      try view.insert([Tune("d")], at: [1])
      try view.remove(at: [0])
      try view.replace(at: [1], with: [Tune("e")])
      list.content = [a]
    }
    #expect(
      lines == [
        "content insertion at [1]", "arrangedObjects insertion at [1]", "content removal at [0]",
        "arrangedObjects removal at [0]", "content replacement at [1]", "arrangedObjects replacement at [1]",
        "content setting", "arrangedObjects setting",
      ])
  }

  @Test("CTR.9, CTR.11: edits of one update that replace all objects are one replacement of the content")
  func replaced() throws {
    let lines = try lines(["content", "arrangedObjects"]) {
      try list.update {
        try list.remove(at: [0, 1, 2])
        try list.add(contentsOf: [Tune("d"), Tune("e"), Tune("f")])
      }
    }
    #expect(lines == ["content replacement at [0, 1, 2]", "arrangedObjects setting"])
  }

  @Test("CTR.11: a setting if a key was assigned, the order changed, or no object remains")
  func settings() throws {
    let lines = try lines(["arrangedObjects"]) {
      list.sortDescriptors = ["rank"]
      list.rearrangeObjects()
      a.rank = 9
      list.rearrangeObjects()
      list.filterPredicate = "rank == 9"
      list.filterPredicate = "rank == 2"
      list.filterPredicate = "rank < 9"
    }
    #expect(
      lines == [
        "arrangedObjects setting", "arrangedObjects setting", "arrangedObjects removal at [0, 1]",
        "arrangedObjects setting", "arrangedObjects insertion at [1]",
      ])
  }

  @Test("KVO.18: an operator behind arrangedObjects notifies of changes inside elements")
  func operators() throws {
    var sums: [Int?] = []
    let token = try list.observe("arrangedObjects.@sum.rank", as: Int.self) { sums.append($0.new) }
    a.rank = 10
    try list.remove(at: [1])
    list.filterPredicate = "rank > 5"
    #expect(sums == [15, 13, 10])
    sums = []
    let d = Tune("d", rank: 20)
    try list.add(d)
    d.rank = 30
    try list.remove(a)
    a.rank = 99
    #expect(sums == [33, 43, 33])
    token.cancel()
  }

  @Test("CTR.12: paths through an array have its kinds and indexes, with the values of the key")
  func mapped() throws {
    var lines: [String] = []
    let token = try list.observe("arrangedObjects.title") { change in
      let old = (change.old as? [Any?])?.map { $0 as? String ?? "-" }.joined() ?? "nil"
      let new = (change.new as? [Any?])?.map { $0 as? String ?? "-" }.joined() ?? "nil"
      lines.append("\(change.kind) \(change.indexes ?? []) \(old) \(new)")
    }
    try list.insert(Tune("d", rank: 9), at: 1)
    try list.remove(at: [0])
    list.arrangedObjects[0].title = "e"
    a.title = "x"
    list.sortDescriptors = [.descending("rank")]
    list.filterPredicate = "rank > 2"
    try list.update {
      try list.remove(at: [0])
      try list.add(Tune("f", rank: 3))
    }
    #expect(
      lines == [
        "insertion [1] nil d", "removal [0] a nil", "replacement [0] d e", "setting [] ebc ecb", "removal [2] b nil",
        "removal [0] e nil", "insertion [1, 2] nil bf",
      ])
    #expect(KVDiagnostics.observations(of: c).count == 1)
    try list.remove(c)
    #expect(KVDiagnostics.observations(of: c).isEmpty, "CTR.40: it has left the array")
    token.cancel()
    #expect(KVDiagnostics.observations(of: c).isEmpty)
  }

  @Test("CTR.12: a path through the selected objects can be bound")
  func mappedSelection() throws {
    let texts = Shelf()
    try texts.bind("names", to: "selectedObjects.title", of: list)
    #expect(texts.names == ["a"])
    list.selectionIndexes = [1, 2]
    #expect(texts.names == ["b", "c"])
    b.title = "x"
    #expect(texts.names == ["x", "c"])
  }
}
