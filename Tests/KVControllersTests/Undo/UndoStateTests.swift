import KVControllers
import KVCore
import KVTestSupport
import Testing

@Suite("UND names, counts and saving")
struct UndoStateTests {
  @Test("UND.9: the names of steps")
  func names() throws {
    let library = UndoLibrary("a")
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    try undo.record(library)
    var names: [String?] = []
    func note(_ body: () throws -> Void) throws {
      try body()
      names.append(undo.undoName)
    }
    try note { library.songs[0].title = "b" }
    try note { library.songs[0].year = 1959 }
    try note { try library.list.append(UndoSong()) }
    try note { try library.list.remove(at: [0, 1]) }
    try note { try library.mutableArray(forKey: "genres").append("funk") }
    try note { try library.mutableSet(forKey: "tags").formUnion(["x", "y"]) }
    try note { try library.mutableSet(forKey: "tags").set(["z"]) }
    try note { library.songs = [UndoSong()] }
    try note {
      try undo.group {
        for _ in 0..<3 { library.songs.append(UndoSong()) }
        try library.list.removeAll()
      }
    }
    #expect(
      names == [
        "Change title", "Change release year", "Add song", "Remove 2 songs", "Add style", "Add 2 tags", "Change tags",
        "Change songs", "Change songs",
      ])
    undo.stepName = { "\($0.kind): \($0.key), \($0.count)" }
    #expect(undo.undoName == "setting: songs, 1")
    undo.stepName = { _ in nil }
    #expect(undo.undoName == nil && undo.undoMenuTitle == "Undo")
    let words = UndoWidget()
    undo.stepName = { $0.name }
    try undo.record(words)
    words.isEnabled = true
    #expect(undo.undoMenuTitle == "Undo Change is enabled")
  }

  @Test("UND.9: an empty name is none")
  func emptyNames() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    undo.group("") { library.name = "Work" }
    #expect(undo.undoName == "Change name" && undo.undoMenuTitle == "Undo Change name")
    undo.stepName = { _ in "" }
    #expect(undo.undoName == nil && undo.undoMenuTitle == "Undo")
    try undo.undo()
    #expect(undo.redoMenuTitle == "Redo")
  }

  @Test("UND.10: each key notifies only if its value differs, when all have changed")
  func notifications() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    var changes: [String] = []
    let token = try undo.observeAll { change in
      #expect(undo.canUndo == (undo.undoCount > 0) && undo.canRedo == (undo.redoCount > 0))
      let value = (try? undo.value(forKeyPath: change.keyPath)) ?? nil
      #expect("\(value ?? "nil")" == "\(change.new ?? "nil")")
      changes.append("\(change.keyPath) \(change.old ?? "nil") → \(change.new ?? "nil")")
    }
    func take() -> [String] {
      defer { changes = [] }
      return changes
    }
    library.name = "1"
    #expect(
      take() == [
        "undoName nil → Change name", "undoMenuTitle Undo → Undo Change name", "canUndo false → true",
        "undoCount 0 → 1", "hasUnsavedChanges false → true",
      ])
    library.name = "2"
    #expect(take() == ["undoCount 1 → 2"])
    undo.group { library.name = "2" }
    undo.withoutRecording { library.name = "2" }
    #expect(take().isEmpty)
    undo.markSaved()
    #expect(take() == ["hasUnsavedChanges true → false"])
    try undo.undo()
    #expect(
      take() == [
        "redoName nil → Change name", "redoMenuTitle Redo → Redo Change name", "canRedo false → true",
        "undoCount 2 → 1", "redoCount 0 → 1", "hasUnsavedChanges false → true",
      ])
    undo.removeAll()
    #expect(
      take() == [
        "undoName Change name → nil", "redoName Change name → nil", "undoMenuTitle Undo Change name → Undo",
        "redoMenuTitle Redo Change name → Redo", "canUndo true → false", "canRedo true → false", "undoCount 1 → 0",
        "redoCount 1 → 0",
      ])
    token.cancel()
  }

  /// A key that depends on several keys of a manager.
  private final class Status: KVObject {
    let undo: KVUndoManager
    @KVProperty var text = ""
    var counts: String { "\(undo.undoCount) and \(undo.redoCount)" }

    init(_ undo: KVUndoManager) { self.undo = undo }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Status.self) { key in
        key("undo", \.undo)
        key("text", \.text)
        key("counts", \.counts).affected(by: "undo.undoCount", "undo.redoCount")
      }
    }
  }

  @Test("UND.10, CTR.6: one change of the manager is one update: what depends on several keys is notified once")
  func oneUpdate() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let status = Status(undo)
    var lines: [String] = []
    let tokens = [
      try status.observe("counts") { lines.append("\($0.old ?? "nil") → \($0.new ?? "nil")") },
      try undo.observe("redoCount", options: [.prior]) { change in
        if change.isPrior { lines.append("prior \(undo.undoCount) \(undo.redoCount) \(undo.canUndo)") }
      },
    ]
    var combinations = 0
    let counts = try [KVBindingSource(undo, "undoCount"), KVBindingSource(undo, "redoCount")]
    try status.bind(
      "text", toAll: counts,
      by: KVCombiner { values in
        combinations += 1
        return values.map { "\($0 ?? "nil")" }.joined(separator: " ")
      })
    combinations = 0
    library.name = "1"
    #expect(lines == ["0 and 0 → 1 and 0"] && combinations == 1)
    try undo.undo()
    #expect(lines.dropFirst() == ["prior 1 0 true", "1 and 0 → 0 and 1"] && combinations == 2)
    #expect(status.text == "0 1")
    for token in tokens { token.cancel() }
  }

  @Test("UND.10: observers of the keys are notified in the order of registration")
  func order() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let log = ChangeLog()
    for key in ["hasUnsavedChanges", "undoCount", "undoName", "undoCount"] { try log.observe(undo, key) }
    library.name = "1"
    #expect(
      log.lines == [
        "hasUnsavedChanges: false → true", "undoCount: 0 → 1", "undoName: nil → Change name", "undoCount: 0 → 1",
      ])
    log.stop()
  }

  @Test("UND.10, CTR.7: a step that a handler adds before the keys change is an update of its own, after theirs")
  func nestedStep() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    var lines: [String] = []
    let token = try undo.observe("undoCount", options: [.old, .new, .prior]) { [library] change in
      if change.isPrior, library.total == 0 { library.total = 1 }
      if !change.isPrior { lines.append("\(change.old ?? "nil") → \(change.new ?? "nil")") }
    }
    library.name = "1"
    #expect(lines == ["0 → 1", "1 → 2"])
    token.cancel()
  }

  @Test("UND.10: buttons are bound to a manager, and undo when they are clicked")
  func buttons() throws {
    let (library, button) = (UndoLibrary(), UndoWidget())
    let undo = KVUndoManager()
    try undo.record(library)
    try button.bind("title", to: "undoMenuTitle", of: undo)
    try button.bind("isEnabled", to: "canUndo", of: undo)
    #expect(button.title == "Undo" && !button.isEnabled)
    undo.group("Rename") { library.name = "1" }
    #expect(button.title == "Undo Rename" && button.isEnabled)
    try undo.undo()
    #expect(button.title == "Undo" && !button.isEnabled)
    #expect(throws: KVError.self) { try undo.setValue(true, forKey: "canUndo") }
  }

  @Test("UND.10: a handler may undo the step that it is notified of")
  func undoingHandler() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try undo.observe("canUndo") { change in
      if change.new as? Bool == true { #expect((try? undo.undo()) == true) }
    }
    library.name = "1"
    #expect(library.name == "Home" && undo.redoCount == 1 && undo.undoCount == 0)
    token.cancel()
  }

  @Test("UND.11: the oldest steps beyond levelsOfUndo are removed")
  func levels() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    undo.levelsOfUndo = 3
    for volume in [1, 2, 3, 4] { library.volume = volume }
    #expect(undo.undoCount == 3)
    undo.levelsOfUndo = 2
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(library.volume == 2 && undo.redoCount == 2)
    undo.levelsOfUndo = 0
    for volume in 3...9 { library.volume = volume }
    #expect(undo.undoCount == 7)
  }

  @Test("UND.11: hasUnsavedChanges is false in the saved state only")
  func saving() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    #expect(!undo.hasUnsavedChanges)
    library.volume = 1
    #expect(undo.hasUnsavedChanges)
    try undo.undo()
    #expect(!undo.hasUnsavedChanges)
    try undo.redo()
    undo.markSaved()
    #expect(!undo.hasUnsavedChanges)
    try undo.undo()
    #expect(undo.hasUnsavedChanges)
    library.volume = 2
    #expect(undo.hasUnsavedChanges)
    try undo.undo()
    #expect(undo.hasUnsavedChanges)
    library.volume = 3
    undo.markSaved()
    undo.levelsOfUndo = 1
    library.volume = 4
    #expect(undo.hasUnsavedChanges)
    try undo.undo()
    #expect(!undo.hasUnsavedChanges && !undo.canUndo)
    undo.removeAll()
    #expect(!undo.hasUnsavedChanges)
    library.volume = 5
    undo.removeAll()
    #expect(undo.hasUnsavedChanges && !undo.canUndo)
  }

  @Test("UND.11: removeAll in a group removes its changes, too")
  func removingAll() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    undo.group {
      library.volume = 1
      undo.removeAll()
      library.name = "1"
    }
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(library.volume == 1 && library.name == "Home")
  }
}
