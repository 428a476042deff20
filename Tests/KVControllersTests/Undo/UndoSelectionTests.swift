import KVCore
import Testing

@testable import KVControllers

@Suite("UND selections")
struct UndoSelectionTests {
  private let library = UndoLibrary("a", "b", "c", "d")
  private let list = KVArrayController { UndoSong("new") }
  private let undo = KVUndoManager()
  private var selected: [String] { list.selectedObjects.map(\.title) }

  init() throws {
    try undo.recordElements(of: "songs", in: library)
    try list.bindContent(to: "songs", of: library)
    undo.restoresSelection(of: list)
  }

  @Test("UND.13: undo selects what was selected before the step, redo what was selected after it")
  func removal() throws {
    list.selectionIndexes = [1, 2]
    #expect(undo.undoCount == 0, "selecting alone is no step")
    try list.remove()
    #expect(selected == ["d"] && undo.undoCount == 1)
    list.selectionIndexes = [0]
    try undo.undo()
    #expect(selected == ["b", "c"])
    list.selectionIndexes = [0]
    try undo.redo()
    #expect(selected == ["d"] && undo.undoCount == 1)
    try undo.undo()
    #expect(selected == ["b", "c"])
  }

  @Test("UND.13: the same for changes of the model, groups, scopes and merged settings")
  func steps() throws {
    list.selectionIndexes = [0]
    library.songs[3].title = "D"
    list.selectionIndexes = [1]
    undo.group("Both") {
      list.selectionIndexes = [2]
      try? list.add(UndoSong("e"))
      list.selectionIndexes = [3, 4]
    }
    undo.mergesSettings(within: .seconds(1_000))
    list.selectionIndexes = [0]
    library.songs[0].plays = 1
    list.selectionIndexes = [1]
    library.songs[0].plays = 2
    list.selectionIndexes = []
    #expect(undo.undoCount == 3)
    try undo.undo()
    #expect(selected == ["a"])
    try undo.redo()
    #expect(selected == ["b"])
    try undo.undo()
    try undo.undo()
    #expect(selected == ["b"])
    try undo.redo()
    #expect(selected == ["D", "e"])
    try undo.undo()
    try undo.undo()
    #expect(selected == ["a"] && library.titles == ["a", "b", "c", "d"])
  }

  @Test("UND.13: objects that are gone, hidden or not arranged are left out; an undo that fails selects nothing")
  func leftOut() throws {
    struct Failure: Error {}
    list.selectionIndexes = [0, 1]
    library.songs[3].title = "D"
    list.filterPredicate = "title != 'b'"
    list.selectionIndexes = [1]
    try undo.undo()
    #expect(selected == ["a"])
    list.filterPredicate = nil
    list.selectionIndexes = [2]
    undo.group {
      undo.register(library, undo: { _ in throw Failure() }, redo: { _ in })
      library.songs[0].title = "A"
    }
    list.selectionIndexes = [3]
    #expect(throws: KVError.self) { try undo.undo() }
    #expect(selected == ["d"] && library.titles[0] == "A")
  }

  @Test("UND.12, UND.13: neither the controller nor what is selected is retained; it can be stopped")
  func lifetimes() throws {
    weak var gone: KVArrayController<UndoSong>?
    weak var song: UndoSong?
    do {
      let other = KVArrayController { UndoSong("x") }
      gone = other
      let selected = UndoSong("s")
      song = selected
      other.content = [selected]
      undo.restoresSelection(of: other)
      other.selectionIndexes = [0]
      library.songs[0].title = "A"
    }
    #expect(gone == nil && song == nil)
    try undo.undo()
    #expect(library.titles[0] == "a")
    list.selectionIndexes = [0]
    undo.stopRecording(list)
    library.songs[0].title = "A"
    list.selectionIndexes = [2]
    try undo.undo()
    #expect(selected == ["c"])
  }

  @Test("UND.13, UND.15: steps between which the selection does not change share it, and undo does not select it again")
  func shared() throws {
    let comparisons = CountedRow.Count()
    let rows = (0..<20).map { CountedRow(number: $0, comparisons: comparisons) }
    let table = KVArrayController<CountedRow>()
    table.content = rows
    undo.restoresSelection(of: table)
    table.selectionIndexes = Array(0..<10)
    try undo.record(library)
    for number in 1...5 { library.volume = number + 5 }
    table.selectionIndexes = [15]
    try library.list.append(UndoSong("e"))
    for number in 1...4 { library.volume = number }
    let saved = undo.history.done.flatMap(\.selections).filter { $0.selection === undo.selections.last }
    #expect(saved.count == 10)
    #expect(Set(saved.flatMap { [ObjectIdentifier($0.before), ObjectIdentifier($0.after)] }).count == 2)
    var counts: [Int] = []
    while undo.canUndo {
      comparisons.value = 0
      try undo.undo()
      counts.append(comparisons.value)
    }
    #expect(counts.map { $0 > 0 } == (0..<10).map { $0 == 5 }, "only the step before which other rows were selected")
    #expect(table.selectionIndexes == Array(0..<10))
    while try undo.redo() {}
    #expect(table.selectionIndexes == [15])
  }

  @Test("UND.4: a group names the step of the scope of a task, so that an asynchronous step has a name") @MainActor
  func asynchronous() async throws {
    await KVCoalescing.coalesce {
      undo.group("Import") {}
      library.songs[0].title = "A"
      await Task.yield()
      library.songs.append(UndoSong("e"))
    }
    #expect(undo.undoCount == 1 && undo.undoName == "Import")
    try undo.undo()
    #expect(library.titles == ["a", "b", "c", "d"])
  }
}

/// A value that counts how often values are compared.
private struct CountedRow: Hashable {
  final class Count { var value = 0 }
  let number: Int
  let comparisons: Count

  static func == (left: CountedRow, right: CountedRow) -> Bool {
    left.comparisons.value += 1
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
