import KVControllers
import KVCore
import KVTestSupport
import Testing

@Suite("UND deaths, names, elements and managers beside each other")
struct UndoObjectTests {
  private struct Failure: Error {}

  @Test("UND.7: a step that fails restores keys that are no longer recorded")
  func unrecorded() throws {
    let (library, other) = (UndoLibrary(), UndoLibrary())
    let undo = KVUndoManager()
    for each in [library, other] { try undo.record(each) }
    undo.group {
      undo.register(library, undo: { _ in throw Failure() }, redo: { _ in })
      other.name = "1"
      try? other.mutableArray(forKey: "genres").append("jazz")
    }
    undo.stopRecording(other)
    #expect(throws: KVError.self) { try undo.undo() }
    #expect(other.name == "1" && other.genres == ["jazz"] && undo.undoCount == 1)
  }

  @Test("UND.12: a step whose object dies before it ends is no step")
  func diesInside() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    try undo.group {
      let song = UndoSong()
      try undo.record(song)
      song.title = "a"
    }
    #expect(undo.undoCount == 0)
    for _ in 0..<50 {
      let song = UndoSong()
      try undo.record(song)
      song.title = "a"
      #expect(undo.undoCount == 1)
    }
    #expect(undo.undoCount == 0)
  }

  @Test("UND.12: recorded objects may die on any thread while the manager is in use")
  func deaths() {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try? undo.record(library)
    for _ in 0..<20 {
      let box = KVUncheckedSendable(SongBox((0..<10).map { UndoSong("\($0)") }))
      for song in box.value.songs {
        try? undo.record(song)
        song.plays = 1
      }
      race(rounds: 1, { box.value.songs = [] }, {})
      library.total += 1
    }
    #expect(undo.undoCount == 20)
  }

  @Test("UND.12: an open step that never ends does not keep the manager alive")
  func openStep() throws {
    weak var manager: KVUndoManager?
    let library = UndoLibrary()
    KVCoalescing.coalesce {
      let undo = KVUndoManager()
      manager = undo
      try? undo.record(library)
      library.name = "1"
    }
    #expect(manager == nil)
  }

  @Test("UND.11: redo keeps to levelsOfUndo")
  func redoLevels() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    for volume in [1, 2, 3, 4] { library.volume = volume }
    while try undo.undo() {}
    undo.levelsOfUndo = 2
    while try undo.redo() {}
    #expect(undo.undoCount == 2 && library.volume == 4)
  }

  @Test("UND.9, UND.10: observers are notified of the names that another stepName makes")
  func stepName() throws {
    let (library, button) = (UndoLibrary(), UndoWidget())
    let undo = KVUndoManager()
    try undo.record(library)
    library.name = "1"
    try button.bind("title", to: "undoMenuTitle", of: undo)
    undo.stepName = { _ in "X" }
    #expect(button.title == "Undo X")
  }

  @Test("UND.9: names of keys with abbreviations, and of one element")
  func words() throws {
    let record: KVRecord = [
      "addresses": [] as [String], "boxes": [] as [String], "entries": [] as [String], "isHTML": false, "URLOfPage": "",
    ]
    let undo = KVUndoManager()
    try undo.record(record)
    var names: [String?] = []
    for key in ["addresses", "boxes", "entries"] {
      try record.mutableArray(forKey: key).append("x")
      names.append(undo.undoName)
    }
    record["isHTML"] = true
    names.append(undo.undoName)
    record["URLOfPage"] = "x"
    names.append(undo.undoName)
    #expect(names == ["Add address", "Add box", "Add entry", "Change is HTML", "Change URL of page"])
  }

  @Test("UND.3: handlers can tell an undo from another change")
  func isUndoing() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    var seen: [String] = []
    let token = try library.observe("name") { _ in seen.append("\(undo.isUndoing) \(undo.isRedoing)") }
    library.name = "1"
    try undo.undo()
    try undo.redo()
    #expect(seen == ["false false", "true false", "false true"] && !undo.isUndoing && !undo.isRedoing)
    token.cancel()
  }

  @Test("UND.1: two calls for the elements of one collection record the keys of both; no collection is refused")
  func elements() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library, keys: ["title"])
    try undo.recordElements(of: "songs", in: library, keys: ["plays"])
    library.songs[0].title = "b"
    library.songs[0].plays = 1
    library.songs.append(UndoSong("c"))
    library.songs[1].plays = 2
    library.songs[1].year = 2
    #expect(undo.undoCount == 4)
    let error = #expect(throws: KVError.self) { try undo.recordElements(of: "volume", in: library) }
    #expect(error?.code == .unsupported)
    library.volume = 1
    #expect(undo.undoCount == 4)
  }

  @Test("UND.5: two managers on one object undo what both have recorded")
  func twoManagers() throws {
    let library = UndoLibrary()
    let (first, second) = (KVUndoManager(), KVUndoManager())
    for undo in [first, second] { try undo.record(library) }
    library.name = "1"
    try first.undo()
    #expect(library.name == "Home" && first.redoCount == 1 && second.undoCount == 2)
    try second.undo()
    #expect(library.name == "1" && second.undoCount == 1)
  }
}

private final class SongBox {
  var songs: [UndoSong]
  init(_ songs: [UndoSong]) { self.songs = songs }
}
