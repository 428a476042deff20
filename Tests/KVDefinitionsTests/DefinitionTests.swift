import Foundation
import KVBinding
import KVCore
import KVDefinitions
import KVDocuments
import Testing

@Suite("Binding definitions")
struct DefinitionTests {
  let volume = KVBindingDefinition(
    key: "volume", "volume", ofSource: "player", to: "value", ofTarget: "slider", direction: .twoWay,
    transformerName: "oneMinus", nullPlaceholder: "–", fallback: 0.5, validates: true, trigger: .onCommit)

  @Test("DEF.1: a definition is a value, whose empty texts are absent")
  func value() {
    var other = volume
    #expect(other == volume && other.hashValue == volume.hashValue)
    other.key = ""
    other.transformerName = ""
    #expect(other.key == nil && other.transformerName == nil)
    #expect(KVBindingDefinition(key: "", "a", to: "b", transformerName: "") == KVBindingDefinition("a", to: "b"))
    #expect(volume.description == "volume: player · volume ⇄ slider · value by oneMinus")
    #expect(KVBindingDefinition("a", to: "b").description == "a → b")
  }

  @Test("DEF.1: a definition is encoded as the object of our files, without what is as by default")
  func codable() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let plain = KVBindingDefinition("a", to: "b")
    let json = String(decoding: try encoder.encode(plain), as: UTF8.self)
    #expect(json == #"{"direction":"oneWay","sourceKeyPath":"a","targetKeyPath":"b"}"#)
    let definitions = KVBindingDefinitions([volume, plain])
    #expect(try JSONDecoder().decode(KVBindingDefinitions.self, from: try encoder.encode(definitions)) == definitions)
    #expect(try JSONDecoder().decode(KVBindingDefinitions.self, from: try definitions.data()) == definitions)
    #expect(try KVBindingDefinitions(data: try encoder.encode(definitions)) == definitions)
    let empty = #"{"key":"","sourceKeyPath":"a","targetKeyPath":"b","direction":"oneWay","pathToSource":""}"#
    #expect(try JSONDecoder().decode(KVBindingDefinition.self, from: Data(empty.utf8)) == plain)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(KVBindingDefinitions.self, from: Data(#"{"version":2,"bindings":[]}"#.utf8))
    }
  }

  @Test("DEF.1: every field of a draft is a field of definitions, of files and of editable definitions")
  func everyField() throws {
    let names = Mirror(reflecting: BindingDraft()).children.compactMap(\.label)
    #expect(Set(names) == Set(KVEditableBindingDefinition.allObservableKeys) && names.count == 17)
    let definition = KVBindingDefinition(
      key: "k", "a", ofSource: "b", to: "c", ofTarget: "d", direction: .once, transformerName: "t", initialSync: .none,
      nullPlaceholder: true, fallback: -1, noSelection: "", multipleValues: "several", notApplicable: 0,
      allowsEditingMultipleValues: false, validates: true, skipsEqual: false, trigger: .explicit)
    #expect(Set(Mirror(reflecting: definition).children.compactMap(\.label)) == Set(names))
    let object = try #require(try JSONCoding.value(from: JSONEncoder().encode(definition)) as? [String: Any])
    #expect(Set(object.keys) == Set(names))
    #expect(KVEditableBindingDefinition(definition).draft == BindingDraft(definition))
    for encoded in [try JSONEncoder().encode([definition]), try JSONCoding.data(from: [object])] {
      #expect(try JSONDecoder().decode([KVBindingDefinition].self, from: encoded) == [definition])
    }
    let list = try PropertyListEncoder().encode([definition])
    #expect(try PropertyListDecoder().decode([KVBindingDefinition].self, from: list) == [definition])
  }

  @Test(
    "DEF.1: a coder tells the first fault, and at which entry",
    arguments: [
      (#"{"targetKeyPath":"b","direction":"once"}"#, "sourceKeyPath"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"","direction":"once"}"#, "targetKeyPath"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b","direction":"once","pathToSource":"a..b"}"#, "pathToSource"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b"}"#, "direction"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b","direction":"both"}"#, "direction"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b","direction":"once","validates":1}"#, "validates"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b","direction":"once","fallback":[]}"#, "fallback"),
      (#"{"sourceKeyPath":"a","targetKeyPath":"b","direction":"once","key":5}"#, "key"),
    ])
  func decodingFaults(json: String, entry: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(KVBindingDefinition.self, from: Data(json.utf8))
    }
    let key: (any CodingKey)? =
      switch error {
      case .keyNotFound(let key, _): key
      case .dataCorrupted(let context), .typeMismatch(_, let context): context.codingPath.last
      default: nil
      }
    #expect(key?.stringValue == entry)
  }

  @Test("DEF.1: its options are those of the binding")
  func options() throws {
    let options = try volume.options(base: KVBindingOptions(isTraced: true))
    #expect(options.direction == .twoWay && options.transformer?.name == "oneMinus")
    #expect(options.nullPlaceholder as? String == "–" && options.fallback as? Double == 0.5)
    #expect(options.validates && options.skipsEqual && options.trigger == .onCommit && options.isTraced)
    var other = volume
    other.transformerName = "nobody"
    #expect(throws: KVError.self) { try other.options() }
  }

  @Test("DEF.1: a scalar is a truth value, a finite number or a text")
  func scalars() {
    #expect(KVBindingScalar(1.0) == 1 && KVBindingScalar(Int8(1)) == 1 && KVBindingScalar(true) != 1)
    #expect(KVBindingScalar(UInt64.max)?.value as? Double == 0x1p64)
    #expect(KVBindingScalar(-0.0) != 0)
    #expect(KVBindingScalar(Double.nan) == nil && KVBindingScalar(Double.infinity) == nil)
    #expect(KVBindingScalar([1]) == nil && KVBindingScalar("a".dropFirst(0)) == "a")
    #expect("\(KVBindingScalar(stringLiteral: "a"))" == "\"a\"" && "\(KVBindingScalar(0.5))" == "0.5")
  }

  @Test("DEF.2: what is written is read again, in all formats", arguments: KVDocument.Format.allCases)
  func roundTrips(format: KVDocument.Format) throws {
    var random = RandomDefinitions(seed: 7)
    for _ in 0..<500 {
      let definitions = random.definitions()
      let data =
        switch format {
        case .json: try definitions.data()
        case .xml: try definitions.data(format: .xml)
        case .binary: try definitions.data(format: .binary)
        }
      #expect(KVDocument.Format(of: data) == format)
      let read = try KVBindingDefinitions(data: data)
      #expect(read == definitions)
      guard read == definitions else { return }
    }
  }

  @Test("DEF.2: the file of the colour picker is read, and written as it was")
  func colorPicker() throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let definitions = try KVBindingDefinitions(data: try ColorPicker.file(format: format))
      #expect(
        definitions.definitions.map(\.description) == [
          "blue ⇄ blueSlider · value", "green ⇄ greenSlider · value",
          "selectedColor → title by ILBindingsTestBrightnessStringTransformer", "red ⇄ redSlider · value",
          "selectedColor → colorDisplayView · backgroundColor",
        ])
      let again = try definitions.data(format: format == .xml ? .xml : .binary)
      let trees = try [again, ColorPicker.file()].map {
        try PropertyListSerialization.propertyList(from: $0, format: nil) as? NSDictionary
      }
      #expect(trees[0] == trees[1])
    }
  }

  @Test("DEF.2: a file is written atomically, in the format of its name, and read by its content")
  func files() throws {
    let scratch = try Scratch()
    let definitions = KVBindingDefinitions([volume])
    for (name, start) in [("a.json", "{"), ("a.plist", "bplist"), ("a.ilabs-bindings", "bplist")] {
      try definitions.write(to: scratch.file(name))
      #expect(try Data(contentsOf: scratch.file(name)).starts(with: Data(start.utf8)))
      #expect(try KVBindingDefinitions(contentsOf: scratch.file(name)) == definitions)
    }
    try definitions.write(to: scratch.file("b.json"), format: .xml)
    #expect(try KVBindingDefinitions(contentsOf: scratch.file("b.json")) == definitions)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 4)
    let error = #expect(throws: KVError.self) { try definitions.write(to: scratch.file("none/a.json")) }
    #expect(error?.code == .custom && error?.message.hasPrefix("\"a.json\" cannot be written: ") == true)
    let faults = #expect(throws: KVBindingFaults.self) {
      try KVBindingDefinitions(contentsOf: scratch.file("gone.json"))
    }
    #expect(faults?.faults.first?.code == .unreadableFile && faults?.file == "gone.json")
  }

  @Test("DEF.2: a text that XML cannot hold is refused there, and written elsewhere")
  func controlCharacters() throws {
    let definitions = KVBindingDefinitions([KVBindingDefinition("a", to: "b", nullPlaceholder: "x\u{1}\r")])
    let error = #expect(throws: KVError.self) { try definitions.data(format: .xml) }
    #expect(
      error?.message == """
        binding 1 cannot be written as XML: the text "x\\u{01}\\r" holds a control character. Take it out, or write JSON or \
        a binary property list.
        """)
    #expect(try KVBindingDefinitions(data: try definitions.data()) == definitions)
    #expect(try KVBindingDefinitions(data: try definitions.data(format: .binary)) == definitions)
  }
}
