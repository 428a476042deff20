import KVControllers
import KVCore
import Testing

@Suite("UND undoing against handlers and bindings, all or nothing")
struct UndoReplayTests {
  @Test("UND.5: handlers that change other recorded keys do not change what undo restores")
  func handlers() throws {
    let library = UndoLibrary("a", "b")
    let undo = KVUndoManager()
    try undo.record(library)
    var tokens = [
      try library.observe("name") { change in
        library.total = (change.new as? String ?? "").count
        try? library.mutableArray(forKey: "log").append(change.new as? String ?? "")
        try? library.mutableArray(forKey: "songs").insert(UndoSong("new"), at: 0)
      }
    ]
    library.total = 99
    library.name = "Work"
    library.total = 1
    library.volume = 9
    let before = UndoSnapshot(library)
    undo.group {
      try? library.list.remove(at: 1)
      library.name = "12345"
      library.log = []
      try? library.list.append(UndoSong("end"))
      library.name = "1234567"
    }
    let after = UndoSnapshot(library)
    tokens.append(try library.observe("songs") { _ in library.volume += 1 })
    tokens.append(
      try library.observe("volume") { _ in
        if library.log.count < 50 { try? library.mutableArray(forKey: "log").insert("x", at: 0) }
      })
    for _ in 0..<3 {
      try undo.undo()
      #expect(UndoSnapshot(library) == before)
      try undo.redo()
      #expect(UndoSnapshot(library) == after)
    }
    tokens.forEach { $0.cancel() }
  }

  @Test("UND.5: two keys that handlers and bindings compute from each other, with a loss")
  func lossy() throws {
    let (library, label) = (UndoLibrary(), UndoWidget())
    let undo = KVUndoManager()
    try undo.record(library)
    try undo.record(label)
    let binding = try label.bind(
      "title", to: "volume", of: library, transform: { (volume: Int) in "\(volume / 2 * 2)" },
      reverse: { (text: String) in Int(text) ?? 0 })
    #expect(library.volume == 5 && label.title == "4")
    undo.removeAll()
    label.title = "9"
    #expect(library.volume == 9)
    let states = [(5, "4"), (library.volume, label.title)]
    library.volume = 3
    #expect(label.title == "2" && undo.undoCount == 2)
    for _ in 0..<2 {
      try undo.undo()
      #expect((library.volume, label.title) == states[1])
      try undo.undo()
      #expect((library.volume, label.title) == states[0])
      try undo.redo()
      #expect((library.volume, label.title) == states[1])
      try undo.redo()
      #expect((library.volume, label.title) == (3, "2"))
    }
    binding.cancel()
  }

