import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND trees")
struct UndoTreeTests {
  private let root = UndoPart("root", UndoPart("a", UndoPart("b")), UndoPart("c"))
  private let undo = KVUndoManager()
  private var a: UndoPart { root.parts[0] }

  private func isRecorded(_ object: some KVObservable) -> Bool { !KVDiagnostics.observations(of: object).isEmpty }

  @Test("UND.16: objects of all levels are recorded, those that come later when they come")
  func levels() throws {
    try undo.record(tree: root, relationships: ["parts"])
    a.parts[0].name = "B"
    let added = UndoPart("d", UndoPart("e"))
    added.name = "outside"
    try a.parts[0].list.append(added)
    added.parts[0].name = "E"
    added.parts = []
    root.name = "Root"
    #expect(undo.undoCount == 5)
    while try undo.undo() {}
    #expect(root.name == "root" && a.parts[0].name == "b" && a.parts[0].parts.isEmpty)
    while try undo.redo() {}
    #expect(root.name == "Root" && a.parts[0].name == "B" && added.parts.isEmpty && a.parts[0].parts == [added])
  }

  @Test("UND.16: objects are recorded until the end of the step in which they leave, with all below them")
  func leaving() throws {
    try undo.record(tree: root, relationships: ["parts"])
    let (part, below) = (a, a.parts[0])
    undo.group {
      try? root.list.remove(at: 0)
      below.name = "B"
      below.parts = [UndoPart("late")]
      below.parts[0].name = "LATE"
    }
    #expect(!isRecorded(part) && !isRecorded(below) && !isRecorded(below.parts[0]) && undo.undoCount == 1)
    below.name = "outside"
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(a === part && below.name == "b" && below.parts.isEmpty && isRecorded(below))
    below.name = "again"
    #expect(undo.undoCount == 1)
  }

  @Test("UND.16: the objects that a step has removed live as long as the step")
  func retained() throws {
    try undo.record(tree: root, relationships: ["parts"])
    weak var below: UndoPart?
    below = a.parts[0]
    try root.list.remove(at: 0)
    #expect(below != nil)
    try undo.undo()
    #expect(a.parts[0] === below)
    try undo.redo()
    undo.removeAll()
    #expect(below == nil)
  }

  @Test("UND.16: a move to another parent is one step in a group, whichever edit is first", arguments: [false, true])
  func moves(insertsFirst: Bool) throws {
    try undo.record(tree: root, relationships: ["parts"])
    let (from, part, to) = (a, a.parts[0], root.parts[1])
    part.parts = [UndoPart("below")]
    undo.removeAll()
    try undo.group("Move") {
      if insertsFirst { try to.list.append(part) }
      try from.list.remove(at: 0)
      part.name = "moved"
      if !insertsFirst { try to.list.append(part) }
    }
    part.parts[0].name = "edited"
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(from.parts == [part] && to.parts.isEmpty && part.name == "b" && part.parts[0].name == "below")
    while try undo.redo() {}
    #expect(from.parts.isEmpty && to.parts == [part] && part.parts[0].name == "edited")
    part.parts[0].name = "once more"
    #expect(undo.undoCount == 3)
  }

  @Test("UND.16: an object that several relations lead to is recorded once, until the last one is gone")
  func shared() throws {
    let shared = UndoPart("shared", UndoPart("below"))
    a.cover = shared
    root.cover = shared
    root.parts[1].parts = [shared, shared]
    try undo.record(tree: root, relationships: ["parts", "cover"])
    shared.name = "S"
    shared.parts[0].name = "B"
    #expect(undo.undoCount == 2)
    root.cover = nil
    a.cover = nil
    root.parts[1].parts = [shared]
    shared.parts[0].name = "C"
    #expect(undo.undoCount == 6 && isRecorded(shared))
    root.parts[1].parts = []
    #expect(!isRecorded(shared) && !isRecorded(shared.parts[0]))
    for _ in 0..<7 { try undo.undo() }
    #expect(shared.name == "shared" && root.cover === shared && isRecorded(shared.parts[0]))
  }

