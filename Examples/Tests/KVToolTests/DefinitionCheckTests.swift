import Foundation
import KVBinding
import Testing

@testable import KVTool

@Suite("Definitions are checked against a document")
struct DefinitionCheckTests {
  private func faults(_ binding: String, _ document: Any?) throws -> [String] {
    let json = #"{"version": 1, "bindings": [{"direction": "oneWay", \#(binding)}]}"#
    return DefinitionCheck(try KVBindingDocument(data: Data(json.utf8)), against: document).faults
  }

  @Test("Every path has to lead to something, and the paths to objects to an object")
  func paths() throws {
    let json = #"{"player": {"volume": 1}, "slider": {"value": 1}, "list": [1], "none": null}"#
    let document = try Document(Data(json.utf8)).root
    let good = #""pathToSource": "player", "sourceKeyPath": "volume", "#
    #expect(try faults(good + #""pathToTarget": "slider", "targetKeyPath": "value""#, document).isEmpty)
    #expect(
      try faults(good + #""pathToTarget": "slidr", "targetKeyPath": "value""#, document) == [
        """
        binding 1: "pathToTarget": there is no "slidr" in the document. Did you mean "slider"? Its keys: list, none, \
        player, slider.
        """
      ])
    #expect(
      try faults(good + #""pathToTarget": "slider", "targetKeyPath": "valeu""#, document) == [
        "binding 1: \"targetKeyPath\": there is no \"valeu\" in the document. Did you mean \"value\"? Its keys: value."
      ])
    for (path, kind) in [("list", "an array"), ("none", "null"), ("player.volume", "an integer")] {
      #expect(
        try faults(good + "\"pathToTarget\": \"\(path)\", \"targetKeyPath\": \"value\"", document) == [
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
      DefinitionCheck(try KVBindingDocument(data: data), against: document).faults == [
        "binding 1: \"SourceKeyPath\": there is no \"a\" in the document. Its keys: c.",
        "binding 1: \"PathToTarget\": \"c\" is an integer, not an object.",
      ])
  }

  @Test("A document that is no object is no owner")
  func roots() throws {
    let binding = #""sourceKeyPath": "a", "targetKeyPath": "b""#
    #expect(
      try faults(binding, [1] as [Any]) == [
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
    let check = DefinitionCheck(try KVBindingDocument(data: Data(json.utf8)), against: Any??.none)
    #expect(check.faults.count == 1 && check.faults[0].hasPrefix("binding 1: values would go back"))
    #expect(
      check.notes == [
        "binding 2 \"k\": the library has no transformer \"negatBoolean\". Did you mean \"negateBoolean\"?"
      ])
  }
}
