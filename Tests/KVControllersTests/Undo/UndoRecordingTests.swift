import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND what is recorded")
struct UndoRecordingTests {
  @Test("UND.1: all settable keys that notify are recorded, whichever way they are changed")
  func defaults() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    library.name = "Work"
    try library.setValue("/music", forKey: "path")
    library.genres.append("jazz")
    try library.mutableArray(forKey: "genres").insert("funk", at: 0)
    try library.mutableSet(forKey: "tags").formUnion(["a"])
    #expect(undo.undoCount == 5)
    while try undo.undo() {}
    #expect(library.name == "Home" && library.path == "/" && library.genres == [] && library.tags == [])
    while try undo.redo() {}
    #expect(library.name == "Work" && library.path == "/music" && library.genres == ["funk", "jazz"])
    #expect(library.tags == ["a"] && undo.undoCount == 5)
  }

  @Test("UND.1: an empty list of keys is an error: nothing would be recorded")
  func noKey() throws {
    let song = UndoSong("Blue")
    let error = #expect(throws: KVError.self) { try KVUndoManager().record(song, keys: []) }
    #expect(
      error?.message
        == "the list of keys of \(type(of: song)) is empty: nothing would be recorded. Name the keys, or leave the list out."
    )
  }

  @Test("UND.1: an empty list of keys of elements is an error, too, and the collection is not recorded")
  func noKeyOfElements() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    let error = #expect(throws: KVError.self) { try undo.recordElements(of: "songs", in: library, keys: []) }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message == """
        the list of keys of the elements of "songs" is empty: no element would be recorded. Name the keys, or leave the list \
        out. To record the collection alone, use record(_:keys:).
        """)
    library.songs = []
    #expect(!undo.canUndo && KVDiagnostics.observations(of: library).isEmpty)
  }

  @Test(
    "UND.1: the text of a key path with other components than keys is no name of a key, and is refused",
    arguments: [(#"["t"]"#, "t"), ("t[0]", "t"), ("t[0].size", "t"), ("[0]", nil)] as [(String, String?)])
  func paths(name: String, key: String?) throws {
    let record: KVRecord = ["t": 1]
    let undo = KVUndoManager()
    let error = #expect(throws: KVError.self) { try undo.record(record, keys: ["t", name]) }
    let cure = key.map { " Record keys by their names: keys: [\"\($0)\"]." } ?? ""
    #expect(error?.code == .undefinedKey)
    #expect(
      error?.message == "\"\(name)\" is a key path, and the KVRecord does not have a key of this name.\(cure)")
    record["t"] = 2
    #expect(!undo.canUndo)
    // A record may have a key of that name.
    record[name] = 1
    try undo.record(record, keys: [name, "later"])
    record[name] = 2
    record["later"] = 1
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(record[name] as? Int == 1 && record["later"] == nil)
  }

  @Test("UND.1: only the named keys are recorded, once; an alias is its key; a dependent key can be named")
  func named() throws {
    let song = UndoSong("Blue")
    let undo = KVUndoManager()
    try undo.record(song, keys: ["name"])
    try undo.record(song, keys: ["title", "title"])
    song.title = "Green"
    song.plays = 1
    #expect(undo.undoCount == 1 && undo.undoName == "Change title")
    try undo.undo()
    #expect(song.title == "Blue" && song.plays == 1)
    let fahrenheit = Thermometer()
    try undo.record(fahrenheit, keys: ["celsius", "fahrenheit"])
    try fahrenheit.setValue(212.0, forKey: "fahrenheit")
    #expect(fahrenheit.celsius == 100)
    try undo.undo()
    #expect(fahrenheit.celsius == 0)
    try undo.redo()
    #expect(fahrenheit.celsius == 100)
  }

  @Test("UND.1: elements are recorded while they are members, each once")
  func elements() throws {
    let library = UndoLibrary("a", "b")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library, keys: ["title"])
    let first = library.songs[0]
    first.title = "A"
    try library.list.append(first)
    try library.list.remove(at: 2)
    first.title = "AA"
    try library.list.remove(at: 0)
    first.title = "outside"
    #expect(undo.undoCount == 5)
    let added = UndoSong("c")
    library.songs.append(added)
    added.title = "C"
    #expect(undo.undoCount == 7)
    while try undo.undo() {}
    #expect(library.titles == ["a", "b"] && library.songs[0] === first && added.title == "c")
    while try undo.redo() {}
    #expect(library.titles == ["b", "C"] && first.title == "AA")
    added.title = "D"
    library.songs = [first]
    first.title = "E"
    added.title = "outside"
    #expect(undo.undoCount == 10)
  }

  @Test("UND.1: stopRecording ends both, and keeps the steps")
  func stopping() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.record(library)
    try undo.recordElements(of: "songs", in: library)
    library.name = "Work"
    undo.stopRecording(library)
    library.name = "Other"
    library.songs[0].title = "b"
    #expect(undo.undoCount == 1 && KVDiagnostics.observations(of: library).isEmpty)
    #expect(KVDiagnostics.observations(of: library.songs[0]).isEmpty)
    try undo.undo()
    #expect(library.name == "Home")
    undo.stopRecording(library)
    try undo.recordElements(of: "songs", in: library)
    library.songs[0].title = "c"
    #expect(undo.undoCount == 1)
  }

  @Test("UND.1: an object that is recorded as an element and by name is recorded once, until both have ended")
  func twice() throws {
    let library = UndoLibrary("a")
    let song = library.songs[0]
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    try undo.record(song)
    song.title = "b"
    #expect(undo.undoCount == 1)
    undo.stopRecording(song)
    song.title = "c"
    #expect(undo.undoCount == 2)
    try undo.record(song)
    try library.list.removeAll()
    song.title = "d"
    #expect(undo.undoCount == 4)
    undo.stopRecording(song)
    song.title = "e"
    #expect(undo.undoCount == 4)
  }

  @Test("UND.1: a manual change of the collection that names no elements is followed, too")
  func followed() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    let song = UndoSong("b")
    undo.withoutRecording { library.songs.append(song) }
    song.title = "B"
    #expect(undo.undoCount == 1 && undo.undoName == "Change title")
  }

  @Test("UND.2: settings and replacements by equal values are not recorded")
  func equal() throws {
    let library = UndoLibrary("a")
    library.genres = ["x", "y"]
    let undo = KVUndoManager()
    try undo.record(library)
    library.name = "Home"
    library.tags = []
    library.songs = library.songs
    try library.mutableArray(forKey: "genres").replace(at: [0], with: ["x"])
    #expect(!undo.canUndo)
  }

  @Test("UND.2: keys that cannot be recorded are refused before any is recorded")
  func refused() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    for (key, code) in [
      ("silent", KVError.Code.notSettable), ("fixed", .notSettable), ("nmae", .undefinedKey),
    ] {
      let error = #expect(throws: KVError.self) { try undo.record(library, keys: ["name", key]) }
      #expect(error?.code == code, "\(key)")
    }
    let unlisted = #expect(throws: KVError.self) { try undo.record(Unheard(), keys: ["plain"]) }
    #expect(unlisted?.code == .notSettable)
    library.genres = ["x"]
    let value = #expect(throws: KVError.self) { try undo.recordElements(of: "genres", in: library) }
    #expect(value?.code == .notObservable)
    #expect(throws: KVError.self) { try undo.recordElements(of: "songs", in: library, keys: ["title", "label"]) }
    library.name = "Work"
    library.songs[0].title = "b"
    #expect(!undo.canUndo)
    #expect(KVDiagnostics.observations(of: library).isEmpty)
    #expect(KVDiagnostics.observations(of: library.songs[0]).isEmpty)
  }

  @Test("UND.1: an element that is inserted later and cannot be recorded is reported")
  func laterElement() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library, keys: ["title"])
    let record = Mixed()
    try undo.recordElements(of: "items", in: record, keys: ["title"])
    let events = try capturingEvents { try record.mutableArray(forKey: "items").append(7) }
    #expect(events.about(record).map(\.topic) == [.undo] && events.about(record)[0].message.contains("is an Int"))
    try undo.undo()
    #expect(record.items.isEmpty)
  }
}

private final class Thermometer: KVObject {
  @KVProperty var celsius = 0.0
  var fahrenheit: Double {
    get { celsius * 9 / 5 + 32 }
    set { celsius = (newValue - 32) * 5 / 9 }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Thermometer.self) { key in
      key("celsius", \.celsius)
      key("fahrenheit", \.fahrenheit).affected(by: "celsius")
    }
  }
}

private final class Unheard: KVObject {
  var plain = 0
}

private final class Mixed: KVObject {
  @KVProperty var items: [Any] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Mixed.self) { key in key("items", \.items) }
  }
}