  @Test("UND.16: cycles end, and leave as a whole")
  func cycles() throws {
    let (first, second) = (UndoPart("first"), UndoPart("second"))
    first.parts = [second, root]
    second.parts = [first]
    second.cover = second
    root.parts.append(first)
    try undo.record(tree: root, relationships: ["parts", "cover"])
    second.name = "S"
    #expect(undo.undoCount == 1)
    a.cover = second
    root.parts.removeLast()
    // By the cover of the first part.
    #expect(isRecorded(first) && isRecorded(second))
    first.name = "F"
    #expect(undo.undoCount == 4)
    a.cover = nil
    #expect(!isRecorded(first) && !isRecorded(second))
    for _ in 0..<2 { try undo.undo() }
    #expect(isRecorded(first) && isRecorded(second) && first.name == "first")
    // So that nothing remains.
    (first.parts, second.parts, second.cover) = ([], [], nil)
  }

  @Test("UND.16: a step that takes several connected objects out keeps what another way leads to")
  func connected() throws {
    let parts = (0..<6).map { UndoPart("\($0)") }
    root.parts = [parts[0], parts[1]]
    parts[0].parts = [parts[2], parts[3]]
    parts[2].parts = [parts[4]]
    parts[4].parts = [parts[2], parts[5]]
    parts[1].cover = parts[4]
    try undo.record(tree: root, relationships: ["parts", "cover"])
    undo.group {
      parts[0].parts = []
      root.parts.removeFirst()
    }
    #expect(parts.map { isRecorded($0) } == [false, true, true, false, true, true])
    undo.group {
      parts[1].cover = nil
      root.cover = parts[5]
    }
    #expect(parts.map { isRecorded($0) } == [false, true, false, false, false, true])
    while try undo.undo() {}
    #expect(parts.allSatisfy { isRecorded($0) })
    parts[4].parts = []
  }

  @Test("UND.16: dictionaries, values with a table, arrays of arrays and constants lead to objects as well")
  func values() throws {
    root.pages = ["1": UndoPart("page")]
    root.layout.header = UndoPart("header")
    try undo.record(tree: root, relationships: UndoPart.relationships)
    root.pages["1"]?.name = "P"
    root.layout.header?.name = "H"
    root.style.color = "red"
    let (page, header) = (UndoPart("page 2"), UndoPart("header 2"))
    root.pages["2"] = page
    page.name = "P2"
    root.layout.header = header
    header.parts = [UndoPart("below")]
    header.parts[0].style.color = "blue"
    #expect(undo.undoCount == 8)
    while try undo.undo() {}
    #expect(root.pages["1"]?.name == "page" && root.pages.count == 1 && root.layout.header?.name == "header")
    #expect(root.style.color == "black" && header.parts.isEmpty && !isRecorded(page) && !isRecorded(header))
    while try undo.redo() {}
    #expect(root.pages["2"]?.name == "P2" && header.parts[0].style.color == "blue")
    root.layout.margin = 3
    header.name = "H2"
    root.layout.header = nil
    #expect(!isRecorded(header) && undo.undoCount == 11)
  }

  @Test("UND.16: arrays in arrays are followed")
  func nested() throws {
    let grid = UndoGrid()
    let (first, second) = (UndoPart("1"), UndoPart("2"))
    grid.rows = [[first], [second, first]]
    try undo.record(tree: grid, relationships: ["rows"])
    try grid.mutableArray(forKey: "rows").remove(at: 1)
    #expect(isRecorded(first) && !isRecorded(second))
    try grid.mutableArray(forKey: "rows").append([second])
    second.name = "B"
    #expect(undo.undoCount == 3)
    while try undo.undo() {}
    #expect(grid.rows == [[first], [second, first]] && second.name == "2" && isRecorded(second))
  }

  @Test("UND.16: stopRecording ends the tree of its root; what other calls record is recorded further")
  func stopping() throws {
    try undo.record(tree: root, relationships: ["parts"])
    try undo.record(tree: root, relationships: ["parts"])
    try undo.record(tree: a, relationships: ["parts"])
    let below = a.parts[0]
    undo.stopRecording(root)
    #expect(!isRecorded(root) && !isRecorded(root.parts[1]) && isRecorded(below))
    below.name = "B"
    #expect(undo.undoCount == 1)
    undo.group {
      a.parts = []
      undo.stopRecording(a)
      #expect(!isRecorded(below))
    }
    #expect(!isRecorded(a))
  }

