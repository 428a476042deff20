import KVControllers
import KVCore
import Testing

@Suite("UND scopes, failures, merging and saving in unusual orders")
struct UndoOrderTests {
  private struct Failure: Error {}

  @Test("UND.5: a step of many changes that handlers answer is undone: each edit may be answered anew")
  func manyChanges() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name") { _ in library.total += 1 }
    undo.group { for number in 1...1_500 { library.name = "\(number)" } }
    #expect(library.total == 1_500)
    try undo.undo()
    #expect(library.name == "Home" && library.total == 0)
    try undo.redo()
    #expect(library.name == "1500" && library.total == 1_500)
    token.cancel()
  }

  @Test("UND.5: a handler that changes many keys in response to one is undone")
  func manyKeys() throws {
    let library = UndoLibrary()
    library.songs = (0..<1_200).map { UndoSong("\($0)") }
    let undo = KVUndoManager()
    try undo.record(library, keys: ["name"])
    try undo.recordElements(of: "songs", in: library, keys: ["plays"])
    library.name = "first"
    let token = try library.observe("name") { _ in for song in library.songs { song.plays += 1 } }
    try undo.undo()
    #expect(library.name == "Home" && library.songs.allSatisfy { $0.plays == 0 })
    token.cancel()
  }

  @Test("UND.6: an observer that marks, removes or undoes while a setting is merged starts a new step")
  func mergingObservers() throws {
    for action in 0..<3 {
      let library = UndoLibrary()
      let undo = KVUndoManager()
      try undo.record(library)
      undo.mergesSettings(within: .seconds(1_000))
      var isActive = true
      let token = try undo.observe("undoCount", options: []) { _ in
        guard isActive else { return }
        isActive = false
        switch action {
        case 0: undo.markSaved()
        case 1: undo.removeAll()
        default: _ = try? undo.undo()
        }
      }
      library.volume = 1
      library.volume = 2
      library.volume = 3
      #expect(undo.undoCount == (action == 0 ? 2 : 1) && undo.hasUnsavedChanges)
      while try undo.undo() {}
      #expect(library.volume == (action == 2 ? 5 : action == 1 ? 1 : 5))
      token.cancel()
    }
  }

  @Test("UND.6: scopes, transactions and registered edits are steps of their own while settings are merged")
  func unmerged() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    undo.mergesSettings(within: .seconds(1_000))
    library.volume = 1
    KVCoalescing.coalesce {
      library.volume = 2
      library.name = "scope"
    }
    #expect(undo.undoCount == 2)
    try KVTransaction.run { try library.setValue(3, forKey: "volume") }
    #expect(undo.undoCount == 3)
    try undo.undo()
    #expect(library.volume == 2)
    try undo.undo()
    #expect(library.volume == 1 && library.name == "Home")
  }

  @Test("UND.11: removeAll in a transaction that fails")
  func removingInTransaction() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    for later in [false, true] {
      undo.group {
        library.total += 1
        library.volume += 1
        try? KVTransaction.run {
          try library.setValue("1", forKey: "name")
          undo.removeAll()
          if later { for name in ["2", "3", "4"] { try library.setValue(name, forKey: "name") } }
          throw Failure()
        }
      }
      #expect(library.name == "Home")
      while try undo.undo() {}
      #expect(library.name == "Home")
    }
  }

  @Test("UND.7: in a scope that has recorded nothing, deferred handlers answer before the undo ends")
  func scope() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name", options: [.new, .coalesced]) { _ in library.total += 1 }
    library.name = "1"
    #expect(library.total == 1 && undo.undoCount == 1)
    try KVCoalescing.coalesce { _ = try undo.undo() }
    #expect(library.name == "Home" && library.total == 0 && undo.redoCount == 1 && undo.undoCount == 0)
    try KVCoalescing.coalesce { _ = try undo.redo() }
    #expect(library.name == "1" && library.total == 1 && undo.undoCount == 1)
    token.cancel()
  }

  @Test("UND.7: the same in the scope of a task") @MainActor
  func taskScope() async throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name", options: [.new, .coalesced]) { _ in library.total += 1 }
    library.name = "1"
    try await KVCoalescing.coalesce {
      await Task.yield()
      _ = try undo.undo()
    }
    #expect(library.name == "Home" && library.total == 0 && undo.redoCount == 1)
    token.cancel()
  }

  @Test("UND.4: the scopes of two tasks are two steps, and nothing is undone before both have ended") @MainActor
  func twoTasks() async throws {
    let (library, other) = (UndoLibrary(), UndoLibrary())
    let undo = KVUndoManager()
    for each in [library, other] { try undo.record(each) }
    let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task { @MainActor in
      await KVCoalescing.coalesce {
        library.name = "1"
        for await _ in turns { break }
        library.volume = 1
      }
    }
    while library.name == "Home" { await Task.yield() }
    await KVCoalescing.coalesce {
      other.name = "2"
      await Task.yield()
    }
    #expect(undo.undoCount == 1)
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .unsupported)
    continuation.yield()
    await task.value
    #expect(undo.undoCount == 2)
    try undo.undo()
    #expect(library.name == "Home" && library.volume == 5 && other.name == "2")
  }

  @Test("UND.4: a manager that is made in a scope or transaction makes one step of it")
  func madeInside() throws {
    let library = UndoLibrary()
    var made: [KVUndoManager] = []
    func change() throws {
      let undo = KVUndoManager()
      made.append(undo)
      try undo.record(library)
      library.name += "1"
      library.volume += 1
    }
    try KVCoalescing.coalesce { try change() }
    try KVTransaction.run { try change() }
    // The first one records the transaction as well.
    #expect(made.map(\.undoCount) == [2, 1])
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        let undo = KVUndoManager()
        made.append(undo)
        try undo.record(library)
        try library.setValue("gone", forKey: "name")
        throw Failure()
      }
    }
    #expect(made[2].undoCount == 0)
  }

  @Test("UND.11: markSaved while a step is open")
  func savingInside() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    undo.group {
      library.volume = 1
      undo.markSaved()
    }
    #expect(!undo.hasUnsavedChanges && undo.undoCount == 1)
    try undo.undo()
    #expect(undo.hasUnsavedChanges)
    try undo.redo()
    #expect(!undo.hasUnsavedChanges)
    undo.group {
      library.volume = 2
      undo.markSaved()
      library.volume = 3
    }
    #expect(undo.hasUnsavedChanges)
    try undo.undo()
    #expect(undo.hasUnsavedChanges)
  }

  @Test("UND.8: a failed transaction records no reversal of changes that were not recorded")
  func pausedInTransaction() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try undo.withoutRecording { try library.setValue("1", forKey: "name") }
        throw Failure()
      }
    }
    #expect(library.name == "Home" && undo.undoCount == 0)
    try KVTransaction.run { try undo.withoutRecording { try library.setValue("2", forKey: "name") } }
    #expect(library.name == "2" && undo.undoCount == 0)
  }
}
