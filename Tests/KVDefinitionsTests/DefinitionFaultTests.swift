import Foundation
import KVBinding
import KVCore
import KVDefinitions
import KVDocuments
import Testing

@Suite("What is wrong with a file of definitions")
struct DefinitionFaultTests {
  private func faults(_ text: String) -> [String] {
    do {
      _ = try KVBindingDefinitions(data: Data(text.utf8))
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  private func faults(propertyList root: Any) throws -> [String] {
    let data = try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
    do {
      _ = try KVBindingDefinitions(data: data)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  @Test("DEF.2: of many faults of a file the first 100 are reported, and a last one says that there are more")
  func many() throws {
    func file(_ definitions: [String]) -> String {
      #"{"version": 1, "bindings": [\#(definitions.joined(separator: ",\n"))]}"#
    }
    // One fault each.
    let bad = #"{"sourceKeyPath": "a", "targetKeyPath": "b"}"#
    let good = #"{"sourceKeyPath": "a", "targetKeyPath": "b", "direction": "oneWay"}"#
    #expect(faults(file(Array(repeating: bad, count: 100))).count == 100)
    let unknown = "{\((0..<500).map { "\"x\($0)\": 1" }.joined(separator: ","))}"
    let equal = #"{"key": "k", "sourceKeyPath": "a", "targetKeyPath": "b", "direction": "oneWay"}"#
    let mixed = ["1", "{}"] + Array(repeating: equal, count: 500)
    for definitions in [Array(repeating: bad, count: 101), [unknown], mixed] {
      let found = faults(file(definitions))
      #expect(found.count == 101)
      #expect(found.last == "there are more faults: these are the first 100. Correct them, and try again.")
    }
    // An editor reads all definitions.
    let text = file(Array(repeating: bad, count: 150) + [good])
    let document = try KVBindingDocument(data: Data(text.utf8))
    #expect(document.definitions.count == 151 && document.definitions[150].sourceKeyPath == "a")
    #expect(document.faultsInFile.count == 101 && document.faultsInFile[100].code == .limitExceeded)
    let error = #expect(throws: KVBindingFaults.self) { try KVBindingDefinitions(data: Data(text.utf8)) }
    #expect(error?.description.hasPrefix("the bindings have more than 100 faults:\n- line 1, binding 1: ") == true)
  }

  @Test("DEF.3: of many definitions that cannot be bound, the first 100 faults are one error")
  func manyInSets() throws {
    let definitions = (0..<300).map { _ in KVBindingDefinition("none", to: "name", direction: .oneWay) }
    let error = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet(definitions, owner: KVObject(), target: KVRecord())
    }
    #expect(error?.faults.count == 101 && error?.faults[99].index == 99)
    #expect(error?.faults.last?.code == .limitExceeded)
  }

