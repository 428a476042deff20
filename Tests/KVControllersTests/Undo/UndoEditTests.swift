import KVControllers
import KVCore
import Testing

@Suite("UND what is not recorded, and edits that are no keys")
struct UndoEditTests {
  @Test("UND.8: changes by undo and in withoutRecording are not recorded; a new step removes the undone ones")
  func unrecorded() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    library.name = "1"
    library.name = "2"
    try undo.undo()
    #expect(undo.undoCount == 1 && undo.redoCount == 1)
    undo.withoutRecording {
      library.volume = 7
      undo.withoutRecording { library.volume = 8 }
      library.volume = 9
      undo.register(library, undo: { _ in }, redo: { _ in })
      undo.group("None") { library.total = 3 }
    }
    #expect(undo.undoCount == 1 && undo.redoCount == 1)
    library.total = 4
    #expect(undo.undoCount == 2 && undo.redoCount == 0)
    try undo.undo()
    #expect(library.total == 3 && library.volume == 9)
  }

  @Test("UND.8: deferred handlers that answer an undo are not recorded either")
  func deferredAnswers() throws {
    let library = UndoLibrary()
    let undo = KVUndoManager()
    try undo.record(library)
    let token = try library.observe("name", options: [.new, .coalesced]) { _ in library.total += 1 }
    library.name = "1"
    #expect(undo.undoCount == 1 && library.total == 1)
    try undo.undo()
    #expect(undo.undoCount == 0 && undo.redoCount == 1 && library.total == 0)
    token.cancel()
  }

  @Test("UND.13: registered edits are undone in order with the changes")
  func registered() throws {
    let (library, canvas) = (UndoLibrary(), Canvas())
    let undo = KVUndoManager()
    try undo.record(library)
    canvas.angle = 90
    undo.register(canvas, undo: { $0.angle = 0 }, redo: { $0.angle = 90 })
    #expect(undo.undoCount == 1 && undo.undoName == nil && undo.undoMenuTitle == "Undo")
    undo.group("Turn") {
      library.name = "1"
      canvas.notes.append(library.name)
      undo.register(
        canvas, undo: { $0.notes.append("undo \(library.name)") }, redo: { $0.notes.append("redo \(library.name)") })
      library.name = "2"
    }
    try undo.undo()
    #expect(canvas.notes == ["1", "undo 1"] && library.name == "Home")
    try undo.undo()
    #expect(canvas.angle == 0)
    while try undo.redo() {}
    #expect(canvas.angle == 90 && canvas.notes == ["1", "undo 1", "redo 1"] && library.name == "2")
    undo.register(canvas, undo: { _ in throw Canvas.Stuck() }, redo: { _ in })
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .custom && error?.underlying is Canvas.Stuck && undo.undoCount == 3)
  }
}

private final class Canvas {
  struct Stuck: Error {}
  var angle = 0
  var notes: [String] = []
}
