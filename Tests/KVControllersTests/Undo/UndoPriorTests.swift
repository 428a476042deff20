import KVControllers
import KVCore
import Testing

@Suite("UND handlers of prior records that change the key")
struct UndoPriorTests {
  private let library = UndoLibrary("a", "b", "c")
  private let undo = KVUndoManager()

  /// Makes a change whose prior record a handler answers once, and walks through the step.
  private func check(
    _ key: String, first: Bool, _ change: (UndoLibrary) throws -> Void, answer: @escaping (UndoLibrary) throws -> Void
  ) throws {
    var isDone = false
    func observe() throws -> KVObservation {
      try library.observe(KVKeyPath(key), options: [.old, .new, .prior]) { [library] change in
        if !change.isPrior || isDone { return }
        isDone = true
        try? answer(library)
      }
    }
    let early = first ? try observe() : nil
    try undo.record(library)
    let late = first ? nil : try observe()
    func state() -> [String] { [library.name] + library.titles + library.genres + library.tags.sorted() }
    let before = state()
    try change(library)
    let after = state()
    #expect(isDone && undo.undoCount == 1)
    try undo.undo()
    #expect(state() == before)
    try undo.redo()
    #expect(state() == after)
    try undo.undo()
    #expect(state() == before)
    [early, late].forEach { $0?.cancel() }
  }

  @Test("UND.5, KVO.7: a setting", arguments: [true, false])
  func settings(first: Bool) throws {
    try check("name", first: first) {
      $0.name = "C"
    } answer: {
      $0.name = "B"
    }
  }

  @Test("UND.5, KVO.7: a setting by key", arguments: [true, false])
  func settingsByKey(first: Bool) throws {
    try check("name", first: first) {
      try $0.setValue("C", forKey: "name")
    } answer: {
      $0.name = "B"
    }
  }

  @Test("UND.5, TOM.3: an insertion while the handler inserts, removes and replaces", arguments: [true, false], 0..<4)
  func insertions(first: Bool, answer: Int) throws {
    try check("songs", first: first) {
      try $0.list.insert(UndoSong("x"), at: 1)
    } answer: {
      try Self.edit($0, answer)
    }
  }

  @Test("UND.5, TOM.3: a removal while the handler inserts, removes and replaces", arguments: [true, false], 0..<4)
  func removals(first: Bool, answer: Int) throws {
    try check("songs", first: first) {
      try $0.list.remove(at: 1)
    } answer: {
      try Self.edit($0, answer)
    }
  }

  @Test("UND.5, TOM.3: a replacement while the handler inserts, removes and replaces", arguments: [true, false], 0..<4)
  func replacements(first: Bool, answer: Int) throws {
    try check("songs", first: first) {
      try $0.list.replace(at: 1, with: UndoSong("x"))
    } answer: {
      try Self.edit($0, answer)
    }
  }

  @Test(
    "UND.2, TOM.3: an edit whose indexes do not exist any more is not recorded, and a list follows", arguments: 0..<3)
  func goneIndexes(kind: Int) throws {
    try undo.record(library)
    var copy = library.songs
    let follower = try library.observe("songs", options: [.old, .new]) { [library] change in
      switch change.kind {
      case .setting: copy = library.songs
      case .removal: for index in (change.indexes ?? []).reversed() { copy.remove(at: index) }
      default: Issue.record("\(change.kind)")
      }
    }
    var isDone = false
    let token = try library.observe("songs", options: [.old, .new, .prior]) { [library] change in
      if !change.isPrior || isDone { return }
      isDone = true
      try? library.list.removeAll()
    }
    let error = #expect(throws: KVError.self) {
      switch kind {
      case 0: try library.list.remove(at: 1)
      case 1: try library.list.replace(at: 1, with: UndoSong("x"))
      default: try library.list.insert(UndoSong("x"), at: 2)
      }
    }
    #expect(error?.code == .indexOutOfRange && library.songs.isEmpty && copy.isEmpty && undo.undoCount == 1)
    [follower, token].forEach { $0.cancel() }
    try undo.undo()
    #expect(library.titles == ["a", "b", "c"])
  }

  @Test("UND.5, TOM.3: the members of a set", arguments: [true, false], [true, false])
  func members(first: Bool, inserts: Bool) throws {
    library.tags = ["p", "q"]
    try check("tags", first: first) { library in
      let tags = library.mutableSet(forKey: "tags")
      if inserts { try tags.formUnion(["r", "s"]) } else { try tags.subtract(["p", "q"]) }
    } answer: { library in
      let tags = library.mutableSet(forKey: "tags")
      if inserts { try tags.formUnion(["r"]) } else { try tags.subtract(["p"]) }
    }
  }

  private static func edit(_ library: UndoLibrary, _ kind: Int) throws {
    switch kind {
    case 0: try library.list.insert(UndoSong("y"), at: 0)
    case 1: try library.list.remove(at: 0)
    case 2: try library.list.replace(at: 1, with: UndoSong("y"))
    default: library.songs = [library.songs[2], UndoSong("z"), library.songs[0]]
    }
  }
}
