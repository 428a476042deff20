import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVStudio

extension TableTests {
  private func refused(
    _ action: String, _ body: [String: Any] = [:], in window: String = "a", of other: TablePage? = nil
  ) throws -> Refusal {
    try #require(throws: Refusal.self) { try (other ?? page).ask(action, body, in: window) }
  }

  private func edit(_ column: String, _ text: String, over base: String? = nil, in window: String = "a") throws {
    var body: [String: Any] = ["column": column, "text": text, "commits": true]
    body["base"] = base
    try page.ask("edit", body, in: window)
  }

  private func note(_ index: Int) throws -> String? { try page.rows()[index].cells.last }

  @Test("An edit of what another window has changed meanwhile is refused with the present value, also by a selection")
  func conflicts() throws {
    let id = try page.rows()[4].id
    for window in ["a", "b"] { try page.ask("select", ["mode": "only", "id": id], in: window) }
    let base = page.field("note").text
    try page.ask("edit", ["column": "note", "text": "mine", "commits": false, "base": base])
    try edit("note", "theirs", over: base, in: "b")
    let body: [String: Any] = ["column": "note", "text": "mine", "commits": true, "base": base]
    for refusal in [try refused("edit", body), try refused("select", ["mode": "none"]), try refused("add")] {
      #expect(refusal.status == 409 && refusal.sentence.contains("changed to \"theirs\" meanwhile"))
      #expect(refusal.members == ["field": "note", "present": "theirs"])
    }
    #expect(try note(4) == "theirs")
    // The user knows it now.
    try edit("note", "mine", over: "theirs")
    #expect(try note(4) == "mine")
    // Without a base, it is what the field showed when the first text arrived.
    try page.ask("edit", ["column": "note", "text": "again", "commits": false])
    try page.ask("select", ["mode": "only", "id": id], in: "b")
    try edit("note", "theirs", in: "b")
    #expect(try refused("select", ["mode": "none"]).status == 409)
    try page.ask("discard")
    #expect(page.field("note").text == "theirs")
    // Rows with several values are edited over the marker.
    try page.select(6, "extend")
    try edit("note", "all", over: "Multiple values")
    #expect(try (4...6).map(note) == ["all", "all", "all"])
  }

