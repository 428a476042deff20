import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("UND managers with an executor")
struct UndoExecutorTests {
  private let library = KVUncheckedSendable(UndoLibrary("a"))
  private let undo: KVUncheckedSendable<KVUndoManager>
  private let executor = KVManualExecutor()

  init() {
    undo = KVUncheckedSendable(KVUndoManager(on: executor))
    run { undo, library in try undo.record(library) }
  }

  private func run(_ body: @escaping @Sendable (KVUndoManager, UndoLibrary) throws -> Void) {
    let (undo, library) = (undo, library)
    executor.enqueue {
      do { try body(undo.value, library.value) } catch { Issue.record(error) }
    }
    executor.runAll()
  }

  @Test("UND.14: calls that can throw do so off the executor, and change nothing")
  func throwing() throws {
    run { $1.name = "1" }
    let manager = undo.value
    let calls: [(KVUndoManager) throws -> Void] = [
      { try $0.undo() }, { try $0.redo() }, { [library] in try $0.record(library.value) },
      { [library] in try $0.recordElements(of: "songs", in: library.value) },
    ]
    for call in calls {
      let error = #expect(throws: KVError.self) { try call(manager) }
      #expect(error?.code == .wrongThread)
    }
    #expect(library.value.name == "1" && manager.undoCount == 1)
    run { undo, library in
      library.songs[0].title = "not recorded"
      #expect(undo.undoCount == 1)
      try undo.undo()
    }
    #expect(library.value.name == "Home")
  }

  @Test("UND.14: other calls report it and do nothing; bodies run, and are not recorded")
  func reporting() throws {
    run { $1.name = "1" }
    let (manager, library) = (undo.value, library.value)
    let list = KVArrayController<UndoSong>()
    let calls: [(KVUndoManager) -> Void] = [
      { $0.markSaved() }, { $0.removeAll() }, { $0.stopRecording(library) }, { $0.levelsOfUndo = 1 },
      { $0.register(library, undo: { _ in }, redo: { _ in }) }, { $0.mergesSettings(within: .seconds(1)) },
      { $0.stepName = { _ in "X" } }, { $0.restoresSelection(of: list) },
    ]
    for (number, call) in calls.enumerated() {
      let events = capturingEvents { call(manager) }.about(manager)
      #expect(events.map(\.topic) == [.undo] && events[0].message.contains("executor"), "call \(number)")
    }
    #expect(manager.undoCount == 1 && manager.hasUnsavedChanges && manager.undoName == "Change name")
    let events = capturingEvents {
      manager.group("G") { library.name = "2" }
      manager.withoutRecording { library.name = "3" }
    }
    #expect(events.about(manager).count == 2 && events.about(library).count == 2 && library.name == "3")
    #expect(manager.undoCount == 1 && !manager.isUndoing)
  }

  @Test("UND.14: the keys can be read on any thread while the executor changes the steps")
  func reading() {
    let (undo, library) = (undo, library)
    for number in 0..<50 { executor.enqueue { library.value.name = "\(number)" } }
    for _ in 0..<20 { executor.enqueue { _ = try? undo.value.undo() } }
    let executor = executor
    race(
      rounds: 1, { executor.runAll() },
      {
        for _ in 0..<200 {
          let (count, name) = (undo.value.undoCount, undo.value.undoMenuTitle)
          if count > 50 || count > 0 && name.isEmpty { Issue.record("\(count) \(name)") }
          _ = (undo.value.canUndo, undo.value.redoCount, undo.value.hasUnsavedChanges, undo.value.isRedoing)
        }
      })
    executor.runAll()
    #expect(undo.value.undoCount == 30 && undo.value.redoCount == 20)
  }
}