  @Test("UND.12, UND.16: a tree ends with its root, and retains nothing")
  func lifetimes() throws {
    weak var dead: UndoPart?
    let part = UndoPart("part", UndoPart("below"))
    do {
      let root = UndoPart("root", part)
      dead = root
      try undo.record(tree: root, relationships: ["parts"])
      part.name = "P"
    }
    #expect(dead == nil)
    #expect(undo.undoCount == 1)
    part.parts[0].name = "B"
    #expect(undo.undoCount == 1 && !isRecorded(part) && !isRecorded(part.parts[0]))
    weak var manager: KVUndoManager?
    do {
      let undo = KVUndoManager()
      manager = undo
      try undo.record(tree: root, relationships: ["parts"])
    }
    #expect(manager == nil && !isRecorded(root) && !isRecorded(a.parts[0]))
  }

  @Test("UND.16: a tree may be as deep as it likes")
  func deep() {
    let error = SmallStack.error(kilobytes: 128) {
      let undo = KVUndoManager()
      let parts = (0..<1_000).map { UndoPart("\($0)") }
      for (part, next) in zip(parts, parts.dropFirst()) { part.cover = next }
      try undo.record(tree: parts[0], relationships: ["cover"])
      parts[999].name = "end"
      parts[0].cover = nil
      #expect(KVDiagnostics.observations(of: parts[999]).isEmpty && undo.undoCount == 2)
      try undo.undo()
      #expect(!KVDiagnostics.observations(of: parts[999]).isEmpty)
      undo.removeAll()
      for part in parts { part.cover = nil }
    }
    #expect(error == nil)
  }

