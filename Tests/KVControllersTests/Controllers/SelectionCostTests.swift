import KVCore
import Testing

@testable import KVControllers

/// How often keys are read, set and notified of while another object is selected (CTR.40).
@Suite("CTR what selecting costs")
struct SelectionCostTests {
  /// The keys that were read.
  private final class Reads {
    var keys: [String] = []

    func take() -> [String] {
      defer { keys = [] }
      return keys.sorted()
    }
  }

  private final class Row: KVObject {
    let number: Int
    let team: Row?
    private let reads: Reads

    init(_ number: Int, team: Row? = nil, _ reads: Reads) {
      (self.number, self.team, self.reads) = (number, team, reads)
    }

    private func read<Value>(_ key: String, _ value: Value) -> Value {
      reads.keys.append("\(number).\(key)")
      return value
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Row.self) { key in
        for name in SelectionCostTests.keys { key(name, { (row: Row) in row.read(name, row.number) }) }
        key("team", { (row: Row) in row.read("team", row.team) })
      }
    }
  }

  /// What is bound, which counts the values that it is given.
  private final class Panel: KVObject {
    private(set) var values: [String: Int] = [:]
    private(set) var sets: [String] = []

    func take() -> [String] {
      defer { sets = [] }
      return sets
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Panel.self) { key in
        for name in SelectionCostTests.keys + ["team"] {
          key(
            name, { (panel: Panel) in panel.values[name] ?? -1 },
            set: { panel, value in
              panel.values[name] = value
              panel.sets.append(name)
            })
        }
      }
    }
  }

  private static let keys = ["a", "b", "c", "d"]
  private static let paths = keys.map { ($0, "selection.\($0)") } + [("team", "selection.team.a")]
  private let panel = Panel()
  private let counted = Reads()
  private let rows: [Row]
  private let log = ChangeLog()

  init() {
    let counted = counted
    rows = (1...4).map { Row($0, team: Row($0 * 10, counted), counted) }
  }

  private func bind(_ controller: KVController) throws {
    for (key, path) in Self.paths {
      try panel.bind(
        KVKeyPath(key), to: KVKeyPath(path), of: controller, options: .init(noSelection: -1, multipleValues: -2))
    }
  }

  /// The keys that five bindings read of a row that is selected; that of the team twice, since its path is followed, too.
  private func reads(_ number: Int) -> [String] {
    (Self.keys.map { "\(number).\($0)" } + ["\(number).team", "\(number).team", "\(number)0.a"]).sorted()
  }

  @Test("CTR.40: another object of five bindings is read once by each, and each target is set once")
  func bindings() throws {
    let form = KVObjectController<Row>()
    let list = KVArrayController<Row>()
    list.content = rows
    for (controller, select) in [
      (form as KVController, { form.content = rows[$0] }), (list, { list.selectionIndexes = [$0] }),
    ] as [(KVController, (Int) -> Void)] {
      select(0)
      try bind(controller)
      try log.observe(
        controller, "selectedObjects", "selection", "canRemove", "selection.@count", options: [])
      (_, _) = (counted.take(), panel.take())
      select(1)
      #expect(counted.take() == reads(2))
      #expect(panel.take().sorted() == ["a", "b", "c", "d", "team"] && panel.values["team"] == 20)
      #expect(log.take().map { $0.prefix { $0 != ":" } } == ["selectedObjects", "selection", "selection.@count"])
      // Selecting the same object again costs nothing.
      select(1)
      #expect(counted.take() == [] && panel.take() == [])
      #expect(log.take() == [])
      panel.unbindAll()
      log.stop()
      select(0)
      #expect(counted.take() == [], "without observers no key is read")
    }
  }

  @Test("CTR.33, CTR.40: several selected objects are read once each; with alwaysUsesMultipleValuesMarker none is")
  func several() throws {
    let list = KVArrayController<Row>()
    list.content = rows
    list.selectionIndexes = [0]
    try bind(list)
    _ = counted.take()
    list.selectionIndexes = [1, 2]
    #expect(counted.take() == (reads(2) + reads(3)).sorted() && panel.values["a"] == -2)
    list.alwaysUsesMultipleValuesMarker = true
    _ = counted.take()
    list.selectionIndexes = [2, 3]
    #expect(counted.take().allSatisfy { $0.hasSuffix("team") } && panel.values["a"] == -2)
  }

  @Test("CTR.37, CTR.40: an observer that wants values costs one read of the former object and one of the new one")
  func values() throws {
    let form = KVObjectController(rows[0])
    try log.observe(form, "selection.a")
    try log.observe(form, "selection.a")
    _ = counted.take()
    form.content = rows[1]
    #expect(counted.take() == ["1.a", "2.a"])
    #expect(log.take() == ["selection.a: 1 → 2", "selection.a: 1 → 2"])
    form.update {
      form.content = rows[2]
      form.content = rows[3]
    }
    #expect(counted.take() == ["2.a", "4.a"] && log.take().count == 2)
    form.isEditable = false
    #expect(counted.take() == [] && log.take() == [])
  }
}
