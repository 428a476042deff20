import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVStudio

@MainActor @Suite("The editor of definitions")
struct EditorTests {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
  let picker: PickerPart
  let editor: EditorPart

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let files = DefinitionFiles(below: directory)
    picker = try PickerPart(files)
    editor = EditorPart(picker, files)
    try picker.open("a")
    editor.open("a")
  }

  @discardableResult func perform(_ action: String, _ body: [String: Any] = [:]) throws -> [String: Any] {
    try editor.perform(action, body, in: "a")
  }

  func definitions() -> [[String: Any]] { editor.state(of: "a")["definitions"] as? [[String: Any]] ?? [] }

  func number(_ index: Int) throws -> Int { try #require(definitions()[index]["number"] as? Int) }

  func edit(_ index: Int, _ field: String, _ text: String) throws {
    try perform("edit", ["number": try number(index), "field": field, "text": text])
  }

  func refusal(_ action: String, _ body: [String: Any]) throws -> Refusal {
    try #require(throws: Refusal.self) { try perform(action, body) }
  }

  @Test("It opens both formats, and shows every field as a text")
  func open() throws {
    for (file, count) in [("package:ColorPicker.json", 6), ("package:ColorPicker.ilabs-bindings", 5)] {
      let state = try perform("open", ["file": file])
      #expect(definitions().count == count && state["isUnsaved"] as? Bool == false)
      #expect(definitions()[0]["sourceKeyPath"] as? String == (count == 6 ? "red" : "blue"))
      #expect(definitions()[0]["direction"] as? String == "twoWay")
    }
    #expect(try refusal("open", ["file": "../x.json"]).status == 403)
    #expect(try refusal("open", ["file": "none.json"]).status == 404)
    #expect(definitions().count == 5)
  }

  @Test("Adding, duplicating, moving, removing and editing are steps that are undone by name")
  func steps() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    let before = definitions().map { $0["sourceKeyPath"] as? String }
    try perform("duplicate", ["number": try number(0)])
    #expect(definitions().map { $0["sourceKeyPath"] as? String } == ["red"] + before)
    #expect(definitions()[1]["key"] as? String == "")
    try perform("move", ["number": try number(1), "to": 3])
    #expect(definitions()[3]["key"] as? String == "" && definitions()[3]["sourceKeyPath"] as? String == "red")
    try perform("remove", ["number": try number(0)])
    try perform("add")
    try edit(6, "direction", "oneWay")
    #expect(editor.state(of: "a")["undo"] as? String == "Undo Change direction")
    var count = 0
    while editor.state(of: "a")["canUndo"] as? Bool == true {
      try perform("undo")
      count += 1
    }
    #expect(count == 5 && definitions().map { $0["sourceKeyPath"] as? String } == before)
    #expect(editor.state(of: "a")["isUnsaved"] as? Bool == false)
    for _ in 0..<5 { try perform("redo") }
    #expect(definitions().count == 7 && definitions()[6]["direction"] as? String == "oneWay")
  }

  @Test("A definition is named by a number that survives moves and undo, not by its index")
  func numbers() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    let green = try number(1)
    try perform("move", ["number": try number(0), "to": 4])
    #expect(try number(0) == green)
    try perform("remove", ["number": green])
    let refusal = try refusal("edit", ["number": green, "field": "key", "text": "x"])
    #expect(refusal.status == 410 && refusal.sentence.contains("not in the document any more"))
    try perform("undo")
    #expect(try number(0) == green)
  }

  @Test("Faults stand at their fields; placeholders are scalars of JSON, or texts")
  func fields() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    try edit(0, "sourceKeyPath", "re..d")
    try edit(1, "transformerName", "oneMinu")
    try edit(2, "sourceKeyPath", "")
    let faults = editor.state(of: "a")["faults"] as? [[String: Any]] ?? []
    #expect(faults.compactMap { $0["entry"] as? String } == ["sourceKeyPath", "transformerName", "sourceKeyPath"])
    #expect(faults.compactMap { $0["index"] as? Int } == [0, 1, 2])
    #expect((faults[1]["message"] as? String)?.contains("neMinus\"?") == true)
    for (text, value) in [
      ("5", 5 as Any), ("true", true), ("1.5", 1.5), ("none", "none"), ("\"5\"", "5"), ("[1]", "[1]"),
    ] {
      try edit(3, "nullPlaceholder", text)
      #expect(KVC.areEqual(editor.document.definitions[3].nullPlaceholder, value), "\(text)")
    }
    try edit(3, "nullPlaceholder", "")
    #expect(editor.document.definitions[3].nullPlaceholder == nil)
    for (field, text) in [("direction", "sideways"), ("validates", "maybe"), ("trigger", "")] {
      #expect(throws: KVError.self) { try edit(3, field, text) }
    }
    #expect(try refusal("edit", ["number": try number(0), "field": "colour", "text": ""]).status == 422)
    #expect(try refusal("edit", ["number": try number(0), "field": "key", "text": 5]).status == 422)
  }

  @Test("Paths are completed from the objects that they begin at")
  func completions() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    func complete(_ field: String, _ text: String) throws -> [String] {
      try perform("complete", ["number": try number(0), "field": field, "text": text])["texts"] as? [String] ?? []
    }
    #expect(try complete("sourceKeyPath", "") == ["red", "green", "blue", "selectedColor", "hex"])
    #expect(
      try complete("sourceKeyPath", "selectedColor.")
        == ["red", "green", "blue", "hex", "brightness"].map { "selectedColor.\($0)" })
    #expect(try complete("pathToTarget", "red").prefix(2) == ["redSlider", "greenSlider"])
    #expect(try complete("targetKeyPath", "value") == ["value"])
    #expect(try complete("targetKeyPath", "value.x..") == [] && complete("key", "") == [])
  }

  @Test("What is edited runs in the colour picker; what cannot be bound is a fault, and the former bindings stay")
  func running() throws {
    let hub = EventHub()
    try perform("open", ["file": "package:ColorPicker.json"])
    try perform("run", ["isOn": true])
    try edit(0, "transformerName", "oneMinus")
    editor.publishChanges(to: hub)
    _ = try picker.perform("event", ["control": "redSlider", "value": 0.25, "event": "valueChanged"], in: "a")
    #expect(picker.model.red == 0.75)
    try edit(1, "pathToTarget", "gren")
    editor.publishChanges(to: hub)
    let faults = editor.state(of: "a")["faults"] as? [[String: Any]] ?? []
    #expect(faults.count == 1 && faults[0]["index"] as? Int == 1 && faults[0]["entry"] as? String == "pathToTarget")
    _ = try picker.perform("event", ["control": "greenSlider", "value": 0.5, "event": "valueChanged"], in: "a")
    #expect(picker.model.green == 0.5)
    try perform("undo")
    editor.publishChanges(to: hub)
    #expect((editor.state(of: "a")["faults"] as? [Any])?.isEmpty == true)
    let position = hub.position
    editor.publishChanges(to: hub)
    #expect(hub.position == position)
  }

  @Test("An edit of what another window has changed meanwhile is refused, and changes nothing")
  func conflicts() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    let body: [String: Any] = ["number": try number(0), "field": "key", "text": "mine", "base": ""]
    try edit(0, "key", "theirs")
    let refusal = try refusal("edit", body)
    #expect(refusal.status == 409 && refusal.sentence.contains("changed to \"theirs\" meanwhile"))
    #expect(definitions()[0]["key"] as? String == "theirs")
    try perform("edit", body.merging(["base": "theirs"]) { $1 })
    #expect(definitions()[0]["key"] as? String == "mine")
    // Both want the same.
    try perform("edit", body.merging(["base": "old"]) { $1 })
  }

  @Test("The run ends when a window chooses another file in the colour picker, or none")
  func runState() throws {
    let hub = EventHub()
    func isRunning() -> Bool? {
      editor.publishChanges(to: hub)
      return editor.state(of: "a")["isRunning"] as? Bool
    }
    try perform("open", ["file": "package:ColorPicker.json"])
    for file in ["package:ColorPicker.ilabs-bindings" as Any, KVDocument.Null()] {
      try perform("run", ["isOn": true])
      #expect(isRunning() == true)
      _ = try picker.perform("bindings", ["file": file], in: "a")
      #expect(isRunning() == false)
      try edit(0, "key", "k\(isRunning() == true)")
      #expect(isRunning() == false)
    }
    // A file with faults is not chosen.
    try perform("run", ["isOn": true])
    #expect(isRunning() == true)
    #expect(throws: Refusal.self) { try picker.perform("bindings", ["file": "none.json"], in: "a") }
    #expect(isRunning() == true)
  }

  @Test("Texts are limited")
  func lengths() throws {
    let long = String(repeating: "x", count: 1001)
    try perform("open", ["file": "package:ColorPicker.json"])
    let number = try number(0)
    for action in ["edit", "complete"] {
      #expect(try refusal(action, ["number": number, "field": "key", "text": long]).status == 422)
    }
    #expect(try refusal("open", ["file": long]).status == 422)
  }
}
