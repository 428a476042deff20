import KVControllers
import KVCore
import Testing

@Suite("UND reverting to the saved state")
struct UndoSavingTests {
  private let library = UndoLibrary("a")
  private let undo = KVUndoManager()

  init() throws { try undo.record(library) }

  @Test("UND.11: revertToSaved undoes or redoes the steps since the models were saved")
  func reverts() throws {
    #expect(try undo.revertToSaved())
    library.name = "1"
    library.name = "2"
    #expect(try undo.revertToSaved() && library.name == "Home" && undo.redoCount == 2)
    try undo.redo()
    undo.markSaved()
    #expect(try undo.revertToSaved() && library.name == "1" && undo.undoCount == 1)
    try undo.redo()
    library.name = "3"
    library.volume = 7
    #expect(try undo.revertToSaved() && library.name == "1" && library.volume == 5 && undo.redoCount == 3)
    try undo.undo()
    #expect(undo.hasUnsavedChanges)
    #expect(try undo.revertToSaved() && library.name == "1" && undo.redoCount == 3 && !undo.hasUnsavedChanges)
  }

  @Test("UND.11: without steps to the saved state nothing changes")
  func unreachable() throws {
    library.name = "1"
    undo.markSaved()
    try undo.undo()
    library.name = "2"
    #expect(try !undo.revertToSaved() && library.name == "2")
    undo.markSaved()
    library.name = "3"
    undo.levelsOfUndo = 1
    library.name = "4"
    #expect(try !undo.revertToSaved() && library.name == "4")
    undo.removeAll()
    #expect(try !undo.revertToSaved() && undo.hasUnsavedChanges)
  }

  @Test("UND.7, UND.11: the steps on the way remain if one fails, however few levels are left; else they are trimmed")
  func levels() throws {
    for name in ["1", "2", "3"] { library.name = name }
    var isRefused = true
    undo.register(library, undo: { _ in }, redo: { _ in if isRefused { throw CancellationError() } })
    undo.markSaved()
    while try undo.undo() {}
    undo.levelsOfUndo = 1
    #expect(throws: KVError.self) { try undo.revertToSaved() }
    #expect(library.name == "Home" && undo.undoCount == 0 && undo.redoCount == 4)
    isRefused = false
    #expect(try undo.revertToSaved() && library.name == "3" && undo.undoCount == 1)
  }

  @Test("UND.7, UND.11: if a step cannot be reverted, none is")
  func refused() throws {
    let shelf = OracleShelf()
    try undo.record(shelf)
    try shelf.setValue(9, forKey: "guarded")
    shelf.title = "1"
    shelf.title = "2"
    shelf.floor = 6
    let error = #expect(throws: KVError.self) { try undo.revertToSaved() }
    #expect(error?.code == .invalidValue && shelf.title == "2" && shelf.guarded == 9)
    #expect(undo.undoCount == 3 && undo.redoCount == 0)
    shelf.floor = 0
    #expect(try undo.revertToSaved() && shelf.title == "t" && shelf.guarded == 5)
  }

  @Test("UND.7, UND.11: revertToSaved is refused where undo is")
  func group() {
    undo.group {
      let error = #expect(throws: KVError.self) { try undo.revertToSaved() }
      #expect(
        error?.message
          == """
          nothing can be reverted in a group, a transaction, or a change that is being recorded. Call revertToSaved() after \
          that.
          """)
    }
  }
}
