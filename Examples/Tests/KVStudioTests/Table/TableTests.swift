import Foundation
import KVBinding
import KVDocuments
import KVQuery
import Testing

@testable import KVStudio

@MainActor @Suite("The table shows records in the order, the groups and the filter that all windows share")
struct TableTests {
  let page = TablePage(TableModel.survey(count: 150))

  private func refusal(_ action: String, _ body: [String: Any]) -> String {
    do { _ = try page.ask(action, body) } catch {
      return (error as? Refusal)?.sentence ?? (error as? KVError)?.message ?? "\(error)"
    }
    return ""
  }

  @Test("The survey is the same for the same seed, and a document's longest list of objects is a table")
  func documents() throws {
    let (first, second) = (TableModel.survey(count: 50), TableModel.survey(count: 50))
    #expect(first.records.map(\.dictionary.description.count) == second.records.map(\.dictionary.description.count))
    for record in first.records {
      for column in first.columns { _ = try column.value(of: TableColumn.text(of: record[column.key])) }
    }
    let json =
      #"{"a": [1, 2, 3], "b": [{"n": 1, "t": "x", "m": 1}, {"n": 2.5, "t": null, "m": "y", "f": true}], "c": [{"n": 1}]}"#
    let table = try #require(try TableModel(KVRecord(json: Data(json.utf8)), named: "x.json"))
    #expect(table.records.count == 2 && table.title == "x.json")
    #expect(table.columns.map { "\($0.key) \($0.kind)" } == ["m other", "n number", "t text", "f flag"])
    #expect(try TableModel(KVRecord(json: Data(#"{"a": [1]}"#.utf8)), named: "x.json") == nil)
  }

  @Test("Rows are asked for by index; a sort by several columns, a filter and groups change them for all windows")
  func arranging() throws {
    let all = try page.rows()
    #expect(all.count == 150 && page.summary["count"] as? Int == 150)
    try page.ask("sort", ["column": "status", "adds": false])
    try page.ask("sort", ["column": "speakers", "adds": true])
    try page.ask("sort", ["column": "speakers", "adds": true])
    let model = try #require(page.part.table).model
    let expected = try model.records.sorted(by: [.ascending("status", .caseInsensitive), .descending("speakers")])
    #expect(try page.rows().map { $0.cells[1] } == expected.map { TableColumn.text(of: $0.code) })
    #expect(try page.rows(in: "b").map(\.text) == page.rows().map(\.text))
    #expect(TablePage.json(page.summary["sort"]).contains(#""ascending":false,"key":"speakers","place":2"#))
    try page.ask("filter", ["text": "speakers > 1000 AND status == 'Living'"])
    let filtered = try page.rows()
    #expect(!filtered.isEmpty && filtered.count < 150 && filtered.allSatisfy { $0.cells[2] == "Living" })
    try page.ask("filter", ["text": " "])
    try page.ask("group", ["column": "status"])
    let groups = try page.rows().filter { $0.group != nil }
    #expect(groups.map(\.count).reduce(0, +) == 150 && page.summary["count"] as? Int == 150 + groups.count)
    #expect(groups.first?.group?.hasPrefix("Status: ") == true)
    // Three clicks: ascending, descending, none.
    for _ in 0..<3 { try page.ask("sort", ["column": "name", "adds": false]) }
    try page.ask("group", ["column": ""])
    #expect(try page.rows().map(\.text) == all.map(\.text))
  }

  @Test("A filter that is wrong is shown with a mark below the character, and one that reads too much is refused")
  func filters() throws {
    do {
      try page.ask("filter", ["text": "speakers > "])
      Issue.record("the filter is accepted")
    } catch let refusal as Refusal {
      #expect(
        refusal.details == ["speakers > ", "           ^"] && refusal.sentence.contains("expected an expression"))
    }
    for (text, words) in [
      ("spekers > 1", "Did you mean \"speakers\"?"), ("name MATCHES '(a+)+'", "MATCHES"), ("now() > 1", "now"),
      ("speakers < 'x'", "x"), (String(repeating: "(", count: 1001), "1000 bytes"), ("name.length > 1", "name.length"),
    ] { #expect(refusal("filter", ["text": text]).contains(words), "\(text): \(refusal("filter", ["text": text]))") }
    #expect(try page.rows().count == 150 && page.summary["filter"] as? String == "")
  }