  @Test("Undo and redo name the last step that their window knows; that of another window is not undone unseen")
  func unseenSteps() throws {
    try page.select(2)
    try edit("note", "first")
    let known = try #require(page.summary["revision"] as? Int)
    try page.ask("select", ["mode": "only", "id": try page.rows()[3].id], in: "b")
    try edit("note", "second", in: "b")
    for action in ["undo", "redo"] { #expect(try refused(action, ["revision": known]).status == 409) }
    #expect(try refused("undo", ["revision": known]).sentence.contains("\"Undo Change note\""))
    #expect(try note(2) == "first" && note(3) == "second")
    let present = try #require(page.summary["revision"] as? Int)
    try page.ask("undo", ["revision": present])
    #expect(try note(2) == "first" && note(3) != "second")
    #expect(try refused("redo", ["revision": present]).status == 409)
  }

  @Test("A text that is longer than a field can have is shown in part, and not edited; another row's is not shown")
  func longTexts() throws {
    let records: [KVRecord] = ["short", String(repeating: "ä", count: 700), "other"].map { ["text": $0] }
    let page = TablePage(TableModel("texts", [TableColumn(key: "text", title: "Text")], records))
    for (index, text) in ["short", String(repeating: "ä", count: 200) + "…", "other"].enumerated() {
      try page.select(index)
      #expect(page.field("text").text == text && page.field("text").isEditable == (index != 1))
    }
    try page.select(1)
    let refusal = try refused("edit", ["column": "text", "text": "x", "commits": true], of: page)
    #expect(refusal.sentence.contains("too long to be edited"))
    try page.select(0)
    let long = String(repeating: "x", count: 1001)
    #expect(try refused("edit", ["column": "text", "text": long, "commits": true], of: page).status == 422)
    #expect(page.field("text").text == "short")
  }

  @Test("The limit of groups holds when a filter is lifted; nothing changes then")
  func groupLimit() throws {
    let records: [KVRecord] = (0..<2100).map { ["n": $0] }
    let page = TablePage(TableModel("numbers", [TableColumn(key: "n", title: "N", kind: .integer)], records))
    #expect(try refused("group", ["column": "n"], of: page).sentence.contains("2100 different values"))
    try page.ask("filter", ["text": "n < 10"])
    try page.ask("group", ["column": "n"])
    #expect(page.summary["count"] as? Int == 20)
    #expect(try refused("filter", ["text": ""], of: page).sentence.contains("2100 different values"))
    #expect(page.summary["count"] as? Int == 20 && page.summary["filter"] as? String == "n < 10")
    #expect(try page.rows().count == 20 && page.mirror.map(\.text) == page.rows().map(\.text))
    try page.ask("filter", ["text": "n < 1000"])
    #expect(page.summary["count"] as? Int == 2000)
  }

  @Test("A collapsed group has its header only, for all windows, and its rows stay selected and counted")
  func collapsing() throws {
    try page.ask("sort", ["column": "name", "adds": false])
    try page.ask("group", ["column": "status"])
    let all = try page.rows()
    let heads = all.indices.filter { all[$0].group != nil }
    let (head, next) = (heads[0], heads[1])
    try page.select(head + 1)
    page.resets = 0
    try page.ask("collapse", ["id": all[head].id, "isOn": true])
    let rows = try page.rows()
    #expect(rows.count == all.count - (next - head - 1) && rows[head + 1].text == all[next].text)
    #expect(page.mirror.map(\.text) == rows.map(\.text) && page.resets == 0)
    #expect(page.selected == [all[head + 1].id] && page.summary["shown"] as? Int == 150)
    // A row that comes changes the header, and one that the user adds is shown.
    try page.select(head + 1)
    try page.select(head + 2)
    try page.ask("edit", ["column": "status", "text": String(all[head].group?.dropFirst(8) ?? ""), "commits": true])
    #expect(try page.rows()[head].count == all[head].count + 1 && page.rows()[head + 1].group != nil)
    #expect(try page.mirror.map(\.text) == page.rows().map(\.text))
    try page.ask("collapse", ["id": all[head].id, "isOn": false])
    #expect(try page.rows().count == all.count && page.mirror.map(\.text) == page.rows().map(\.text))
    for head in heads { try page.ask("collapse", ["id": all[head].id, "isOn": true]) }
    let id = try page.ask("add")["id"] as? Int
    #expect(try page.rows().contains { $0.id == id })
    #expect(try refused("collapse", ["id": all[1].id, "isOn": true]).status == 410)
  }

  @Test("A document that may only be read is sorted and filtered, and not edited")
  func readOnly() throws {
    let document: KVRecord = ["list": [["n": 1], ["n": 2]] as [KVRecord]]
    let page = TablePage(try #require(try TableModel(document, named: "x.json", allowsEditing: false)))
    try page.select(1)
    #expect(!page.field("n").isEditable)
    for (action, body) in [
      ("edit", ["column": "n", "text": "7", "commits": true]), ("add", [:]), ("remove", [:]), ("change", [:]),
      ("live", ["isOn": true]),
    ] as [(String, [String: Any])] {
      let refusal = try refused(action, body, of: page)
      #expect(refusal.status == 403 && refusal.sentence.contains("--allow-edits"), "\(action)")
    }
    try page.ask("filter", ["text": "n == 2"])
    #expect(try page.rows().map(\.cells) == [["2"]])
  }

  @Test("The studio's table edits no document that the inspector may only read")
  func readOnlyDocuments() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data(#"[{"n": 1}]"#.utf8).write(to: directory.appendingPathComponent("list.json"))
    for allowsEditing in [false, true] {
      let studio = try Studio(directory: directory, files: ["list.json"], allowsEditing: allowsEditing)
      #expect(studio.table?.model().isEditable == allowsEditing)
    }
  }

  @Test("Escape deselects, and the keyboard stays at its row; the rows of a lost window are selected again")
  func lead() throws {
    try page.select(3)
    try page.select(5, "extend")
    let (ids, lead) = (page.selected, try page.rows()[5].id)
    try page.ask("select", ["mode": "none"])
    #expect(page.selected == [] && page.lead == lead)
    try page.select(7, "extend")
    #expect(page.selected.count == 5)
    try page.ask("select", ["mode": "these", "ids": ids + [99_999]], in: "b")
    #expect(page.selected(in: "b") == ids)
    for ids in [1, ["x"], Array(repeating: 1, count: 1001)] as [Any] {
      #expect(try refused("select", ["mode": "these", "ids": ids]).status == 422)
    }
  }

  @Test("A condition that multiplies its time is refused, and one that takes too long for all rows")
  func slowFilters() throws {
    let nested = (0..<6).reduce("TRUEPREDICATE") { text, index in
      "SUBQUERY({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, $x\(index), \(text))[SIZE] > 0"
    }
    #expect(try refused("filter", ["text": nested]).sentence.contains("it uses SUBQUERY"))
    let page = TablePage(TableModel.survey(count: 150), filterTime: .zero)
    let refusal = try refused("filter", ["text": "year > 1900"], of: page)
    #expect(
      refusal.sentence
        == "The condition takes too long: after 0 seconds, 1 of 150 rows had been tested. Write a simpler one.")
    #expect(try page.rows().count == 150 && page.summary["filter"] as? String == "")
  }

  @Test("The processor time of a condition is looked at for each row")
  func clockOfFilter() throws {
    var time = Duration.zero
    let records = try (0..<100).map { try KVRecord(["n": $0]) }
    let model = TableModel("numbers", [TableColumn(key: "n", title: "n", kind: .integer)], records)
    // A second for each row.
    let page = TablePage(model, filterTime: .seconds(5)) {
      defer { time += .seconds(1) }
      return time
    }
    let refusal = try refused("filter", ["text": "n >= 0"], of: page)
    #expect(
      refusal.sentence
        == "The condition takes too long: after 5 seconds, 6 of 100 rows had been tested. Write a simpler one.")
  }