  @Test("UND.5: arrays that a binding mirrors; a bound endpoint that is not recorded follows")
  func mirrored() throws {
    let (library, copy, view) = (UndoLibrary("a", "b", "c"), UndoLibrary(), UndoLibrary())
    let undo = KVUndoManager()
    try undo.record(copy)
    try undo.record(library)
    let bindings = [
      try copy.bind("songs", to: "songs", of: library, options: .twoWay),
      try view.bind("songs", to: "songs", of: copy, options: .twoWay),
    ]
    undo.removeAll()
    try copy.list.insert(UndoSong("d"), at: 1)
    try library.list.remove(at: [0, 2])
    try library.list.move(from: 0, to: 1)
    try view.list.append(UndoSong("e"))
    let end = view.titles
    #expect(end == ["c", "d", "e"])
    #expect(undo.undoCount == 4)
    for _ in 0..<2 {
      while try undo.undo() {}
      for each in [library, copy, view] { #expect(each.titles == ["a", "b", "c"]) }
      while try undo.redo() {}
      for each in [library, copy, view] { #expect(each.titles == end) }
    }
    for binding in bindings { binding.cancel() }
  }

  @Test("UND.5: a setter that corrects an old value keeps the corrected one; the steps before it can be undone")
  func corrected() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    library.volume = 13
    #expect(library.volume == 10 && undo.undoCount == 2)
    try undo.undo()
    #expect(library.volume == 10 && undo.undoCount == 1)
    try undo.undo()
    #expect(library.volume == 5)
    while try undo.redo() {}
    #expect(library.volume == 10)
    undo.removeAll()
    undo.group { library.volume = 99 }
    #expect(undo.undoCount == 1 && library.volume == 10)
    library.volume = 4
    undo.group { library.volume = 77 }
    try undo.undo()
    #expect(library.volume == 4)
  }

  @Test("UND.5, UND.7: handlers that never agree: the step is not made, all is as before")
  func endless() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    library.name = "Work"
    let tokens = [
      try library.observe("name") { _ in library.total += 1 },
      try library.observe("total") { _ in if library.name != "stubborn" { library.name = "stubborn" } },
    ]
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .doesNotSettle && undo.undoCount == 1 && !undo.canRedo)
    #expect(library.name == "Work" && library.total == 0)
    for token in tokens { token.cancel() }
    try undo.undo()
    #expect(library.name == "Home")
  }

  @Test("UND.7: if a value cannot be restored, all is as before, and the step remains")
  func failure() throws {
    let (library, strict) = (UndoLibrary("a", "b"), Strict())
    let undo = KVUndoManager()
    try undo.record(library)
    try undo.record(strict)
    undo.group("All") {
      library.name = "Work"
      try? strict.setValue(1, forKey: "number")
      try? library.list.remove(at: 0)
      undo.register(library, undo: { $0.path += "undone" }, redo: { $0.path = String($0.path.dropLast(6)) })
      library.volume = 7
    }
    let before = UndoSnapshot(library)
    strict.refuses = true
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .invalidValue && UndoSnapshot(library) == before && strict.number == 1)
    #expect(undo.undoCount == 1 && undo.undoName == "All" && !undo.canRedo)
    strict.refuses = false
    #expect(try undo.undo())
    #expect(library.titles == ["a", "b"] && library.path == "/undone" && strict.number == 0)
    strict.refuses = true
    #expect(throws: KVError.self) { try undo.redo() }
    #expect(library.titles == ["a", "b"] && undo.redoCount == 1 && library.name == "Home")
    strict.refuses = false
    #expect(try undo.redo())
    #expect(UndoSnapshot(library) == before)
  }

  @Test("UND.7: an index that no longer exists is such an error")
  func stale() throws {
    let library = UndoLibrary("a", "b")
    let undo = KVUndoManager()
    try undo.record(library)
    undo.group {
      library.name = "Work"
      try? library.list.append(UndoSong("c"))
      library.volume = 7
    }
    undo.withoutRecording { library.songs = [] }
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .indexOutOfRange && library.name == "Work" && library.volume == 7 && undo.undoCount == 1)
  }

  @Test("UND.7: undo is refused in a group, a transaction and a recorded change, and inside of itself")
  func refused() throws {
    let (library, button) = (UndoLibrary(), UndoWidget())
    let undo = KVUndoManager()
    #expect(try !undo.undo() && !undo.redo())
    try undo.record(library)
    library.name = "Work"
    var codes: [KVError.Code?] = []
    func tryUndo() {
      do throws(KVError) {
        try undo.undo()
        codes.append(nil)
      } catch { codes.append(error.code) }
    }
    undo.group { tryUndo() }
    KVTransaction.run { tryUndo() }
    KVCoalescing.coalesce {
      library.volume = 7
      tryUndo()
    }
    let token = try library.observe("name") { _ in tryUndo() }
    library.name = "Other"
    #expect(codes == Array(repeating: .unsupported, count: 4) && undo.undoCount == 3)
    codes = []
    try undo.undo()
    #expect(codes == [.unsupported] && library.name == "Work")
    token.cancel()
    codes = []
    let click = try button.observe("title") { _ in tryUndo() }
    button.title = "clicked"
    KVCoalescing.coalesce { tryUndo() }
    #expect(codes == [nil, nil] && library.name == "Home" && library.volume == 5)
    click.cancel()
  }
}

private final class Strict: KVObject {
  var refuses = false
  @KVProperty var number = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Strict.self) { key in
      key(
        "number", { $0.number },
        set: { strict, number in
          if strict.refuses { throw KVError(.invalidValue, "it refuses.") }
          strict.number = number
        })
    }
  }
}

/// The values of a library.
struct UndoSnapshot: Equatable {
  let name: String
  let songs: [ObjectIdentifier]
  let tags: Set<String>
  let genres: [String]
  let volume: Int
  let log: [String]
  let total: Int
  let path: String

  init(_ library: UndoLibrary) {
    name = library.name
    songs = library.songs.map { ObjectIdentifier($0) }
    tags = library.tags
    genres = library.genres
    volume = library.volume
    log = library.log
    total = library.total
    path = library.path
  }
}
