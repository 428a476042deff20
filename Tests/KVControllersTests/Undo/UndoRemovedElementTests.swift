import KVControllers
import KVCore
import Testing

@Suite("UND elements that leave a recorded collection in a step")
struct UndoRemovedElementTests {
  private let library = UndoLibrary("a", "b")
  private let song: UndoSong
  private let undo = KVUndoManager()
  private var isRecorded: Bool { !KVDiagnostics.observations(of: song).isEmpty }

  init() throws {
    song = library.songs[0]
    try undo.recordElements(of: "songs", in: library)
  }

  @Test("UND.5: an edit of a field that is committed by the removal of its object is undone with it")
  func committed() throws {
    let list = KVArrayController<UndoSong>()
    try list.bindContent(to: "songs", of: library)
    let field = UndoWidget()
    try field.bind(
      "title", to: "selection.title", of: list, options: .init(.twoWay, noSelection: "", trigger: .onCommit))
    field.title = "typed"
    try library.list.remove(at: 0)
    #expect(song.title == "typed" && undo.undoCount == 1)
    try undo.undo()
    #expect(library.titles == ["a", "b"] && !undo.canUndo)
    try undo.redo()
    #expect(library.titles == ["b"] && song.title == "typed" && !undo.canRedo)
    try undo.undo()
    #expect(library.titles == ["a", "b"])
  }

  @Test("UND.1, UND.4: keys of an element are recorded until the end of the step in which it leaves, and not after it")
  func untilTheEnd() throws {
    let token = try library.observe("songs") { [song] _ in
      if !library.songs.contains(where: { $0 === song }) { song.plays += 1 }
    }
    try library.list.remove(at: 0)
    #expect(!isRecorded)
    song.title = "outside"
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(library.songs[0] === song && song.plays == 0 && undo.undoCount == 0)
    token.cancel()
    undo.group {
      library.songs = []
      song.title = "b"
    }
    song.title = "later"
    #expect(!isRecorded && undo.undoCount == 1)
    try undo.undo()
    #expect(library.songs.count == 2 && song.title == "outside")
    song.title = "c"
    try undo.undo()
    #expect(song.title == "outside" && isRecorded)
  }

  @Test("UND.5: answers to the restored keys of a removed element are reverted, before it is a member again, too")
  func answers() throws {
    let token = try song.observe("title") { [song] _ in song.plays += 1 }
    undo.group {
      try? library.list.remove(at: 0)
      song.title = "b"
    }
    #expect(song.plays == 1)
    for _ in 0..<2 {
      try undo.undo()
      #expect(library.titles == ["a", "b"] && song.plays == 0)
      try undo.redo()
      #expect(library.titles == ["b"] && song.title == "b" && song.plays == 1 && !isRecordedByUndo)
    }
    token.cancel()
    // An undo removes an element as well.
    let added = UndoSong("c")
    library.songs.append(added)
    let removal = try library.observe("songs") { _ in added.title += "!" }
    try undo.undo()
    #expect(added.title == "c" && library.titles == ["b"])
    removal.cancel()
    let count = undo.undoCount
    added.title = "outside"
    #expect(undo.undoCount == count)
  }

  @Test("UND.1: an element that comes and goes in one step is recorded once")
  func again() throws {
    let count = KVDiagnostics.observations(of: song).count
    undo.group {
      for _ in 0..<3 {
        try? library.list.remove(at: 0)
        song.plays += 1
        try? library.list.insert(song, at: 0)
        song.plays += 1
      }
      library.songs = [song]
      library.songs = [library.songs[0], UndoSong("c")]
    }
    #expect(KVDiagnostics.observations(of: song).count == count)
    song.title = "A"
    #expect(undo.undoCount == 2)
    try undo.undo()
    try undo.undo()
    #expect(library.titles == ["a", "b"] && song.plays == 0)
    try library.list.remove(at: 0)
    #expect(!isRecorded)
  }

  @Test("UND.1: stopRecording ends the recording of removed elements at once")
  func stopping() throws {
    undo.group {
      library.songs = []
      song.title = "b"
      undo.stopRecording(library)
      #expect(!isRecorded)
      song.title = "c"
    }
    try undo.undo()
    #expect(song.title == "a" && library.titles == ["a", "b"])
  }

  @Test("UND.1: their recording ends as well with a step without edits, a rollback, and an undo")
  func endings() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try library.list.remove(at: 0)
        try song.setValue("b", forKey: "title")
        throw Failure()
      }
    }
    #expect(library.titles == ["a", "b"])
    #expect(isRecorded && !undo.canUndo)
    undo.group {
      undo.withoutRecording { library.songs = [] }
      #expect(isRecorded)
    }
    #expect(!isRecorded && !undo.canUndo)
    library.songs = [song]
    undo.group {
      library.songs = []
      undo.removeAll()
    }
    #expect(!isRecorded && !undo.canUndo)
    library.songs = [song]
    try KVCoalescing.coalesce {
      try undo.undo()
      #expect(!isRecorded)
      song.title = "outside"
    }
    #expect(!undo.canUndo && undo.canRedo)
  }

  /// Whether something besides the test observes the song.
  private var isRecordedByUndo: Bool { KVDiagnostics.observations(of: song).count > 1 }
}
