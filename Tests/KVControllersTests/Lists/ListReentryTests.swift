import KVControllers
import KVCore
import TestModels
import Testing

@Suite("LST.1, LST.2: sources that are replaced or rolled back under a list")
struct ListReentryTests {
  @Test("LST.1: a section: the source is deallocated in its delegate, is observed anew in its delegate")
  func sections() throws {
    var source: KeyBox? = KeyBox()
    source!.rows = ["a", "b"]
    let section = KVObservingListSection<String>(title: "T")
    let list = KVListDataSource<String>([section])
    let screen = ListScreen()
    screen.show(list)
    try section.observe("rows", of: source!)
    let another = KeyBox()
    another.rows = ["z"]
    screen.onChange = { _, change in
      if case .rows(.insertion, _) = change { try? section.observe("rows", of: another) }
    }
    try source!.mutableArray(forKey: "rows").append("c")
    #expect(contents(of: list) == [["z"]] && screen.copy == [["z"]])
    source = nil
    #expect(contents(of: list) == [["z"]])
    #expect(KVDiagnostics.observations(of: another).count == 1)
  }

  @Test("LST.2, COA.8: transactions that are rolled back under a section")
  func sectionRollback() throws {
    let model = KeyBox()
    model.rows = ["a", "b"]
    let section = KVObservingListSection<String>()
    let list = KVListDataSource<String>([section])
    let screen = ListScreen()
    try section.observe("rows", of: model)
    screen.show(list)
    #expect(throws: BoxFailure.self) {
      try KVTransaction.run {
        let rows = model.mutableArray(forKey: "rows")
        try rows.append("c")
        try rows.remove(at: 0)
        try model.setValue(["q"], forKey: "rows")
        throw BoxFailure()
      }
    }
    #expect(screen.copy == [["a", "b"]] && contents(of: list) == [["a", "b"]])
  }
}
