import Foundation
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("UND lifetimes and threads")
struct UndoLifetimeTests {
  @Test("UND.12: neither a manager nor its objects are kept alive by each other")
  func cycles() throws {
    weak var library: UndoLibrary?
    weak var song: UndoSong?
    weak var manager: KVUndoManager?
    do {
      let made = UndoLibrary("a")
      let undo = KVUndoManager()
      (library, song, manager) = (made, made.songs[0], undo)
      try undo.recordElements(of: "songs", in: made)
      try undo.record(made)
      made.name = "1"
      made.songs[0].title = "b"
      undo.register(made, undo: { $0.name = "x" }, redo: { $0.name = "y" })
      try undo.undo()
    }
    #expect(library == nil && song == nil && manager == nil)
    let kept = UndoLibrary("a")
    do {
      let undo = KVUndoManager()
      manager = undo
      try undo.recordElements(of: "songs", in: kept)
      kept.name = "1"
    }
    #expect(manager == nil)
    #expect(KVDiagnostics.observations(of: kept).isEmpty && KVDiagnostics.observations(of: kept.songs[0]).isEmpty)
    kept.songs.append(UndoSong("b"))
  }

  @Test("UND.12: the edits of a deallocated object are dropped, and a step without others")
  func dropped() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    library.volume = 1
    do {
      let song = UndoSong("a")
      try undo.record(song)
      undo.group("Both") {
        library.volume = 2
        song.title = "b"
      }
      song.title = "c"
      undo.markSaved()
      song.title = "d"
      try undo.undo()
      #expect(undo.undoCount == 3 && undo.redoCount == 1)
    }
    #expect(undo.undoCount == 2 && undo.redoCount == 0 && !undo.hasUnsavedChanges)
    try undo.undo()
    #expect(library.volume == 1 && undo.redoName == "Both")
    try undo.redo()
    #expect(library.volume == 2 && !undo.hasUnsavedChanges)
  }

  @Test("UND.12: a step retains removed elements; the removed step releases them")
  func removed() throws {
    let library = UndoLibrary("a", "b")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    weak var song = library.songs[1]
    library.songs[1].title = "B"
    try library.list.remove(at: 1)
    #expect(song != nil && undo.undoCount == 2)
    undo.levelsOfUndo = 1
    #expect(song != nil && undo.undoCount == 1)
    undo.removeAll()
    undo.levelsOfUndo = 0
    #expect(song == nil && undo.undoCount == 0)
    try library.list.append(UndoSong("c"))
    song = library.songs[1]
    library.songs[1].title = "C"
    try undo.undo()
    try undo.undo()
    #expect(song != nil && undo.redoCount == 2)
    library.songs[0].title = "A"
    #expect(song == nil && undo.redoCount == 0)
  }

  @Test("UND.12: an object that is no longer recorded, and the target of an edit, are known to be gone at the next use")
  func unrecorded() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    do {
      let song = UndoSong("a")
      try undo.record(song)
      song.title = "b"
      undo.stopRecording(song)
    }
    #expect(!undo.canUndo && undo.undoCount == 0)
    do {
      let target = UndoSong("a")
      undo.register(target, undo: { _ in Issue.record("called") }, redo: { _ in })
      #expect(undo.undoCount == 1)
    }
    #expect(!undo.canUndo)
    try undo.record(library)
    var song: UndoSong? = UndoSong("a")
    if let song { undo.register(song, undo: { _ in }, redo: { _ in }) }
    library.name = "1"
    var counts: [Any?] = []
    let token = try undo.observe("undoCount") { counts.append($0.new) }
    song = nil
    library.name = "2"
    #expect(counts as? [Int] == [1, 2])
    token.cancel()
  }

  @Test("UND.12: objects that are not recorded may die on any thread; a manager with an executor knows it on that")
  func unrecordedElsewhere() async throws {
    let queue = KVQueueExecutor.queue(DispatchQueue(label: "undo"))
    final class Box: @unchecked Sendable {  // guard: used by one thread after the other
      var undo: KVUndoManager?
      var song: UndoSong?
      var counts: [Int] = []
      var token: KVObservation?
    }
    let box = Box()
    func onQueue(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { done in
        queue.enqueue {
          body()
          done.resume()
        }
      }
    }
    await onQueue {
      let (undo, song) = (KVUndoManager(on: queue), UndoSong("a"))
      (box.undo, box.song) = (undo, song)
      undo.register(song, undo: { _ in }, redo: { _ in })
      box.token = try? undo.observe("undoCount") { [box] change in box.counts.append(change.new as? Int ?? -1) }
    }
    box.song = nil
    await onQueue {}
    #expect(box.counts == [0])
    await onQueue { (box.undo, box.token) = (nil, nil) }
  }

  @Test("UND.12: the target of an edit whose class notifies nobody is known to be gone at the next undo")
  func late() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    library.name = "0"
    try undo.record(library)
    library.name = "1"
    do {
      let target = Plain()
      undo.register(target, undo: { _ in Issue.record("called") }, redo: { _ in })
    }
    #expect(undo.undoCount == 2)
    #expect(try undo.undo())
    #expect(library.name == "0" && undo.undoCount == 0 && undo.redoCount == 1)
  }

  @Test("UND.12: a property that is set in a deinit is not recorded")
  func inDeinit() throws {
    final class Dying: KVObject {
      @KVProperty var name = ""
      deinit { name = "gone" }
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Dying.self) { key in key("name", \.name) }
      }
    }
    let undo = KVUndoManager()
    var notified = 0
    let token = try undo.observeAll { _ in notified += 1 }
    do {
      let dying = Dying()
      try undo.record(dying)
    }
    #expect(!undo.canUndo && notified == 0)
    token.cancel()
  }

  @Test("UND.14: a change off the executor is reported and not recorded")
  func threads() throws {
    let library = KVUncheckedSendable(UndoLibrary())
    let executor = KVManualExecutor()
    let undo = KVUndoManager(on: executor)
    let manager = KVUncheckedSendable(undo)
    executor.enqueue { try? manager.value.record(library.value) }
    executor.runAll()
    let events = capturingEvents { library.value.name = "1" }.about(library.value)
    #expect(events.map(\.topic) == [.undo] && events[0].message.contains("executor") && !undo.canUndo)
    executor.enqueue { library.value.name = "2" }
    executor.runAll()
    #expect(undo.undoCount == 1)
  }

  @Test("UND.14: managers on many threads do not disturb each other")
  func manyThreads() {
    let work: @Sendable () -> Void = {
      let library = UndoLibrary("a")
      let undo = KVUndoManager()
      try? undo.recordElements(of: "songs", in: library)
      try? undo.record(library)
      for number in 0..<20 {
        undo.group("\(number)") {
          library.name = "\(number)"
          library.songs[0].plays = number + 1
        }
        library.volume = number % 10
      }
      while (try? undo.undo()) == true {}
      if library.name != "Home" || library.volume != 5 || library.songs[0].plays != 0 { Issue.record("not undone") }
    }
    race(rounds: 20, work, work, work)
  }
}

private final class Plain {}