  @Test("DEF.2: every fault of a file is reported, with its line, its definition and what would be right")
  func everything() {
    let text = """
      {
        "version": 1, "comment": "mine",
        "bindings": [
          {"key": "volume", "sourceKeyPath": "volume", "targetKeyPath": "value",
           "dirction": "twoWay"},
          {"key": "volume", "sourceKeyPath": "a..b", "direction": "both",
           "transformerName": 5, "skipsEqual": "yes"},
          17,
          {"sourceKeyPath": "a", "targetKeyPath": "b", "direction": "twoway",
           "fallback": [1], "trigger": 1,
           "trigger": "onCommit"}
        ]
      }
      """
    #expect(
      faults(text) == [
        "line 2: unknown entry \"comment\" of the document. Known entries: version, bindings.",
        """
        line 5, binding 1 "volume": unknown entry "dirction". Did you mean "direction"? Known entries: \
        allowsEditingMultipleValues, direction, fallback, initialSync, key, multipleValues, noSelection, notApplicable, \
        nullPlaceholder, pathToSource, pathToTarget, skipsEqual, sourceKeyPath, targetKeyPath, \
        transformerName, trigger, validates.
        """,
        "line 4, binding 1 \"volume\": \"direction\" is missing: it is \"oneWay\", \"twoWay\", \"once\" or \"toSource\".",
        "line 7, binding 2 \"volume\": \"transformerName\" is a number; it has to be a string.",
        "line 6, binding 2 \"volume\": \"direction\" is \"both\". Known values: oneWay, twoWay, once, toSource.",
        "line 7, binding 2 \"volume\": \"skipsEqual\" is a string; it has to be true or false.",
        """
        line 6, binding 2 "volume": "sourceKeyPath": "a..b" is not a key path: at offset 2, expected a key.
        """,
        """
        line 6, binding 2 "volume": "targetKeyPath" is missing: give the path from the target to the value that is bound.
        """,
        "line 8, binding 3: the definition is a number, not an object.",
        "line 11, binding 4: \"trigger\" stands there twice; take one out.",
        """
        line 9, binding 4: "direction" is "twoway". Did you mean "twoWay"? Known values: oneWay, twoWay, once, toSource.
        """,
        "line 10, binding 4: \"trigger\" is a number; it has to be one of \"onChange\", \"onCommit\", \"explicit\".",
        "line 10, binding 4: \"fallback\" is an array; it has to be a string, a finite number, or true or false.",
        """
        line 6, binding 2 "volume": the key "volume" is that of binding 1 already. Choose another, or leave it out.
        """,
      ])
  }

  @Test("DEF.2: what occurs twice is reported wherever it does, also where it is spelled in two ways")
  func repeated() {
    let text = #"""
      {"version": 1,
       "\u0076ersion": 1, "bindings": [
        {"key": "a", "sourceKeyPath": "a", "targetKeyPath": "b", "direction": "once",
         "\u006bey": "b", "di\u0072ection": "once", "k\"\ud83d\ude00\/": 1, "k\"😀/": 2}]}
      """#
    let found = faults(text).filter { $0.contains("twice") }
    #expect(
      found == [
        "line 2: \"version\" stands in the document twice; take one out.",
        "line 4, binding 1 \"a\": \"key\" stands there twice; take one out.",
        "line 4, binding 1 \"a\": \"direction\" stands there twice; take one out.",
        "line 4, binding 1 \"a\": \"k\"😀/\" stands there twice; take one out.",
      ])
  }

  @Test("DEF.2: lines are counted by their line breaks, whatever blanks stand between the marks")
  func blanks() {
    let text =
      "\t{\r\n \"version\" \t:\r 1 ,\n\t\"bindings\"\r\n:\t[ \r{\n\t\"sourceKeyPath\"\t:\r\"a\" ,\r\n\"targetKeyPath\" : \"b\""
      + ",\n\n\"direction\":\t5 }\t]\r\n}\r\n\t "
    #expect(
      faults(text) == [
        "line 8, binding 1: \"direction\" is a number; it has to be one of \"oneWay\", \"twoWay\", \"once\", \"toSource\"."
      ])
  }

  @Test("DEF.2: of very many that occur twice the first 100 are reported")
  func manyRepeated() {
    let entry = #"{"key": "KEY", "key": "KEY", "sourceKeyPath": "a", "targetKeyPath": "b", "direction": "once"}"#
    let entries = (0..<5_000).map { entry.replacingOccurrences(of: "KEY", with: "k\($0)") }
    let text = "{\"version\": 1, \"bindings\": [\(entries.joined(separator: ",\n"))]}"
    #expect(faults(text).count == 101)
  }

  @Test(
    "DEF.2: a document that is none of definitions is refused, with the line where JSON has one",
    arguments: [
      (
        "{\"version\": 1,\n \"bindings\": [\n {]}",
        "line 3: not JSON: at bindings[0], column 3, expected a name in double quotes or \"}\", found \"]\"."
      ),
      ("", "line 1: not JSON: at column 1, expected a value, found the end of the document."),
      ("{\"version\": 1,\n\n\"bindings\" []}", "line 3: not JSON: at column 12, expected \":\", found \"[\"."),
      ("{\"version\": 1,\n \"bindings\": [],\n}", "line 3: not JSON: at column 1, expected a name in double quotes, "),
      ("[]", "line 1: the document is an array, not an object. Write {\"version\": 1, \"bindings\": […]}."),
      ("null", "line 1: the document is null, not an object. Write {\"version\": 1, \"bindings\": […]}."),
      ("{\"version\": 1}", "line 1: \"bindings\" is missing: it holds the definitions."),
      ("{\"version\": 1,\n\"bindings\": {}}", "line 2: \"bindings\" is an object, not an array of definitions."),
      (
        "{\"version\": 1, \"bindins\": [], \"more\": 1}",
        "line 1: \"bindings\" is missing: it holds the definitions. The document has \"bindins\": rename it to \"bindings\"."
      ),
      ("<plist><dict></dict></plist>", "\"ILBindings\" is missing: it holds the definitions."),
      ("<plist><array></array></plist>", "the document is an array, not a dictionary."),
      (
        "<plist><dict><key>Bindings</key><array/></dict></plist>",
        "\"ILBindings\" is missing: it holds the definitions. The document has \"Bindings\": rename it to \"ILBindings\"."
      ),
      (
        "<plist><dict><key>ILBindings</key><dict/></dict></plist>",
        "\"ILBindings\" is a dictionary, not an array of definitions."
      ),
      ("<plist", "not a property list: "),
      ("bplist00", "not a property list: it begins as a binary one, and is damaged."),
    ])
  func refused(text: String, start: String) {
    let faults = faults(text)
    #expect(faults.count == 1 && faults.first?.contains(start) == true, "\(faults)")
    #expect(throws: KVBindingFaults.self) { try BindingDrafts(data: Data(text.utf8)) }
  }

  @Test("DEF.1: a later version is refused as a whole, a wrong one reported")
  func versions() {
    #expect(
      faults(#"{"version": 9, "bindings": [{"unheard": 1}]}"#) == [
        """
        line 1: the document has version 9, and this library reads versions up to 1. Use a later one, or write the document \
        anew.
        """
      ])
    #expect(faults(#"{"version": "1", "bindings": []}"#) == ["line 1: \"version\" is a string, not an integer."])
    #expect(faults(#"{"version": true, "bindings": []}"#) == ["line 1: \"version\" is a boolean, not an integer."])
    #expect(faults(#"{"version": 0, "bindings": []}"#) == ["line 1: \"version\" is 0; versions begin with 1."])
    #expect(faults(#"{"bindings": []}"#) == ["line 1: \"version\" is missing: write \"version\": 1."])
    #expect(faults(#"{"version": 1, "bindings": []}"#).isEmpty)
  }

  @Test("DEF.2: a property list names its own entries, and numbers for directions")
  func propertyLists() throws {
    #expect(
      try faults(
        propertyList: [
          "ILBindings": [
            ["SourceKeyPath": "a", "TargetKeyPath": "b", "Direction": 4],
            ["Key": "k", "SourceKeyPath": "", "TargetKeyPath": "b.", "Direction": "0", "Pathtosource": "x"],
            ["SourceKeyPath": "a", "TargetKeyPath": "b", "Direction": true, "Key": Date(timeIntervalSince1970: 0)],
            ["SourceKeyPath": "a", "TargetKeyPath": "b", "Direction": 0, "Fallback": Double.nan],
          ]
        ]) == [
          """
          binding 1: "Direction" is 4, which is not a direction: it is 0 (two-way), 1 (source to target), 2 (once) or 3 (target \
          to source).
          """,
          """
          binding 2 "k": unknown entry "Pathtosource". Did you mean "PathToSource"? Known entries: \
          AllowsEditingMultipleValues, Direction, Fallback, InitialSync, Key, MultipleValues, NoSelection, NotApplicable, \
          NullPlaceholder, PathToSource, PathToTarget, SkipsEqual, SourceKeyPath, TargetKeyPath, Trigger, \
          Validates, ValueTransformerName.
          """,
          """
          binding 2 "k": "Direction" is a string; it has to be an integer: 0 (two-way), 1 (source to target), 2 (once) or 3 \
          (target to source).
          """,
          """
          binding 2 "k": "SourceKeyPath" is missing: give the path from the source to the value that is bound.
          """,
          "binding 2 \"k\": \"TargetKeyPath\": \"b.\" is not a key path: at offset 2, expected a key.",
          "binding 3: \"Key\" is a date; it has to be a string.",
          """
          binding 3: "Direction" is a boolean; it has to be an integer: 0 (two-way), 1 (source to target), 2 (once) or 3 \
          (target to source).
          """,
          "binding 4: \"Fallback\" is a number; it has to be a string, a finite number, or true or false.",
        ])
    #expect(
      try faults(
        propertyList: [
          "ILBindings": [["SourceKeyPath": ["a": 1], "TargetKeyPath": "b", "Direction": 1], 5] as [Any], "Version": [1],
        ]).prefix(4) == [
          "\"Version\" is an array, not an integer.",
          "binding 1: \"SourceKeyPath\" is a dictionary; it has to be a string.",
          "binding 2: the definition is a number, not a dictionary.",
        ])
  }

  @Test("DEF.2: empty texts are absent, for an empty path of the source too, which the original mixes up with the key")
  func emptyTexts() throws {
    let definition =
      [
        "Key": "k", "PathToSource": "", "PathToTarget": "", "ValueTransformerName": "", "SourceKeyPath": "a",
        "TargetKeyPath": "b", "Direction": 1,
      ] as [String: Any]
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["ILBindings": [definition]], format: .xml, options: 0)
    #expect(try KVBindingDefinitions(data: data).definitions == [KVBindingDefinition(key: "k", "a", to: "b")])
    let json =
      #"{"version":1,"bindings":[{"key":"","sourceKeyPath":"a","targetKeyPath":"b","direction":"oneWay","fallback":null}]}"#
    #expect(try KVBindingDefinitions(data: Data(json.utf8)).definitions == [KVBindingDefinition("a", to: "b")])
  }

  @Test("DEF.2: drafts are read as far as they go, and keep what an editor has to mend")
  func drafts() throws {
    let json =
      #"{"version":1,"bindings":[{"key":"k","sourceKeyPath":"a..","directio":5},7,{"key":"k","direction":"once"}]}"#
    let drafts = try BindingDrafts(data: Data(json.utf8))
    #expect(drafts.drafts.map(\.key) == ["k", "", "k"])
    #expect(drafts.drafts[0].sourceKeyPath == "a.." && drafts.drafts[0].direction == .twoWay)
    #expect(drafts.drafts[1] == BindingDraft() && drafts.drafts[2].direction == .once)
    #expect(drafts.faults.count == 8)
    let faults = drafts.drafts[0].faults
    #expect(
      faults.map(\.code) == [.invalidKeyPath, .missingEntry]
        && faults.map(\.entry) == ["sourceKeyPath", "targetKeyPath"])
    #expect(throws: KVBindingFaults.self) { try KVEditableBindingDefinition(drafts.drafts[0]).definition() }
    for format in KVDocument.Format.allCases {
      #expect(try BindingDrafts(data: try drafts.data(format: format)).drafts == drafts.drafts)
    }
  }

  @Test("DEF.3: faults are one error, printed one below the other")
  func printing() throws {
    let scratch = try Scratch()
    let json = #"{"version": 1, "bindings": [{"sourceKeyPath": "a", "targetKeyPath": "b"}, 5]}"#
    try Data(json.utf8).write(to: scratch.file("Player.json"))
    let error = #expect(throws: KVBindingFaults.self) {
      try KVBindingDefinitions(contentsOf: scratch.file("Player.json"))
    }
    #expect(
      error?.localizedDescription == """
        Player.json has 2 faults:
        - line 1, binding 1: "direction" is missing: it is "oneWay", "twoWay", "once" or "toSource".
        - line 1, binding 2: the definition is a number, not an object.
        """)
    #expect(
      error?.faults.first?.index == 0 && error?.faults.first?.line == 1 && error?.faults.first?.code == .missingEntry)
  }
}
