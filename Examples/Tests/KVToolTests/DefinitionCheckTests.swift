import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVTool

@Suite("Definitions are checked against a document")
struct DefinitionCheckTests {
  private func faults(_ binding: String, _ document: Any?) -> [String] {
    let json = #"{"version": 1, "bindings": [{"direction": "oneWay", \#(binding)}]}"#
    return DefinitionCheck(Data(json.utf8), against: document).faults
  }

  @Test("Every path has to lead to something, and the paths to objects to an object")
  func paths() throws {
    let json = #"{"player": {"volume": 1}, "slider": {"value": 1}, "list": [1], "none": null}"#
    let document = try KVDocument(data: Data(json.utf8)).root
    let good = #""pathToSource": "player", "sourceKeyPath": "volume", "#
    #expect(faults(good + #""pathToTarget": "slider", "targetKeyPath": "value""#, document).isEmpty)
    #expect(
      faults(good + #""pathToTarget": "slidr", "targetKeyPath": "value""#, document) == [
        """
        binding 1: "pathToTarget": there is no "slidr" in the document. Did you mean "slider"? Its keys: list, none, \
        player, slider.
        """
      ])
    #expect(
      faults(good + #""pathToTarget": "slider", "targetKeyPath": "valeu""#, document) == [
        "binding 1: \"targetKeyPath\": there is no \"valeu\" in the document. Did you mean \"value\"? Its keys: value."
      ])
    for (path, kind) in [("list", "an array"), ("none", "null"), ("player.volume", "an integer")] {
      #expect(
        faults(good + "\"pathToTarget\": \"\(path)\", \"targetKeyPath\": \"value\"", document) == [
          "binding 1: \"pathToTarget\": \"\(path)\" is \(kind), not an object."
        ])
    }
  }

  @Test("The faults of a property list name its own entries")
  func propertyLists() throws {
    let binding = "<key>SourceKeyPath</key><string>a</string><key>TargetKeyPath</key><string>b</string>"
    let rest = "<key>PathToTarget</key><string>c</string><key>Direction</key><integer>1</integer>"
    let list = "<array><dict>\(binding)\(rest)</dict></array>"
    let data = Data("<plist><dict><key>ILBindings</key>\(list)</dict></plist>".utf8)
    let document: [String: Any] = ["c": 5]
    #expect(
      DefinitionCheck(data, against: document).faults == [
        "binding 1: \"SourceKeyPath\": there is no \"a\" in the document. Its keys: c.",
        "binding 1: \"PathToTarget\": \"c\" is an integer, not an object.",
      ])
  }

  @Test("A document that is no object is no owner")
  func roots() throws {
    let binding = #""sourceKeyPath": "a", "targetKeyPath": "b""#
    #expect(
      faults(binding, [1] as [Any]) == [
        "binding 1: the document is an array, not an object.", "binding 1: the document is an array, not an object.",
      ])
  }

  @Test("A transformer that only works forward is a fault where values go back; one that is not registered is a note")
  func transformers() throws {
    let json = """
      {"version": 1, "bindings": [
        {"sourceKeyPath": "a", "targetKeyPath": "b", "direction": "twoWay", "transformerName": "isNil"},
        {"key": "k", "sourceKeyPath": "a", "targetKeyPath": "b", "direction": "twoWay", "transformerName": "negatBoolean"}]}
      """
    let check = DefinitionCheck(Data(json.utf8), against: Any??.none)
    #expect(check.faults.count == 1 && check.faults[0].hasPrefix("binding 1: values would go back"))
    #expect(
      check.notes == [
        "binding 2 \"k\": the library has no transformer \"negatBoolean\". Did you mean \"negateBoolean\"?"
      ])
  }

  private func file(_ bindings: [String]) -> Data {
    Data(#"{"version": 1, "bindings": [\#(bindings.joined(separator: ",\n"))]}"#.utf8)
  }

  @Test("DEF.2: the check ends after a hundred faults, and says so")
  func manyFaults() throws {
    let good = #"{"sourceKeyPath": "a", "targetKeyPath": "b", "direction": "oneWay"}"#
    let bad = #"{"sourceKeyPath": "a", "direction": "oneWay"}"#
    let missing = "\"targetKeyPath\" is missing: give the path from the target to the value that is bound."
    let read = DefinitionCheck(file(Array(repeating: bad, count: 500)), against: Any??.none).faults
    #expect(read.count == 101 && read[99] == "line 100, binding 100: \(missing)")
    #expect(
      read[100] == "there are more faults: these are the first 100. Correct them, and try again.")
    #expect(DefinitionCheck(file(Array(repeating: bad, count: 100)), against: Any??.none).faults.count == 100)
    let document: [String: Any] = ["a": 1]
    let lost = DefinitionCheck(file([bad] + Array(repeating: good, count: 500)), against: document).faults
    #expect(lost.count == 101 && lost[0] == "line 1, binding 1: \(missing)")
    #expect(lost[99] == "binding 100: \"targetKeyPath\": there is no \"b\" in the document. Its keys: a.")
    #expect(
      lost[100] == "there are more faults: these are the first 100. Correct them, and check the file again.")
  }

  @Test("DEF.2: Definitions beside those with faults are checked, with their own numbers")
  func besideFaults() throws {
    let forward = #"{"sourceKeyPath": "a", "targetKeyPath": "b", "direction": "twoWay", "transformerName": "isNil"}"#
    let check = DefinitionCheck(file(["{}", forward, "1", forward]), against: Any??.none)
    #expect(
      check.faults.map { $0.prefix(18) } == [
        "line 1, binding 1:", "line 1, binding 1:", "line 1, binding 1:", "binding 2: values ", "line 3, binding 3:",
        "binding 4: values ",
      ])
    // A later version is refused as a whole.
    let later = Data(#"{"version": 2, "bindings": [\#(forward)]}"#.utf8)
    #expect(DefinitionCheck(later, against: Any??.none).faults.count == 1)
  }

  @Test("Notes end after a hundred, and say so")
  func manyNotes() {
    let paths = #""sourceKeyPath": "a", "targetKeyPath": "b", "direction": "oneWay""#
    let unknown = #"{\#(paths), "transformerName": "none of these"}"#
    let check = DefinitionCheck(file(Array(repeating: unknown, count: 500)), against: Any??.none)
    #expect(check.faults.isEmpty && check.notes.count == 101 && check.count == 500)
    #expect(
      check.notes.last
        == "the library lacks more transformers: these are the first 100 of the bindings that name them.")
  }
}
