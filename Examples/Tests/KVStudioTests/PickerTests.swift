import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVStudio

@MainActor @Suite("The colour picker is bound by definitions")
struct PickerTests {
  private func state(_ part: PickerPart, _ window: String, _ control: String, _ key: String) throws -> Any? {
    let controls = try part.state(of: window)["controls"] as? [String: [String: Any]]
    return controls?[control]?[key]
  }

  private func part(_ directory: URL = FileManager.default.temporaryDirectory) throws -> PickerPart {
    let part = try PickerPart(DefinitionFiles(below: directory))
    try part.open("a")
    try part.open("b")
    return part
  }

  private func send(_ part: PickerPart, _ control: String, _ value: Any, _ event: String = "valueChanged") throws {
    _ = try part.perform("event", ["control": control, "value": value, "event": event], in: "a")
  }

  @Test(
    "A slider of one window moves that of another",
    arguments: ["package:ColorPicker.json", "package:ColorPicker.ilabs-bindings"])
  func twoWindows(_ file: String) throws {
    let part = try part()
    _ = try part.perform("bindings", ["file": file], in: "a")
    try send(part, "redSlider", 1)
    try send(part, "greenSlider", 0.8)
    #expect(part.model.red == 1 && part.model.hex == "#FFCC00")
    #expect(try state(part, "b", "redSlider", "value") as? Double == 1)
    #expect(try state(part, "b", "colorDisplayView", "backgroundColor") as? String == "#FFCC00")
    #expect(try state(part, "b", "titleLabel", "text") as? String == "Bright")
    try send(part, "blueSlider", 1.0)
    #expect(try state(part, "b", "titleLabel", "text") as? String == "White")
  }

  @Test("The hex field sets the model when it is committed; a text that is no colour is refused, and says why")
  func hex() throws {
    let part = try part()
    try send(part, "hexField", "f80")
    #expect(part.model.red == 0)
    try send(part, "hexField", "f80", "committed")
    #expect(part.model.hex == "#FF8800")
    #expect(try state(part, "a", "hexField", "text") as? String == "#FF8800")
    #expect(try state(part, "b", "redSlider", "value") as? Double == 1)
    try send(part, "hexField", "orange")
    try send(part, "hexField", "orange", "committed")
    #expect(part.model.hex == "#FF8800")
    #expect((try state(part, "a", "hexField", "problem") as? String)?.contains("\"orange\" is not a colour") == true)
    try send(part, "hexField", "#000")
    try send(part, "hexField", "#000", "committed")
    #expect(try state(part, "a", "hexField", "problem") is KVDocument.Null && part.model.hex == "#000000")
  }

  @Test("A text that was typed over another one than the present is refused")
  func conflict() throws {
    let part = try part()
    let body: [String: Any] = ["control": "hexField", "value": "#111111", "event": "committed", "base": "#000000"]
    try send(part, "redSlider", 1)
    let refusal = try #require(throws: Refusal.self) { try part.perform("event", body, in: "b") }
    #expect(refusal.status == 409 && refusal.sentence.contains("#FF0000") && part.model.hex == "#FF0000")
    _ = try part.perform("event", body.merging(["base": "#FF0000"]) { $1 }, in: "b")
    #expect(part.model.hex == "#111111")
  }

  @Test("The original file binds no hex field; without bindings, nothing follows")
  func files() throws {
    let part = try part()
    #expect(try state(part, "a", "hexField", "isBound") as? Bool == true)
    let answer = try part.perform("bindings", ["file": "package:ColorPicker.ilabs-bindings"], in: "a")
    #expect((answer["definitions"] as? [String])?.count == 5)
    #expect(try state(part, "b", "hexField", "isBound") as? Bool == false)
    #expect(try state(part, "b", "redSlider", "isBound") as? Bool == true)
    _ = try part.perform("bindings", ["file": KVDocument.Null()], in: "b")
    try send(part, "redSlider", 0.5)
    #expect(part.model.red == 0 && KVDiagnostics.bindings(of: part.model).isEmpty)
  }

  @Test("A file with faults is refused with all of them, and the bindings stay")
  func faults() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("faulty.json")
    try Data(
      #"""
      {"version": 1, "bindings": [
        {"sourceKeyPath": "rde", "pathToTarget": "redSlider", "targetKeyPath": "value", "direction": "twoWay"},
        {"sourceKeyPath": "red", "pathToTarget": "sliderr", "targetKeyPath": "value", "direction": "twoWay"}]}
      """#.utf8
    ).write(to: file)
    let part = try part(directory)
    let refusal = try #require(throws: Refusal.self) {
      try part.perform("bindings", ["file": "faulty.json"], in: "a")
    }
    #expect(refusal.status == 422 && refusal.sentence == "faulty.json has 2 faults, and is not used.")
    #expect(refusal.details.count == 2 && refusal.details[0].contains("Did you mean \"red\"?"))
    try send(part, "redSlider", 0.5)
    #expect(part.model.red == 0.5)
    try FileManager.default.createSymbolicLink(
      at: directory.appendingPathComponent("link"), withDestinationURL: URL(fileURLWithPath: "/etc"))
    for path in ["link/passwd", "../x", "/etc/passwd", "", ".", "a/../../x"] {
      let refusal = try #require(throws: Refusal.self) { try part.perform("bindings", ["file": path], in: "a") }
      #expect([403, 404].contains(refusal.status), "\(path)")
    }
  }

  @Test("A window that is closed leaves no bindings behind")
  func closing() throws {
    let part = try part()
    #expect(KVDiagnostics.bindings(of: part.model).count == 12)
    part.close("a")
    #expect(KVDiagnostics.bindings(of: part.model).count == 6)
    part.close("b")
    #expect(KVDiagnostics.bindings(of: part.model).isEmpty)
  }

  @Test("Only what a window shows otherwise is published, and only to it")
  func changes() throws {
    let (part, hub) = (try part(), EventHub())
    part.publishChanges(to: hub)
    let position = hub.position
    part.publishChanges(to: hub)
    #expect(hub.position == position)
    try send(part, "redSlider", 0.5)
    part.publishChanges(to: hub)
    #expect(hub.position == position + 2)
    guard case .events(let text, _) = hub.events(for: "b", after: position) else { throw Refusal(500, "lost") }
    #expect(text.contains("redSlider") && !text.contains("blueSlider"))
  }
}