  @Test("A condition that reads a value which is too long for its own length is refused before the value is read")
  func longValues() throws {
    let long = String(repeating: "a", count: 40_000)
    let last = try KVRecord(["t": long, "n": 2, "list": [[long], ["k": long]]])
    let records = [try KVRecord(["t": "short", "n": 1]), last]
    let columns = ["t", "n", "list"].map { TableColumn(key: $0, title: $0, kind: .other) }
    let page = TablePage(TableModel("texts", columns, records))
    let pattern = String(repeating: "a", count: 900)
    for (text, name) in [("t CONTAINS '\(pattern)b'", "t"), ("ANY list CONTAINS '\(pattern)b'", "list")] {
      let refusal = try refused("filter", ["text": text], of: page)
      #expect(
        refusal.sentence == """
          The condition takes too long: "\(name)" of row 2 has more than \((32 << 20) / text.utf8.count) bytes. Write a \
          shorter condition, or one without this column.
          """)
    }
    try page.ask("filter", ["text": "t CONTAINS 'b'"])
    #expect(try page.rows().isEmpty)
    try page.ask("filter", ["text": "n == 2 AND n != 3 AND n != 4 AND n != 5 AND n != 6"])
    #expect(try page.rows().count == 1)
  }

  @Test("A key may contain any character: it is shown, sorted, grouped, filtered and edited, unless it begins with @")
  func oddKeys() throws {
    let keys = ["a.b", "self", "[0]", "n m", "selection", "", "@count"]
    let members = keys.map { "\"\($0)\": " }
    let rows = [3, 1, 2].map { number in "{\(members.map { "\($0)\(number)" }.joined(separator: ","))}" }
    let json = #"{"rows": [\#(rows.joined(separator: ","))]}"#
    let page = TablePage(try #require(try TableModel(KVRecord(json: Data(json.utf8)), named: "odd.json")))
    for key in keys {
      try page.ask("sort", ["column": key, "adds": false])
      try page.ask("group", ["column": key])
      // The page asks for no column to end the groups.
      let groups = key.isEmpty ? [] : [1, 2, 3].map { "\(key): \($0)" }
      #expect(try page.rows().compactMap(\.group) == groups)
      try page.ask("group", ["column": ""])
      let isWord = ["n m", "selection"].contains(key)
      try page.ask("filter", ["text": isWord ? "#\"\(key)\" < 3" : "SELF[\"\(key)\"] < 3"])
      #expect(try page.rows().count == 2)
      try page.select(0)
      #expect(page.field(key).text == "1" && page.field(key).isEditable == (key != "@count"))
      try page.ask("filter", ["text": ""])
      guard key != "@count" else { continue }
      try page.ask("edit", ["column": key, "text": "9", "commits": true])
      #expect(try page.rows().last?.cells.contains("9") == true)
      try page.ask("undo")
      #expect(page.field(key).text == "1")
    }
  }

  @Test("A window that is closed is told to begin anew")
  func closedWindow() throws {
    page.part.close("a")
    #expect(try refused("rows", ["first": 0, "count": 1]) == .closedWindow("a"))
  }
}
