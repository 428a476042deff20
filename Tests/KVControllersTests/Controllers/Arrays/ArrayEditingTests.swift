import KVControllers
import TestModels
import Testing

/// Editors of array controllers, and elements that are values (CTR.27, CTR.28, CTR.36, EDT.4).
@Suite struct ArrayEditingTests {
  private let list = KVArrayController { Tune() }
  private let field = EditingField()

  init() {
    list.content = [Tune("a"), Tune("b"), Tune("c")]
    list.beginEditing(field)
  }

  @Test("CTR.27, EDT.4: selecting, assigning content and removing commit edits first")
  func committing() throws {
    try list.selectNext()
    try list.select(list.content[0])
    list.selectionIndexes = [1]
    try list.remove()
    try list.add()
    list.content = [Tune("d")]
    #expect(field.commits == 6)
    list.sortDescriptors = ["title"]
    list.filterPredicate = "title != 'x'"
    list.rearrangeObjects()
    try list.setValue([KVSortDescriptor](), forKey: "sortDescriptors")
    try list.setValue(nil, forKey: "filterPredicate")
    #expect(field.commits == 11)
  }

  @Test("CTR.27, EDT.4: a commit that fails prevents them")
  func refusing() throws {
    field.refuses = true
    expectCause(EditingField.Refusal.self) { try list.selectNext() }
    expectCause(EditingField.Refusal.self) { try list.select(list.content[1]) }
    expectCause(EditingField.Refusal.self) { try list.remove() }
    expectCause(EditingField.Refusal.self) { try list.add() }
    expectCause(EditingField.Refusal.self) { try list.insert(Tune(), at: 0) }
    list.selectionIndexes = [1]
    list.content = []
    list.sortDescriptors = [.descending("title")]
    list.filterPredicate = "title != 'a'"
    #expect(throws: KVError.self) { try list.setValue(nil, forKey: "filterPredicate") }
    #expect(list.content.map(\.title) == ["a", "b", "c"] && list.selectionIndexes == [0])
    #expect(list.arrangedObjects.map(\.title) == ["a", "b", "c"] && list.sortDescriptors.isEmpty)
  }

  @Test("CTR.10, EDT.4: an edit that moves its row is committed before a filter", arguments: [true, false])
  func movingBeforeFiltering(isFormFirst: Bool) throws {
    let tunes = KVArrayController<Tune>()
    let (form, table) = (Tune(), Table())
    tunes.content = [Tune("a", rank: 8), Tune("b", rank: 3), Tune("c", rank: 4)]
    (tunes.automaticallyRearrangesObjects, tunes.sortDescriptors) = (true, ["rank"])
    tunes.selectionIndexes = [0]
    let bind = {
      try form.bind(
        "rank", to: "selection.rank", of: tunes, options: .init(.twoWay, noSelection: 0, trigger: .onCommit))
    }
    if isFormFirst { _ = try bind() }
    table.rows = tunes.arrangedObjects
    let token = try tunes.observe("arrangedObjects") { table.apply($0) }
    if !isFormFirst { _ = try bind() }
    form.rank = 9
    tunes.filterPredicate = "rank > 4"
    #expect(tunes.arrangedObjects.map(\.title) == ["a", "b"] && table.rows.map(\.title) == ["a", "b"])
    token.cancel()
  }

  /// Applies the records by index to a copy, as a table view does.
  private final class Table {
    var rows: [Tune] = []

    func apply(_ change: KVChange) {
      switch change.kind {
      case .setting: rows = change.new as? [Tune] ?? []
      case .removal: for index in (change.indexes ?? []).reversed() { rows.remove(at: index) }
      case .insertion:
        for (index, tune) in zip(change.indexes ?? [], change.new as? [Tune] ?? []) { rows.insert(tune, at: index) }
      case .replacement:
        for (index, tune) in zip(change.indexes ?? [], change.new as? [Tune] ?? []) { rows[index] = tune }
      }
    }
  }

  @Test("CTR.36, 28: values that are written through the selection are replaced, and stay selected")
  func values() throws {
    let rows = KVArrayController<[String: Int]>()
    rows.content = [["n": 3], ["n": 1], ["n": 2]]
    rows.sortDescriptors = ["n"]
    rows.selectionIndexes = [0, 1]
    var lines: [String] = []
    let token = try rows.observe("arrangedObjects") { lines.append("\($0.kind) \($0.indexes ?? [])") }
    try rows.setValue(7, forKeyPath: "selection.n")
    #expect(rows.arrangedObjects == [["n": 7], ["n": 7], ["n": 3]])
    #expect(rows.content == [["n": 3], ["n": 7], ["n": 7]])
    #expect(rows.selectionIndexes == [0, 1] && lines == ["replacement [0, 1]"])
    token.cancel()
  }

  @Test("CTR.15: all objects are selected when the content is set as a whole")
  func selectingAll() throws {
    let shelf = Shelf([Tune("x"), Tune("y")])
    let all = KVArrayController { Tune() }
    try all.bindContent(to: "tunes", of: shelf, selectsAll: true)
    #expect(all.selectionIndexes == [0, 1])
    try shelf.mutableArray(forKey: "tunes").append(Tune("z"))
    #expect(all.selectionIndexes == [0, 1])
    shelf.tunes = [Tune("p"), Tune("q"), Tune("r")]
    #expect(all.selectionIndexes == [0, 1, 2])
  }

  @Test("CTR.5: nothing can be added while the content is bound through an operator")
  func oneWay() throws {
    let shelf = Shelf([Tune("x")])
    try list.bindContent(to: "tunes.@unionOfObjects.self", of: shelf)
    #expect(!list.canAdd && !list.canInsert && !list.canRemove)
    #expect(throws: KVError.self) { try list.add(Tune()) }
    try list.unbind("content")
    #expect(list.canAdd && list.canRemove)
  }
}
