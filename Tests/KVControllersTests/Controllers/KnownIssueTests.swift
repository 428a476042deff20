import KVControllers
import KVCore
import Testing

/// What controllers and live lists are to do once all that a change causes is one wave.
@Suite struct KnownIssueTests {
  @Test("CTR.12: a bound column reads O(n) values for n insertions")
  func boundColumn() throws {
    let list = KVArrayController<CountedRow>()
    let label: KVRecord = ["names": [String]()]
    let binding = try label.bind("names", to: "arrangedObjects.name", of: list)
    let rows = (0..<20).map { _ in CountedRow() }
    for row in rows { try list.add(row) }
    #expect((label.names as? [String])?.count == 20)
    #expect(rows.reduce(0) { $0 + $1.reads } <= 3 * rows.count)
    binding.cancel()
  }

  @Test("CTR.12: a value is read once when its element is inserted, also by an assignment")
  func assignedColumn() throws {
    let list = KVArrayController<CountedRow>()
    let token = try list.observe("arrangedObjects.name") { _ in }
    let rows = (0..<3).map { _ in CountedRow() }
    list.content = rows
    #expect(rows.map(\.reads) == [1, 1, 1])
    let inserted = CountedRow()
    try list.add(inserted)
    #expect(inserted.reads == 1)
    token.cancel()
  }

  @Test("SRT.9: a live list whose sort values change their type altogether is sorted by the new ones")
  func changedType() throws {
    let records: [KVRecord] = [["key": 3], ["key": 1], ["key": 2]]
    let source: KVRecord = ["rows": records]
    let list = try KVArrangement<KVRecord>(of: "rows", in: source, sortedBy: [KVSortDescriptor("key")])
    for (record, value) in zip(records, ["c", "a", "b"]) { record.key = value }
    #expect(list.elements.map { $0.key as? String } == ["a", "b", "c"])
    #expect(list.arrangementError == nil)
  }

  @Test("TRC.3, TRC.4: a handler that edits the bound roots while a node moves loses and repeats nothing")
  func editedRoots() throws {
    let (disk, a) = (TreeDisk(), TreeFolder("a", [TreeFolder("a1")]))
    disk.folders = [a, TreeFolder("b")]
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    try tree.bindContent(to: "folders", of: disk)
    var isEdited = false
    let token = try a.observe("folders") { _ in
      if isEdited { return }
      isEdited = true
      disk.folders.append(TreeFolder("h"))
    }
    try tree.move([[1]], to: [0, 0])
    token.cancel()
    // The children are set at once, the roots at the end of the update: the model's change replaces them before.
    withKnownIssue { #expect(disk.folders.map(\.text) == ["a(b a1)", "h"]) }
  }
}

private final class CountedRow: KVObject {
  @KVProperty private var stored = "a"
  @KVProperty var secret = "s"
  private(set) var reads = 0
  var name: String {
    reads += 1
    return stored
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedRow.self) { key in
      key("name", \.name).affected(by: "stored")
      key("secret", \.secret)
    }
  }
}