  @Test("The detail pane shows the common value of the selected rows, or a marker")
  func selecting() throws {
    try page.ask("group", ["column": "status"])
    #expect(page.field("name").marker == "No selection")
    let rows = try page.rows()
    let head = try #require(rows.firstIndex { $0.group == "Status: Living" })
    let living = Array(rows[(head + 1)...])
    try page.select(head + 1)
    #expect(page.field("name").text == living[0].cells[0] && page.field("name").marker == nil)
    #expect(page.field("code").isEditable == false && page.field("name").isEditable)
    try page.select(head + 4, "extend")
    #expect(page.selected == living[0...3].map(\.id) && page.field("name").marker == "Multiple values")
    #expect(page.field("status").text == "Living")
    try page.select(head + 3, "toggle")
    #expect(page.selected == [living[0], living[1], living[3]].map(\.id))
    // A range selects records, and no headers.
    try page.select(head - 1, "extend")
    #expect(page.selected == [rows[head - 1], living[0], living[1], living[2]].map(\.id))
    try page.select(head)
    #expect(page.field("name").marker == "Not applicable" && !page.field("name").isEditable)
    #expect(page.field("code", in: "b").marker == "No selection")
    try page.ask("select", ["mode": "none"])
    #expect(page.selected == [])
    #expect(refusal("select", ["mode": "only", "id": 99_999]).contains("not in the table any more"))
    #expect(refusal("select", ["mode": "all", "id": living[1].id]).contains("\"extend\""))
  }

