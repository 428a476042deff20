import KVControllers
import Testing

/// Paths through the arrays of a controller that are first observed while it changes (CTR.6, 12).
@Suite struct ArrayMappedKeyTests {
  private let list = KVArrayController { Tune() }
  private let tunes = ["a", "b", "c", "d"].enumerated().map { Tune($1, rank: $0) }

  init() { list.content = tunes }

  /// A copy of the titles that follows the records of a path.
  private final class Copy {
    var titles: [String]
    var lines: [String] = []
    private(set) var token: KVObservation?

    init(_ list: KVArrayController<Tune>, _ path: String = "arrangedObjects.title", isApplied: Bool = true) throws {
      titles = try list.value(forKeyPath: path) as? [String] ?? []
      token = try list.observe(path, options: [.old, .new]) { [unowned self] change in
        let (old, new) = (change.old as? [Any?] ?? [], (change.new as? [Any?] ?? []).map { $0 as? String ?? "-" })
        let indexes = change.indexes ?? []
        lines.append("\(change.kind) \(indexes) \(old.map { $0 as? String ?? "-" }.joined()) \(new.joined())")
        if !isApplied { return }
        switch change.kind {
        case .setting: titles = new
        case .insertion: for (index, title) in zip(indexes, new) { titles.insert(title, at: index) }
        case .removal: for index in indexes.reversed() { titles.remove(at: index) }
        case .replacement: for (index, title) in zip(indexes, new) { titles[index] = title }
        }
      }
    }
  }

  @Test("CTR.12: first observed inside update { }", arguments: ["arrangedObjects", "content", "selectedObjects"])
  func insideUpdate(_ collection: String) throws {
    list.selectionIndexes = [0, 3]
    var copy: Copy?
    try list.update {
      try list.remove(at: [0, 1])
      copy = try Copy(list, collection + ".title")
      try list.insert(Tune("x"), at: 0)
      list.selectionIndexes = [0, 2]
    }
    let expected = collection == "selectedObjects" ? ["x", "d"] : ["x", "c", "d"]
    #expect(copy?.titles == expected)
    try list.add(Tune("y"))
    list.arrangedObjects[2].title = "z"
    try list.remove(at: [0])
    #expect(copy?.titles == (try list.value(forKeyPath: collection + ".title") as? [String]))
    let (count, lines) = (copy?.lines.count ?? 0, copy?.lines ?? [])
    #expect(count <= 4, "\(lines)")
  }

  @Test("CTR.12: first observed at the begin of update { }, it notifies by index")
  func beforeEdits() throws {
    var copy: Copy?
    try list.update {
      copy = try Copy(list)
      try list.remove(at: [0])
    }
    #expect(copy?.lines == ["removal [0] a "])
  }

  @Test("CTR.12: first observed in update { } whose edits cancel each other")
  func cancelled() throws {
    var copy: Copy?
    try list.update {
      try list.insert(Tune("x"), at: 0)
      copy = try Copy(list)
      try list.remove(at: [0])
    }
    try list.remove(at: [3])
    tunes[2].title = "z"
    #expect(copy?.lines.suffix(2) == ["removal [3] d ", "replacement [2] c z"])
  }

  @Test("CTR.12: first observed in a handler of a prior record", arguments: [false, true])
  func prior(_ isCombined: Bool) throws {
    var copy: Copy?
    let token = try list.observe("arrangedObjects", options: [.prior]) { [list] change in
      // The update has begun without the observer.
      if change.isPrior, copy == nil { copy = try? Copy(list, isApplied: false) }
    }
    if isCombined {
      try list.update {
        try list.insert(Tune("x"), at: 0)
        try list.remove(at: [1, 2, 3])
      }
    } else {
      try list.remove(at: [0, 1])
    }
    tunes[3].title = "z"
    try list.insert(Tune("y"), at: 1)
    let last = list.arrangedObjects.count == 3 && !isCombined ? ["replacement [1] d z", "insertion [1]  y"] : []
    #expect(isCombined || copy?.lines.suffix(2) == last[...], "\(copy?.lines ?? [])")
    try list.remove(at: [0])
    #expect(copy?.lines.count ?? 0 >= 3)
    token.cancel()
  }

  @Test("CTR.6, 12: a change that moves an element notifies of its key as the array does, in one update")
  func automatic() throws {
    list.sortDescriptors = ["title"]
    list.automaticallyRearrangesObjects = true
    let copy = try Copy(list)
    let content = try Copy(list, "content.title")
    let ranks = try Copy(list, "arrangedObjects.rank", isApplied: false)
    var calls = 0
    let token = try list.observe("selectionIndexes") { _ in calls += 1 }
    list.selectionIndexes = [0]
    calls = 0
    tunes[0].title = "bb"
    #expect(copy.lines == ["removal [0] a ", "insertion [1]  bb"])
    #expect(content.lines == ["replacement [0] a bb"])
    #expect(ranks.lines.count == 2)
    #expect(calls == 1)
    tunes[0].title = "bbb"
    #expect(copy.lines.count == 3 && copy.lines.last == "replacement [1] bb bbb")
    #expect(content.lines.count == 2)
    tunes[0].rank = 7
    #expect(copy.lines.count == 3 && ranks.lines.count == 3)
    list.sortDescriptors = ["rank"]
    tunes[0].title = "c"
    #expect(copy.lines.last == "replacement [3] bbb c")
    #expect(copy.lines.filter { $0.hasPrefix("setting") }.count == 1)
    list.automaticallyRearrangesObjects = false
    tunes[0].rank = 0
    tunes[1].title = "x"
    #expect(ranks.lines.last == "replacement [3] - -" && copy.lines.last == "replacement [0] b x")
    token.cancel()
  }

