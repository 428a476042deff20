import KVControllers
import KVCore
import KVTestSupport
import Testing

@Suite("UND what is one step")
struct UndoStepTests {
  private struct Failure: Error {}

  @Test("UND.3: undo and redo notify with the kinds of the changes")
  func kinds() throws {
    let library = UndoLibrary("a", "b")
    let undo = KVUndoManager()
    try undo.record(library)
    let song = UndoSong("c")
    library.name = "Work"
    try library.list.insert(song, at: 1)
    try library.list.remove(at: 0)
    try library.list.replace(at: [1], with: [UndoSong("d")])
    try library.mutableSet(forKey: "tags").formUnion(["x"])
    var kinds: [String] = []
    let token = try library.observeAll { kinds.append("\($0.keyPath) \($0.kind) \($0.indexes ?? [])") }
    while try undo.undo() {}
    #expect(
      kinds == [
        "tags removal []", "songs replacement [1]", "songs insertion [0]", "songs removal [1]", "name setting []",
      ])
    kinds = []
    while try undo.redo() {}
    #expect(
      kinds == [
        "name setting []", "songs insertion [1]", "songs removal [0]", "songs replacement [1]", "tags insertion []",
      ])
    #expect(library.songs.first === song)
    token.cancel()
  }

  @Test("UND.4: a change and what handlers and bindings change in response are one step")
  func responses() throws {
    let (library, label, other) = (UndoLibrary(), UndoLibrary(), UndoLibrary())
    let undo = KVUndoManager()
    let early = try library.observe("name") { change in
      library.total += 1
      try? library.mutableArray(forKey: "log").append("renamed")
    }
    for each in [library, label, other] { try undo.record(each) }
    let binding = try label.bind("name", to: "name", of: library)
    let late = try label.observe("name") { _ in other.volume = 7 }
    library.name = "Work"
    #expect(undo.undoCount == 1 && label.name == "Work" && undo.undoName == "Change name")
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0 && library.log.isEmpty)
    #expect(label.name == "Home" && other.volume == 5)
    try undo.redo()
    #expect(library.name == "Work" && library.total == 1 && library.log == ["renamed"])
    #expect(label.name == "Work" && other.volume == 7 && undo.undoCount == 1)
    for token in [early, late] { token.cancel() }
    binding.cancel()
  }

  @Test("UND.4: a call that writes several elements or keys is one step, with what handlers change in response")
  func joint() throws {
    let library = UndoLibrary("a", "b", "c")
    let undo = KVUndoManager()
    try undo.record(library)
    try undo.recordElements(of: "songs", in: library, keys: ["title", "year"])
    let token = try library.observe("songs.@max.year") { _ in library.total += 1 }
    try library.setValue(1971, forKeyPath: "songs.year")
    #expect(undo.undoCount == 1 && library.songs.map(\.year) == [1971, 1971, 1971])
    try library.songs[0].setValues(forKeys: ["title": "Blue", "year": 1972])
    #expect(undo.undoCount == 2 && library.total > 0)
    try undo.undo()
    #expect(library.titles == ["a", "b", "c"] && library.songs[0].year == 1971)
    try undo.undo()
    #expect(library.songs.map(\.year) == [nil, nil, nil] && library.total == 0 && undo.undoCount == 0)
    try undo.redo()
    #expect(library.songs.map(\.year) == [1971, 1971, 1971])
    try undo.redo()
    #expect(library.titles == ["Blue", "b", "c"] && !undo.canRedo)
    token.cancel()
  }

  @Test("UND.4: a write of several elements that one of them refuses leaves what it has set as a step")
  func jointRefused() throws {
    final class Slot: KVObject {
      private(set) var size = 0
      let limit: Int
      init(limit: Int) { self.limit = limit }

      override class var keyTable: KVTable {
        super.keyTable.extended(for: Slot.self) { key in
          key(
            "size", { (slot: Slot) in slot.size },
            set: { slot, size in
              if size > slot.limit { throw Failure() }
              slot.size = size
            })
        }
      }
    }
    let slots = [Slot(limit: 9), Slot(limit: 5)]
    let undo = KVUndoManager()
    for slot in slots { try undo.record(slot) }
    let shelf = try KVRecord(["slots": slots])
    #expect(throws: KVError.self) { try shelf.setValue(7, forKeyPath: "slots.size") }
    #expect(slots.map(\.size) == [7, 0] && undo.undoCount == 1)
    slots.forEach { try? $0.setValue(1, forKey: "size") }
    #expect(undo.undoCount == 3, "the next change is a step of its own")
  }

  @Test("UND.4: the outermost change need not be a recorded one, and its prior handlers belong to it")
  func outermost() throws {
    let (button, library) = (UndoWidget(), UndoLibrary())
    let undo = KVUndoManager()
    try undo.record(library)
    for options in [KVObservingOptions.new, [.new, .prior]] {
      let token = try button.observe("title", options: options) { _ in
        library.name += "!"
        library.total += 1
      }
      button.title += "clicked"
      token.cancel()
    }
    #expect(undo.undoCount == 2)
    try undo.undo()
    #expect(library.name == "Home!" && library.total == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0)
  }

  @Test("UND.4: a manual change of an observed key and what its body changes are one step")
  func manual() throws {
    let (button, library) = (UndoWidget(), UndoLibrary())
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try button.observe("title") { _ in library.volume = 3 }
    button.withChange(forKey: "title") {
      library.name = "1"
      library.total = 1
    }
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0 && library.volume == 5)
    token.cancel()
  }

  @Test("UND.4: a coalescing scope is one step, with what the deferred handlers change")
  func scope() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name", options: [.new, .coalesced]) { _ in library.total += 1 }
    KVCoalescing.coalesce {
      library.name = "1"
      library.name = "2"
      library.volume = 7
    }
    #expect(undo.undoCount == 1 && library.total == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.volume == 5 && library.total == 0)
    #expect(throws: Failure.self) {
      try KVCoalescing.coalesce {
        library.name = "3"
        throw Failure()
      }
    }
    #expect(undo.undoCount == 1)
    token.cancel()
  }

  @Test("UND.4: the scope of a task is one step") @MainActor
  func taskScope() async throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name", options: [.new, .coalesced]) { _ in library.total += 1 }
    await KVCoalescing.coalesce {
      library.name = "1"
      await Task.yield()
      library.volume = 7
    }
    #expect(undo.undoCount == 1 && library.total == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.volume == 5 && library.total == 0)
    token.cancel()
  }

  @Test("UND.4: a transaction is one step; of one that is rolled back, what stays changed")
  func transaction() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.record(library)
    try KVTransaction.run {
      try library.setValue("1", forKey: "name")
      try library.list.append(UndoSong("b"))
    }
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.titles == ["a"] && undo.redoCount == 1)
    let token = try library.observe("name") { _ in library.total = 9 }
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try library.list.insert(UndoSong("b"), at: 0)
        try library.list.remove(at: 1)
        undo.register(library, undo: { $0.volume = 1 }, redo: { _ in })
        throw Failure()
      }
    }
    #expect(undo.undoCount == 0 && undo.redoCount == 1 && library.titles == ["a"])
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try library.setValue("2", forKey: "name")
        library.volume = 7
        throw Failure()
      }
    }
    #expect(library.name == "Home" && library.volume == 7 && library.total == 9 && undo.undoCount == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.volume == 5 && library.total == 0)
    token.cancel()
  }

  @Test("UND.4: a failed transaction in a group leaves the changes before it")
  func innerTransaction() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.record(library)
    undo.group {
      library.name = "1"
      try? KVTransaction.run {
        try library.setValue("2", forKey: "name")
        try library.setValue(8, forKey: "volume")
        throw Failure()
      }
      library.total = 4
    }
    #expect(undo.undoCount == 1 && library.name == "1" && library.volume == 5)
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0)
    try undo.redo()
    #expect(library.name == "1" && library.total == 4 && library.volume == 5)
  }

  @Test("UND.4: groups nest, the outermost one counts, and a body that throws leaves a step")
  func groups() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let result = undo.group("Outer") { () -> Int in
      library.name = "1"
      undo.group("Inner") { library.name = "2" }
      undo.group { library.volume = 7 }
      return 3
    }
    #expect(result == 3 && undo.undoCount == 1 && undo.undoName == "Outer")
    #expect(throws: Failure.self) {
      try undo.group("Half") {
        library.name = "3"
        throw Failure()
      }
    }
    #expect(undo.undoCount == 2 && undo.undoName == "Half")
    undo.group("Empty") {}
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(library.name == "Home" && library.volume == 5)
  }

  @Test("UND.6: successive settings of one key become one step, if they follow in time")
  func merging() throws {
    let clock = KVManualClock()
    let (library, other) = (UndoLibrary(), UndoLibrary())
    let undo = KVUndoManager()
    for each in [library, other] { try undo.record(each) }
    library.name = "a"
    library.name = "ab"
    #expect(undo.undoCount == 2)
    undo.mergesSettings(within: .seconds(1), clock: clock)
    for name in ["b", "bc", "bcd"] {
      library.name = name
      clock.advance(by: .milliseconds(900))
    }
    #expect(undo.undoCount == 3)
    clock.advance(by: .seconds(1))
    library.name = "late"
    library.volume = 6
    library.volume = 7
    other.volume = 7
    library.volume = 8
    #expect(undo.undoCount == 7)
    undo.group { library.volume = 9 }
    library.volume = 10
    undo.markSaved()
    library.volume = 3
    #expect(undo.undoCount == 10 && undo.hasUnsavedChanges)
    library.volume = 4
    #expect(undo.undoCount == 10)
    for volume in [10, 9, 8, 7] {
      try undo.undo()
      #expect(library.volume == volume)
    }
    library.volume = 2
    #expect(undo.undoCount == 7)
    for _ in 0..<4 { try undo.undo() }
    #expect(library.name == "bcd")
    try undo.undo()
    #expect(library.name == "ab")
    try undo.redo()
    #expect(library.name == "bcd")
    undo.mergesSettings(within: nil)
    library.name = "1"
    library.name = "2"
    #expect(undo.undoCount == 5)
  }

  @Test("UND.6: merged settings include what handlers change in response")
  func mergedResponses() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name") { _ in library.total += 1 }
    undo.mergesSettings(within: .seconds(1_000))
    for name in ["a", "ab", "abc"] { library.name = name }
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0)
    try undo.redo()
    #expect(library.name == "abc" && library.total == 3)
    token.cancel()
  }
}
