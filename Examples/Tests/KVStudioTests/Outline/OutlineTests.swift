import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVStudio

@MainActor @Suite("The outline")
struct OutlineTests {
  let page: OutlinePage

  init() throws {
    page = try OutlinePage(#"{"name": "x", "tags": ["hot", 2, null], "size": {"high": 1.5, "wide": {}}}"#)
  }

  func refusal(_ action: String, _ path: [Int], _ body: [String: Any] = [:]) throws -> Refusal {
    try #require(throws: Refusal.self) { try page.ask(action, path, body) }
  }

  @Test("The top is expanded at first; a node sends its children when it is expanded, and none when it collapses")
  func expanding() throws {
    #expect(page.text() == #"doc{name="x" size{2} tags[3]}"# && page.selected() == "doc")
    try page.ask("expand", [0, 2], ["isOn": true])
    try page.ask("expand", [0, 1], ["isOn": true])
    try page.ask("expand", [0, 1, 1], ["isOn": true])
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{}} tags["hot" 2 null]}"#)
    try page.ask("expand", [0, 0], ["isOn": true])
    #expect(page.text("b") == #"doc{name="x" size{2} tags[3]}"#, "each window has its own")
    try page.ask("select", [0, 1, 0])
    #expect(page.selected() == "high" && page.selected("b") == "doc")
    try page.ask("expand", [0, 1], ["isOn": false])
    #expect(page.text() == #"doc{name="x" size{2} tags["hot" 2 null]}"# && page.selected() == "size")
    try page.ask("expand", [0, 1], ["isOn": true])
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{}} tags["hot" 2 null]}"#)
    try page.show("a")
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{}} tags["hot" 2 null]}"#)
  }

  @Test("Edits are sent to all windows by index path, and are steps that undo names and whose selection it restores")
  func editing() throws {
    let before = page.text("b")
    try page.ask("expand", [0, 2], ["isOn": true])
    try page.ask("select", [0, 2, 1])
    page.kinds = []
    try page.ask("add", [0, 2, 1], ["isInside": false])
    #expect(page.text() == #"doc{name="x" size{2} tags["hot" 2 null null]}"#)
    #expect(page.kinds == ["row"], "the window that shows no elements is sent their number")
    try page.ask("edit", [0, 2, 2], ["field": "value", "text": #"{"a": [1]}"#, "base": "null"])
    #expect(page.summary["undo"] as? String == "Undo Change value")
    try page.ask("add", [0, 2, 2], ["isInside": true])
    #expect(page.text() == #"doc{name="x" size{2} tags["hot" 2 {a[1] new=null} null]}"# && page.selected() == "new")
    try page.ask("edit", [0, 2, 2, 1], ["field": "name", "text": "b"])
    try page.ask("remove", [0, 2, 2, 0])
    #expect(page.text() == #"doc{name="x" size{2} tags["hot" 2 {b=null} null]}"#)
    page.kinds = []
    try page.ask("remove", [0, 0])
    #expect(page.kinds == ["removal", "row"] && page.text("b") == "doc{size{2} tags[4]}")
    for _ in 0..<6 { try page.send("undo") }
    #expect(page.text("b") == before && page.text() == #"doc{name="x" size{2} tags["hot" 2 null]}"#)
    #expect(page.summary["undo"] is String == false && page.summary["redo"] as? String == "Redo Add value")
    #expect(page.selected() == "" && page.row([0, 2, 1]).value == "2" && page.selected("b") == "doc")
    for _ in 0..<6 { try page.send("redo") }
    #expect(page.text() == #"doc{size{2} tags["hot" 2 {b=null} null]}"#)
  }

  @Test("Values move among their siblings, out of their parent and into the one before, and stay selected and open")
  func moving() throws {
    try page.ask("expand", [0, 1], ["isOn": true])
    try page.ask("expand", [0, 2], ["isOn": true], in: "b")
    try page.ask("select", [0, 1])
    try page.ask("move", [0, 1], ["to": "up"])
    #expect(page.text() == #"doc{size{high=1.5 wide{0}} name="x" tags[3]}"# && page.selected() == "size")
    try page.ask("move", [0, 0], ["to": "down"])
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{0}} tags[3]}"#)
    try page.ask("move", [0, 2], ["to": "in"])
    #expect(
      page.text() == #"doc{name="x" size{high=1.5 wide{0} tags[3]}}"# && page.text("b") == #"doc{name="x" size{3}}"#)
    try page.ask("expand", [0, 1], ["isOn": true], in: "b")
    #expect(page.text("b") == #"doc{name="x" size{high=1.5 wide{0} tags["hot" 2 null]}}"#, "it is expanded again")
    try page.ask("move", [0, 1, 1], ["to": "out"])
    #expect(page.text() == #"doc{name="x" size{high=1.5 tags[3]} wide{0}}"#)
    try page.ask("move", [0, 2], ["to": "up"])
    try page.ask("move", [0, 1], ["to": "up"])
    for _ in 0..<6 { try page.send("undo") }
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{0}} tags[3]}"#)
  }

  @Test("What becomes a member gets a name, and a name that is taken is refused")
  func names() throws {
    try page.ask("expand", [0, 2], ["isOn": true])
    try page.ask("move", [0, 2, 0], ["to": "out"])
    #expect(page.text() == #"doc{name="x" size{2} tags[2 null] new="hot"}"#)
    try page.ask("add", [0, 3], ["isInside": false])
    #expect(page.row([0, 4]).name == "new 2")
    try page.ask("expand", [0, 1], ["isOn": true])
    try page.ask("edit", [0, 1, 1], ["field": "name", "text": "name"])
    let moved = try refusal("move", [0, 1, 1], ["to": "out"])
    #expect(moved == Refusal(422, "There is a member \"name\" already. Choose another name."))
    #expect(try refusal("edit", [0, 1], ["field": "name", "text": "name"]) == moved)
    try page.ask("edit", [0, 1], ["field": "name", "text": ""])
    #expect(page.row([0, 1]).name == "")
  }

  @Test("Undo expands what it selects, in the window that asks for it")
  func revealing() throws {
    try page.ask("expand", [0, 1], ["isOn": true])
    try page.ask("select", [0, 1, 0])
    try page.ask("remove", [0, 1, 0])
    #expect(page.selected() == "wide")
    try page.ask("expand", [0, 1], ["isOn": false])
    try page.send("undo", ["revision": 1])
    #expect(page.text() == #"doc{name="x" size{high=1.5 wide{0}} tags[3]}"# && page.selected() == "high")
    #expect(page.text("b") == #"doc{name="x" size{2} tags[3]}"# && page.selected("b") == "doc")
    let late = try #require(throws: Refusal.self) { try page.send("redo", ["revision": 1], in: "b") }
    #expect(
      late.status == 409
        && late.sentence
          == """
          Another window has changed the outline meanwhile. It would be "Redo Remove value" now: press it again to do that.
          """
    )
  }

  @Test("Whatever cannot be done is refused with a sentence, and changes nothing")
  func refusals() throws {
    try page.ask("expand", [0, 2], ["isOn": true])
    let before = page.text()
    let cases: [(action: String, path: [Int], body: [String: Any], status: Int, sentence: String)] = [
      ("edit", [0, 2, 0], ["field": "name", "text": "a"], 422, "Only a member of an object has a name."),
      (
        "edit", [0, 1], ["field": "value", "text": "1"], 422, "An object and an array are edited by the values in them."
      ),
      ("edit", [0, 0], ["field": "x", "text": "1"], 422, "A value has the fields \"name\" and \"value\"."),
      ("edit", [0, 0], ["field": "name", "text": 1], 422, "\"text\" is a text of at most 1000 bytes."),
      (
        "edit", [0, 0], ["field": "value", "text": "2", "base": "1"], 409,
        "It was changed to \"\"x\"\" meanwhile. Return writes yours nevertheless, Escape takes the other."
      ),
      ("move", [0], ["to": "up"], 422, "The top of the document cannot be moved."),
      ("move", [0, 0], ["to": "up"], 422, "It is the first one already."),
      ("move", [0, 2], ["to": "down"], 422, "It is the last one already."),
      ("move", [0, 2], ["to": "out"], 422, "It is at the top already."),
      ("move", [0, 1], ["to": "in"], 422, "A value moves into the object or array before it, and there is none."),
      ("move", [0, 1], ["to": "left"], 422, "A value moves \"up\", \"down\", \"out\" or \"in\"."),
      ("select", [7], [:], 410, "The value is not in the outline any more."),
      ("draw", [0], [:], 404, "The outline has no action \"draw\"."),
    ]
    for (action, path, body, status, sentence) in cases {
      #expect(try refusal(action, path, body) == Refusal(status, sentence))
    }
    #expect(throws: KVError.self) { try page.ask("remove", [0]) }
    #expect(throws: KVError.self) { try page.ask("add", [0, 0], ["isInside": true]) }
    #expect(throws: KVError.self) { try page.ask("edit", [0, 0], ["field": "value", "text": "hello"]) }
    #expect(page.text() == before && page.summary["undo"] is String == false)
    let other = try #require(throws: Refusal.self) { try page.send("show", in: "c") }
    #expect(other.status == 410)
  }

  @Test("Without --allow-edits it is read only")
  func reading() throws {
    let page = try OutlinePage(#"{"a": 1}"#, isEditable: false)
    let row = page.row([0, 0]).members
    #expect(row["canEdit"] as? Bool == false && row["canRename"] as? Bool == false)
    for action in ["add", "edit", "move", "remove"] {
      let refusal = try #require(throws: Refusal.self) { try page.ask(action, [0, 0]) }
      #expect(
        refusal == Refusal(403, "doc can only be read here. Start kv studio with --allow-edits to change it in memory.")
      )
    }
    try page.ask("select", [0, 0])
    #expect(page.selected() == "a")
  }

  @Test("Documents, rows and texts are limited")
  func limits() throws {
    let long = String(repeating: "ü", count: 600)
    let page = try OutlinePage(
      #"{"\#(long)": "\#(long)", "list": [\#((1...4998).map { "\($0)" }.joined(separator: ","))]}"#)
    let row = page.row([0, 1])
    #expect(row.name.count == 201 && row.value.count == 201)
    #expect(row.members["canEdit"] as? Bool == false && row.members["canRename"] as? Bool == false)
    let refusal = try #require(throws: Refusal.self) { try page.ask("expand", [0, 0], ["isOn": true]) }
    #expect(
      refusal.sentence
        == "The outline shows at most 5000 values at once, and these would be 5001. Collapse others, or use the inspector."
    )
    let many = "[" + String(repeating: "1,", count: OutlineNode.countLimit) + "1]"
    let error = try #require(throws: Refusal.self) { try OutlinePage(many) }
    #expect(
      error.sentence
        == "The document has more than 100000 values, which the outline does not show. Use the inspector.")
  }

  @Test("Windows show what the model has after random edits, moves, undos and redos in each of them", arguments: 0..<8)
  func random(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for step in 0..<150 {
      let window = Bool.random(using: &random) ? "a" : "b"
      let path = randomPath(window, &random)
      let actions = ["add", "edit", "expand", "expand", "move", "remove", "select", "undo", "redo"]
      let action = actions.randomElement(using: &random) ?? ""
      let to = ["up", "down", "in", "out"].randomElement(using: &random) ?? ""
      let text = ["1", "{}", "[]", #"{"k": [true]}"#].randomElement(using: &random) ?? ""
      do {
        if action == "undo" || action == "redo" {
          try page.send(action, in: window)
        } else if path.count > 1 || action != "remove" {
          try page.ask(
            action, path,
            [
              "to": to, "field": "value", "text": text, "isInside": Bool.random(using: &random),
              "isOn": Bool.random(using: &random),
            ], in: window)
        }
      } catch is Refusal {} catch let error as KVError where error.code == .unsupported {}
      for window in ["a", "b"] {
        let root = try #require(page.part.model?.root)
        #expect(
          page.text(window) == expected(root, page.row([0], window), true), "step \(step), \(action) in \(window)")
        #expect(page.selected(window) != "none")
      }
    }
  }

  private func randomPath(_ window: String, _ random: inout SeededGenerator) -> [Int] {
    var path = [0]
    while let children = page.row(path, window).children, !children.isEmpty, Int.random(in: 0..<4, using: &random) > 0 {
      path.append(Int.random(in: children.indices, using: &random))
    }
    return path
  }

  /// The text of a node in the model, as deep as rows are expanded.
  private func expected(_ node: OutlineNode, _ row: OutlinePage.Row, _ isMember: Bool) -> String {
    let label = isMember ? node.name : ""
    if node.kind == .scalar { return label.isEmpty ? node.text : "\(label)=\(node.text)" }
    let rows = row.children
    let inside = rows.map { rows in
      node.children.enumerated().map { index, child in
        expected(child, index < rows.count ? rows[index] : OutlinePage.Row(nil), node.kind == .object)
      }.joined(separator: " ")
    }
    let text = inside ?? "\(node.children.count)"
    return node.kind == .object ? "\(label){\(text)}" : "\(label)[\(text)]"
  }
}
