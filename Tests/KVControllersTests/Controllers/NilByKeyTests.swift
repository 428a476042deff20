import KVControllers
import KVCore
import KVTestSupport
import Testing

/// nil by key is empty where a key of a controller or a live list is an array.
@Suite struct NilByKeyTests {
  private let list = KVArrayController { Tune() }

  init() { list.content = [Tune("b"), Tune("a")] }

  @Test("CTR.13: nil by key is no descriptor and no selection", arguments: ["selectionIndexes", "selectedObjects"])
  func keyed(key: String) throws {
    list.sortDescriptors = [KVSortDescriptor("title")]
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"] && !list.selectionIndexes.isEmpty)
    try list.setValue(nil, forKey: key)
    #expect(list.selectionIndexes.isEmpty && list.selectedObjects.isEmpty)
    try list.setValue(nil, forKey: "sortDescriptors")
    #expect(list.sortDescriptors.isEmpty && list.arrangedObjects.map(\.title) == ["b", "a"])
    #expect(throws: KVError.self) { try list.setValue(nil, forKey: "isEditable") }
  }

  @Test("CTR.13: nil for the descriptors commits edits first, and throws if that fails")
  func refused() throws {
    let field = EditingField()
    list.sortDescriptors = [KVSortDescriptor("title")]
    list.beginEditing(field)
    field.refuses = true
    #expect(throws: KVError.self) { try list.setValue(nil, forKey: "sortDescriptors") }
    #expect(list.sortDescriptors.count == 1)
  }

  @Test("CTR.13: a source that becomes nil empties the keys of a controller that are bound to it")
  func bound() throws {
    let pane: KVRecord = [
      "order": [KVSortDescriptor("title")], "rows": [1], "tunes": [list.content[0]],
    ]
    let order = try list.bind("sortDescriptors", to: "order", of: pane)
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"])
    pane.order = nil
    #expect(list.sortDescriptors.isEmpty && order.state == .active)
    let rows = try list.bind("selectionIndexes", to: "rows", of: pane)
    #expect(list.selectionIndexes == [1])
    pane.rows = nil
    #expect(list.selectionIndexes.isEmpty && rows.state == .active)
    rows.cancel()
    let tunes = try list.bind("selectedObjects", to: "tunes", of: pane)
    #expect(list.selectionIndexes == [0])
    pane.tunes = nil
    #expect(list.selectedObjects.isEmpty && tunes.state == .active)
    tunes.cancel()
    order.cancel()
  }

  @Test("CTR.13: nil by key is no descriptor of a live list and of live groups")
  func live() throws {
    let shelf = Shelf([Tune("b"), Tune("a")])
    let descriptor = KVSortDescriptor("title")
    let arrangement = try KVArrangement<Tune>(of: "tunes", in: shelf, sortedBy: [descriptor])
    try arrangement.setValue(nil, forKey: "descriptors")
    #expect(arrangement.elements.map(\.title) == ["b", "a"] && arrangement.descriptors.isEmpty)
    let groups = try KVGroups<Tune>(of: "tunes", in: shelf, by: "rank", sortedBy: [descriptor])
    try groups.setValue(nil, forKey: "descriptors")
    #expect(groups.descriptors.isEmpty)
    #expect(throws: KVError.self) { try groups.setValue(nil, forKey: "elements") }
  }
}
