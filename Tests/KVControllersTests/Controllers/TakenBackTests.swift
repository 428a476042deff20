import KVControllers
import KVCore
import Testing

/// What a controller takes back, at the end of an update or between two records.
@Suite struct TakenBackTests {
  private let list = KVArrayController { Tune() }
  private let pane: KVRecord = ["rows": [Int](), "editable": true]

  init() { list.content = [Tune("a", rank: 1), Tune("b", rank: 2), Tune("c", rank: 3)] }

  @Test("CTR.9: an edit of a bound target that the end of an update takes back is taken back in the target, too")
  func selection() throws {
    let binding = try pane.bind("rows", to: "selectionIndexes", of: list, options: .twoWay)
    list.update {
      pane.rows = [Int]()
      list.filterPredicate = try? KVPredicate(format: "rank < 3")
    }
    #expect(list.selectionIndexes == [0] && pane.rows as? [Int] == [0])
    list.update {
      pane.rows = [1]
      list.selectionIndexes = [0]
    }
    #expect(list.selectionIndexes == [0] && pane.rows as? [Int] == [0])
    binding.cancel()
  }

  @Test("CTR.9: so is one that the controller is the target of")
  func target() throws {
    let binding = try list.bind("isEditable", to: "editable", of: pane, options: .twoWay)
    list.update {
      pane.editable = false
      list.isEditable = true
    }
    #expect(list.isEditable && pane.editable as? Bool == true)
    binding.cancel()
  }

  @Test("CTR.9: an edit of a bound target that stays notifies once")
  func kept() throws {
    let binding = try pane.bind("rows", to: "selectionIndexes", of: list, options: .twoWay)
    var count = 0
    let token = try list.observe("selectionIndexes") { _ in count += 1 }
    list.update { pane.rows = [1] }
    #expect(list.selectionIndexes == [1] && pane.rows as? [Int] == [1] && count == 1)
    list.update { list.filterPredicate = nil }
    #expect(count == 1)
    token.cancel()
    binding.cancel()
  }

  @Test("CTR.11: a target of the selection has its value after a move, whatever handlers write between")
  func between() throws {
    list.automaticallyRearrangesObjects = true
    list.sortDescriptors = [KVSortDescriptor("rank")]
    let first = list.content[0]
    let label: KVRecord = ["text": ""]
    let binding = try label.bind("text", to: "selection.title", of: list)
    #expect(label.text as? String == "a")
    let token = try list.observe("arrangedObjects") { if $0.kind == .removal { first.title = "A" } }
    first.rank = 9
    #expect(list.arrangedObjects.map(\.title) == ["b", "c", "A"] && list.selectedObjects.first === first)
    #expect(label.text as? String == "A")
    token.cancel()
    binding.cancel()
  }
}