  @Test("CTR.6, 12: in update { } the key notifies of one setting")
  func automaticInUpdate() throws {
    list.sortDescriptors = ["title"]
    list.automaticallyRearrangesObjects = true
    let copy = try Copy(list)
    list.update {
      tunes[0].title = "x"
      tunes[1].title = "y"
    }
    #expect(copy.lines == ["setting [] abcd cdxy"])
    try list.add(Tune("z"))
    #expect(copy.titles == ["c", "d", "x", "y", "z"])
  }

  @Test(
    "CTR.8, CTR.12: the old values are those before update { }, although the elements have others since",
    arguments: ["arrangedObjects", "content", "selectedObjects"])
  func oldValuesOfUpdate(_ collection: String) throws {
    list.selectionIndexes = [0, 1, 2, 3]
    let copy = try Copy(list, collection + ".title")
    list.update {
      tunes[0].title = "x"
      tunes[0].title = "y"
    }
    #expect(copy.lines == ["setting [] abcd ybcd"])
    try list.update {
      tunes[1].title = "z"
      list.content = [tunes[2], tunes[1]]
      _ = try list.select(contentsOf: [tunes[2], tunes[1]])
    }
    #expect(copy.lines.dropFirst() == ["setting [] ybcd cz"])
  }

  @Test("CTR.12: a bound column reads O(n) values for n insertions")
  func boundColumn() throws {
    let list = KVArrayController<CountedRow>()
    let label: KVRecord = ["names": [String]()]
    let binding = try label.bind("names", to: "arrangedObjects.name", of: list)
    let rows = (0..<20).map { _ in CountedRow() }
    for row in rows { try list.add(row) }
    #expect((label.names as? [String])?.count == 20)
    #expect(rows.reduce(0) { $0 + $1.reads } <= 3 * rows.count)
    binding.cancel()
  }

  @Test("CTR.12: a value is read once when its element is inserted, also by an assignment")
  func assignedColumn() throws {
    let list = KVArrayController<CountedRow>()
    let token = try list.observe("arrangedObjects.name") { _ in }
    let rows = (0..<3).map { _ in CountedRow() }
    list.content = rows
    #expect(rows.map(\.reads) == [1, 1, 1])
    let inserted = CountedRow()
    try list.add(inserted)
    #expect(inserted.reads == 1)
    token.cancel()
  }
}

extension ArrayMappedKeyTests {
  @Test(
    "CTR.12: a change inside an object that occurs twice is a replacement at both indexes", arguments: [false, true])
  func twice(isAutomatic: Bool) throws {
    list.sortDescriptors = [.descending("title")]
    list.automaticallyRearrangesObjects = isAutomatic
    try list.add(tunes[1])
    list.filterPredicate = "title != 'd'"
    // Arranged are c, b, b, a; the content is a, b, c, d, b.
    list.selectionIndexes = [0, 2]
    let copies = try ["content", "arrangedObjects", "selectedObjects"].map {
      try Copy(list, $0 + ".rank", isApplied: false)
    }
    tunes[1].rank = 7
    #expect(copies.map(\.lines.count) == [1, 1, 1])
    #expect(copies[0].lines.first?.hasPrefix("replacement [1, 4]") == true)
    #expect(copies[1].lines.first?.hasPrefix("replacement [1, 2]") == true)
    #expect(copies[2].lines.first?.hasPrefix("replacement [1]") == true)
    tunes[3].rank = 8
    #expect(copies.map(\.lines.count) == [2, 1, 1])
    #expect(copies[0].lines.last?.hasPrefix("replacement [3]") == true)
  }

  @Test("CTR.8, CTR.12: the old values are those before an update that changes what is observed for the arrangement")
  func othersObserved() throws {
    list.automaticallyRearrangesObjects = true
    list.sortDescriptors = ["title"]
    let copy = try Copy(list)
    list.update {
      tunes[0].title = "x"
      list.content = [tunes[2], tunes[0]]
      list.sortDescriptors = ["rank"]
    }
    #expect(copy.lines == ["setting [] abcd xc"])
  }
}

private final class CountedRow: KVObject {
  @KVProperty private var stored = "a"
  private(set) var reads = 0
  var name: String {
    reads += 1
    return stored
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedRow.self) { key in
      key("name", \.name).affected(by: "stored")
    }
  }
}