  @Test(
    "UND.4, UND.8, UND.16: a failed transaction leaves no step of an object that it wrote before the object was recorded",
    arguments: [true, false])
  func failedTransaction(isRecording: Bool) throws {
    try undo.record(tree: root, relationships: ["parts"])
    root.name = "x"
    try undo.undo()
    undo.markSaved()
    let added = UndoPart()
    func change() throws {
      try added.setValue("added", forKey: "name")
      try root.list.insert(added, at: 0)
      try added.setValue("again", forKey: "name")
      throw CancellationError()
    }
    #expect(throws: CancellationError.self) {
      if isRecording {
        try KVTransaction.run(change)
      } else {
        try undo.withoutRecording { try KVTransaction.run(change) }
      }
    }
    #expect(added.name.isEmpty && root.parts.count == 2)
    #expect(undo.undoCount == 0 && undo.redoCount == 1 && !undo.hasUnsavedChanges)
  }

  @Test("UND.4: what a handler of the reversal changes stays a step, although nothing was recorded of it before")
  func handlerOfReversal() throws {
    try undo.record(tree: root, relationships: ["parts"])
    let other = a
    let token = try root.observe("name") { [root] _ in if root.name == "root" { other.name = "told" } }
    #expect(throws: CancellationError.self) {
      try KVTransaction.run {
        try root.setValue("x", forKey: "name")
        throw CancellationError()
      }
    }
    token.cancel()
    #expect(other.name == "told" && undo.undoCount == 1)
    try undo.undo()
    #expect(other.name == "a" && root.name == "root")
  }

  // MARK: Errors

  @Test("UND.16: a key path is no relationship, beside others as well")
  func keyPaths() throws {
    for name in ["parts.cover", "cover.parts"] {
      let error = #expect(throws: KVError.self) {
        try undo.record(tree: root, relationships: ["parts", name])
      }
      let keys = name.split(separator: ".")
      #expect(
        error?.message
          == """
          the relationship "\(name)" of a tree is a key path. A relationship is the name of one key, which is followed from \
          each object that has it: relationships: ["\(keys[0])", "\(keys[1])"].
          """)
    }
    for name in ["parts[0]", "parts.@count", "parts..cover", ""] {
      #expect(throws: KVError.self) { try undo.record(tree: root, relationships: ["parts", name]) }
    }
    #expect(!isRecorded(root))
  }

  @Test("UND.16: the first relationships must be keys of the root")
  func undefined() throws {
    let typo = #expect(throws: KVError.self) { try undo.record(tree: root, relationships: ["prats"]) }
    #expect(typo?.code == .undefinedKey && typo?.suggestion == "parts")
    let none = #expect(throws: KVError.self) { try undo.record(tree: root) }
    #expect(none?.code == .unsupported)
    #expect(
      none?.message
        == """
        the list of relationships of UndoPart is empty: the tree would be the root alone. Name the keys that lead to other \
        objects, or record the root by record(_:).
        """)
    #expect(!isRecorded(root))
  }

  @Test("UND.16: a relationship that looks like a mistyped key of an object is named in a warning")
  func mistyped() throws {
    let events = try capturingEvents {
      try undo.record(tree: root, relationships: ["children", "covr", "colour"])
      try undo.record(tree: root, relationships: ["parts", "cover"])
    }.about(root)
    #expect(
      events.map(\.message) == [
        """
        no object of the tree has a relationship "covr", but UndoPart has a key "cover", through which the tree does not \
        lead. If that is meant, name it: relationships: ["cover"].
        """
      ])
  }

  @Test("UND.16: an object whose changes cannot be observed ends the call, and is reported if it comes later")
  func notObservable() throws {
    let mixed = UndoMixed()
    mixed.item = UndoPlain()
    let error = #expect(throws: KVError.self) { try undo.record(tree: mixed, relationships: ["item"]) }
    #expect(error?.code == .notObservable)
    #expect(
      error?.message
        == """
        a value of "item" is a UndoPlain, whose changes cannot be observed. Record the key "item" only, by \
        record(_:keys:).
        """)
    #expect(!isRecorded(mixed))
    mixed.item = 7
    try undo.record(tree: mixed, relationships: ["item"])
    let events = capturingEvents { mixed.item = UndoPlain() }.about(mixed)
    #expect(events.map(\.topic) == [.undo] && events[0].message.hasPrefix("recording the objects of \"item\": a value"))
    mixed.item = root
    root.name = "R"
    #expect(undo.undoCount == 3)
    let fixed = #expect(throws: KVError.self) { try undo.record(tree: mixed, relationships: ["item", "first"]) }
    #expect(fixed?.code == .notSettable)
  }

  // MARK: Costs

  @Test("UND.15, UND.16: an edit, its undo and a move read no other objects of the tree")
  func reads() throws {
    func counts(_ size: Int) throws -> [Int] {
      let reads = UndoReads()
      let parts = (0..<size).map { _ in UndoCounted(reads, (0..<10).map { _ in UndoCounted(reads) }) }
      let root = UndoCounted(reads, parts)
      let undo = KVUndoManager()
      try undo.record(tree: root, relationships: ["parts"])
      return [
        try reads.during { try parts[1].setValue("x", forKey: "name") },
        try reads.during { try undo.undo() },
        try reads.during {
          try undo.group {
            let part = parts[1].stored[0]
            try parts[1].mutableArray(forKey: "parts").remove(at: 0)
            try parts[2].mutableArray(forKey: "parts").append(part)
          }
        },
        try reads.during { try undo.undo() }, try reads.during { try undo.redo() },
        try reads.during { try root.mutableArray(forKey: "parts").remove(at: 0) },
        try reads.during { try undo.undo() },
      ]
    }
    let (few, many) = (try counts(10), try counts(300))
    #expect(few == many && few[6] > 0, "\(few) \(many)")
  }

  @Test("UND.15, UND.16: a step retains what it has changed, and of a removed tree only the top")
  func stepSize() throws {
    try undo.record(tree: root, relationships: ["parts"])
    weak var below: UndoPart?
    below = a.parts[0]
    let part = a
    try root.list.remove(at: 0)
    part.parts = []
    #expect(below == nil)
  }
}

/// A part that counts how often its parts are read by key.
private final class UndoCounted: KVObject {
  private let reads: UndoReads
  fileprivate var stored: [UndoCounted]
  private var storedName = ""

  init(_ reads: UndoReads, _ parts: [UndoCounted] = []) { (self.reads, stored) = (reads, parts) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoCounted.self) { key in
      key(
        "parts",
        { (part: UndoCounted) in
          part.reads.count += 1
          return part.stored
        }, set: { $0.stored = $1 })
      key(
        "name",
        { (part: UndoCounted) in
          part.reads.count += 1
          return part.storedName
        }, set: { $0.storedName = $1 })
    }
  }
}

private final class UndoGrid: KVObject {
  @KVProperty var rows: [[UndoPart]] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoGrid.self) { key in key("rows", \.rows) }
  }
}

private final class UndoPlain {}

private final class UndoMixed: KVObject {
  @KVProperty var item: Any?
  @KVProperty private(set) var first: UndoPart?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoMixed.self) { key in
      key("item", \.item)
      key("first", { (mixed: UndoMixed) in mixed.first }).notifiesManually()
    }
  }
}