  @Test("An edit is validated; one that is refused keeps the row, whatever is selected, until it is given up")
  func editing() throws {
    try page.ask("sort", ["column": "name", "adds": false])
    try page.select(5)
    let (before, version) = (try page.rows(), page.version)
    #expect(
      refusal("edit", ["column": "speakers", "text": "many", "commits": true]).contains("is a whole number from 0"))
    #expect(refusal("select", ["mode": "only", "id": before[6].id]).contains("\"many\""))
    #expect(refusal("undo", [:]).contains("\"many\"") && refusal("add", [:]).contains("\"many\""))
    #expect(page.selected == [before[5].id] && page.field("speakers").text == "many")
    #expect(try page.rows(in: "b").map(\.text) == before.map(\.text) && page.version == version)
    try page.ask("discard")
    #expect(page.field("speakers").text == before[5].cells[4])
    for (column, text, words) in [
      ("name", " ", "cannot be empty"), ("year", "1700", "from 1800"),
      ("name", String(repeating: "x", count: 300), "200"),
      ("code", "abc", "cannot be edited"), ("nome", "x", "no column"),
    ] {
      #expect(refusal("edit", ["column": column, "text": text, "commits": true]).contains(words))
      try page.ask("discard")
    }
    try page.ask("edit", ["column": "name", "text": "  \u{FF5E} last ", "commits": true])
    #expect(try page.rows().last?.cells[0] == "\u{FF5E} last" && page.mirror.map(\.text) == page.rows().map(\.text))
  }

  @Test("An edit of several rows is one step; steps have names, and undo finds its rows after live changes")
  func undoing() throws {
    let before = try page.rows()
    #expect(page.summary["undo"] as? String == nil)
    try page.select(2)
    try page.select(4, "extend")
    try page.ask("edit", ["column": "note", "text": "together", "commits": true])
    #expect(try page.rows()[2...4].allSatisfy { $0.cells[5] == "together" })
    #expect(page.summary["undo"] as? String == "Undo Change note")
    for _ in 0..<9 { try page.ask("change") }
    try page.ask("remove")
    #expect(page.selected == [] && page.summary["undo"] as? String == "Undo Remove 3 rows")
    for _ in 0..<9 { try page.ask("change") }
    try page.ask("undo")
    try page.ask("undo")
    #expect(page.summary["redo"] as? String == "Redo Change note")
    let rows = try page.rows()
    for row in before[2...4] { #expect(rows.first { $0.id == row.id }?.cells[5] == row.cells[5]) }
    try page.ask("redo")
    try page.ask("redo")
    #expect(try !page.rows().contains { row in before[2...4].contains { $0.id == row.id } })
    try page.ask("filter", ["text": "name == 'nobody'"])
    let id = try page.ask("add")["id"] as? Int
    #expect(page.selected == [id] && page.summary["filter"] as? String == "")
    try page.ask("undo")
    #expect(page.selected == [])
  }

  @Test(
    "Rows change by index: a list that applies the events is equal to the rows, in every arrangement",
    arguments: [
      "", "status", "year", "note",
    ])
  func following(_ group: String) throws {
    try page.ask("sort", ["column": "status", "adds": false])
    try page.ask("sort", ["column": "name", "adds": true])
    try page.ask("group", ["column": group])
    try page.ask("filter", ["text": "speakers != 21826"])
    page.resets = 0
    _ = try page.rows(in: "b")
    var random = SeededGenerator(seed: 3)
    for number in 0..<200 {
      switch number % 5 {
      case 0:
        try page.select(Int.random(in: 0..<page.rows().count, using: &random))
        if page.field("status").isEditable {
          let status = ["Living", "Extinct", "New", "Special"].randomElement(using: &random) ?? ""
          try page.ask("edit", ["column": "status", "text": status, "commits": true])
        }
      case 1: try page.ask(Int.random(in: 0..<3, using: &random) == 0 ? "redo" : "undo")
      case 2 where number % 3 == 0: try page.ask("add")
      case 2: if page.field("name").isEditable { try page.ask("remove") }
      case 3:
        guard let group = try page.rows().filter({ $0.group != nil }).randomElement(using: &random) else { break }
        try page.ask("collapse", ["id": group.id, "isOn": Bool.random(using: &random)])
      default: try page.ask("change")
      }
      #expect(try page.mirror.map(\.text) == page.rows(in: "b").map(\.text), "\(number)")
    }
    #expect(page.resets == 0)
  }

  @Test("A step of many selected rows is undone with the rows still selected")
  func undoingMany() throws {
    try page.select(0)
    try page.select(59, "extend")
    let (selected, note) = (page.selected, page.field("note"))
    try page.ask("edit", ["column": "note", "text": "many", "commits": true])
    #expect(page.field("note").text == "many" && selected.count == 60)
    try page.ask("undo")
    #expect(page.selected == selected && page.field("note").text == note.text)
    #expect(page.field("note").marker == note.marker && note.marker == "Multiple values")
    try page.ask("redo")
    #expect(page.field("note").text == "many" && page.selected == selected)
  }

  @Test("Live changes come with time while a window is open; rows on the screen follow values that move nothing")
  func live() throws {
    _ = try page.rows()
    try page.ask("live", ["isOn": true])
    let version = page.version
    for _ in 0..<30 { page.tick() }
    #expect(page.version > version && page.summary["undo"] as? String == nil)
    #expect(try page.mirror.map(\.text) == page.rows().map(\.text))
    try page.ask("live", ["isOn": false])
    let stopped = page.version
    for _ in 0..<30 { page.tick() }
    #expect(page.version == stopped)
    #expect(refusal("live", ["isOn": 1]).contains("true or false") && refusal("explode", [:]).contains("no action"))
    #expect(
      refusal("rows", ["first": -1, "count": 1]).contains("first")
        && refusal("rows", ["first": 0, "count": 999]).contains("200"))
  }
}
