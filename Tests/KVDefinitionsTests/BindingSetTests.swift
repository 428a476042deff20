import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import TestModels
import Testing

@Suite("Binding sets")
struct BindingSetTests {
  let picker = ColorPicker()

  init() throws {
    try KVTransformer.register(
      ColorPicker.brightness, named: "ILBindingsTestBrightnessStringTransformer", replacing: true)
  }

  @Test("DEF.3: the colour picker works as the original does")
  func colorPicker() throws {
    let scratch = try Scratch()
    try ColorPicker.file().write(to: scratch.file("ColorPicker.ilabs-bindings"))
    let set = try KVBindingSet(named: "ColorPicker", in: scratch.url, owner: picker)
    #expect(set.bindings.count == 5)
    #expect(
      picker.redSlider.value == 0 && picker.title == "Black" && picker.colorDisplayView.backgroundColor == [0, 0, 0])
    picker.greenSlider.value = 1
    #expect(picker.green == 1 && picker.title == "Dark" && picker.colorDisplayView.backgroundColor == [0, 1, 0])
    picker.selectedColor = [1, 1, 1]
    #expect(picker.blueSlider.value == 1 && picker.title == "White")
    set.cancel()
    #expect(set.bindings.isEmpty && set.description == "no bindings")
    picker.redSlider.value = 0.25
    #expect(picker.red == 1 && picker.title == "White")
    set.cancel()
  }

  @Test("DEF.4: bindings are found by key, and end with the set")
  func keys() throws {
    var set: KVBindingSet? = try KVBindingSet(
      [
        KVBindingDefinition(key: "red", "red", to: "value", ofTarget: "redSlider", direction: .twoWay),
        KVBindingDefinition("green", to: "value", ofTarget: "greenSlider"),
      ], owner: picker)
    let red = try #require(set?.binding(forKey: "red"))
    #expect(red.key == "red" && red.state == .active && set?.binding(forKey: "green") == nil)
    #expect(red.location.hasPrefix("KVDefinitionsTests/BindingSetTests.swift:"))
    #expect(set?.description.components(separatedBy: "\n").count == 2)
    set?.cancel()
    #expect(set?.binding(forKey: "red") == nil && red.state == .ended)
    set = try KVBindingSet([KVBindingDefinition(key: "red", "red", to: "value", ofTarget: "redSlider")], owner: picker)
    let other = try #require(set?.binding(forKey: "red"))
    picker.red = 0.5
    #expect(picker.redSlider.value == 0.5)
    set = nil
    #expect(other.state == .ended)
    picker.red = 1
    #expect(picker.redSlider.value == 0.5)
    #expect(KVDiagnostics.bindings(of: picker).isEmpty && KVDiagnostics.observations(of: picker).isEmpty)
  }

  @Test("DEF.3: source and target may be two objects, and paths to objects are followed once")
  func twoObjects() throws {
    let song = Song()
    let field = Field()
    let first = Field()
    field.next = first
    let set = try KVBindingSet(
      [KVBindingDefinition("title", to: "title", ofTarget: "next", direction: .twoWay)], owner: song, target: field)
    #expect(first.title == "Blue")
    field.next = Field()
    song.title = "Green"
    #expect(first.title == "Green" && field.next?.title == "")
    withExtendedLifetime(set) {}
    let binding = try KVBindingDefinition("rating", to: "number").bind(owner: song, target: field)
    #expect(field.number == 3)
    binding.cancel()
  }

  @Test("DEF.3: all that is wrong with any definition is reported together, and nothing is bound")
  func faults() throws {
    let error = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet(
        [
          KVBindingDefinition(key: "a", "red", to: "value", ofTarget: "redSlider"),
          KVBindingDefinition(key: "a", "red", to: "value", ofTarget: "redSlidr"),
          KVBindingDefinition("red", to: "value", ofTarget: "missing"),
          KVBindingDefinition("red", to: "value", ofTarget: "title.count"),
          KVBindingDefinition(
            "red", to: "valeu", ofTarget: "redSlider", direction: .twoWay, transformerName: "negateBolean"),
          KVBindingDefinition("red", to: "value", ofTarget: "redSlider", direction: .twoWay, transformerName: "isNil"),
          KVBindingDefinition("title", ofSource: "red", to: "title"),
        ], owner: picker)
    }
    let faults = try #require(error)
    #expect(
      faults.faults.map { "\($0.index ?? -1) \($0.code) \($0.entry ?? "")" } == [
        "1 unresolvedPath pathToTarget", "1 duplicateKey key", "2 unresolvedPath pathToTarget",
        "3 unresolvedPath pathToTarget", "4 unknownTransformer transformerName", "4 unresolvedPath targetKeyPath",
        "5 notReversible transformerName", "6 unresolvedPath pathToSource",
      ])
    #expect(faults.faults[0].description.contains("Did you mean \"redSlider\"?"))
    #expect(
      faults.faults[2].description == """
        binding 3: "pathToTarget": "missing" of ColorPicker is nil; the object has to be there when the binding is made.
        """)
    #expect(
      faults.faults[6].description == """
        binding 6: values would go back to the source, but the transformer "isNil" works forward only. Let the direction \
        be "oneWay", or choose one that works both ways.
        """)
    #expect(picker.redSlider.value == 0.5)
    #expect(KVDiagnostics.observations(of: picker).isEmpty && KVDiagnostics.bindings(of: picker).isEmpty)
    #expect(faults.description.hasPrefix("the bindings have 8 faults:\n- binding 2 \"a\": "))
  }

  @Test("DEF.3: an endpoint that cannot be observed is reported before anything is bound")
  func unheard() throws {
    let label = Label()
    let song = Song()
    let definitions = [
      KVBindingDefinition("title", to: "text", direction: .oneWay),
      KVBindingDefinition("title", to: "text", direction: .twoWay),
    ]
    let error = #expect(throws: KVBindingFaults.self) { try KVBindingSet(definitions, owner: song, target: label) }
    #expect(error?.faults.map(\.code) == [.notBindable] && error?.faults.first?.underlying?.code == .notObservable)
    #expect(error?.faults.first?.index == 1 && label.text == "")
    let set = try KVBindingSet(definitions.prefix(1), owner: song, target: label)
    #expect(label.text == "Blue")
    set.cancel()
  }

  @Test("DEF.3: what fails when values are set undoes what was bound, and puts values back")
  func rollback() throws {
    let song = Song()
    let field = Field()
    field.rows = ["mine"]
    field.number = 9
    let error = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet(
        [
          KVBindingDefinition("title", to: "title", direction: .twoWay),
          KVBindingDefinition("tags", to: "rows"),
          KVBindingDefinition(key: "back", "rating", to: "number", direction: .toSource),
          KVBindingDefinition(key: "bad", "title", to: "value"),
        ], owner: song, target: field)
    }
    #expect(
      error?.faults.map(\.code) == [.notBindable] && error?.faults.first?.key == "bad"
        && error?.faults.first?.index == 3)
    #expect(error?.faults.first?.underlying?.code == .typeMismatch)
    #expect(field.title == "" && field.rows == ["mine"] && song.rating == 3 && field.number == 9)
    #expect(song.bindings.isEmpty && field.bindings.isEmpty && KVDiagnostics.observations(of: song).isEmpty)
  }

  @Test("DEF.3: wherever among the definitions one fails, nothing stays bound or changed", arguments: 0..<6)
  func failureAnywhere(index: Int) throws {
    struct Broken: Error {}
    try KVTransformer.register(
      KVTransformer.erased(forward: { _ in throw Broken() }, reverse: { _ in throw Broken() }), named: "DEF.3 broken",
      replacing: true)
    let song = Song()
    let field = Field()
    var definitions = [
      KVBindingDefinition(key: "title", "title", to: "title", direction: .twoWay),
      KVBindingDefinition(key: "rating", "rating", to: "number", direction: .once),
      KVBindingDefinition(key: "length", "length", to: "value", direction: .twoWay, initialSync: .fromTarget),
      KVBindingDefinition(key: "tags", "tags", to: "rows", direction: .oneWay),
      KVBindingDefinition(key: "note", "note", to: "text", direction: .toSource),
    ]
    definitions.insert(
      KVBindingDefinition(key: "bad", "title", to: "counted", transformerName: "DEF.3 broken"), at: index)
    let error = #expect(throws: KVBindingFaults.self) { try KVBindingSet(definitions, owner: song, target: field) }
    #expect(error?.faults.map(\.index) == [index] && error?.faults.first?.underlying?.underlying is Broken)
    #expect(field.title == "" && field.number == 0 && field.value == 0 && field.rows.isEmpty && field.text == "")
    #expect(song.length == 2.5 && song.note == nil && song.title == "Blue")
    #expect(song.bindings.isEmpty && field.bindings.isEmpty)
    #expect(KVDiagnostics.observations(of: song).isEmpty && KVDiagnostics.observations(of: field).isEmpty)
    definitions.remove(at: index)
    #expect(try KVBindingSet(definitions, owner: song, target: field).bindings.count == 5)
    #expect(field.title == "Blue" && field.number == 3 && song.length == 0 && song.note == "")
  }

  @Test("DEF.4: a set may be ended on several threads at once")
  func threads() async throws {
    let set = try KVBindingSet([KVBindingDefinition("red", to: "value", ofTarget: "redSlider")], owner: picker)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { set.cancel() } }
    }
    #expect(set.bindings.isEmpty && picker.bindings.isEmpty)
  }

  @Test("DEF.3: a file that is not there is reported by name, with the nearest one that is")
  func names() throws {
    let scratch = try Scratch()
    try ColorPicker.file().write(to: scratch.file("Picker.plist"))
    let error = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet(named: "Pickr", in: scratch.url, owner: picker)
    }
    #expect(
      error?.description == """
        there is no file "Pickr" in the directory, with or without .json, .ilabs-bindings, .plist. Did you mean \
        "Picker.plist"?
        """)
    #expect(try KVBindingSet(named: "Picker.plist", in: scratch.url, owner: picker).bindings.count == 5)
    try Data("{".utf8).write(to: scratch.file("bad.json"))
    let bad = #expect(throws: KVBindingFaults.self) { try KVBindingSet(named: "bad", in: scratch.url, owner: picker) }
    #expect(bad?.file == "bad.json" && bad?.faults.first?.code == .invalidDocument)
  }

  @Test("DEF.2: a directory that is not there is reported, not the file in it")
  func directories() throws {
    let missing = try Scratch().url.appendingPathComponent("nowhere")
    let named = #expect(throws: KVBindingFaults.self) { try KVBindingSet(named: "Picker", in: missing, owner: picker) }
    #expect(named?.description == "there is no directory \"\(missing.path)\".")
    let url = missing.appendingPathComponent("Picker.json")
    let read = #expect(throws: KVBindingFaults.self) { try KVBindingSet(contentsOf: url, owner: picker) }
    #expect(
      read?.faults.map(\.message) == ["the file cannot be read: there is no directory \"\(missing.path)\"."])
    let written = #expect(throws: KVError.self) { try KVBindingDefinitions().write(to: url) }
    #expect(written?.message == "\"Picker.json\" cannot be written: there is no directory \"\(missing.path)\".")
  }

  @Test("DEF.2: what cannot be bound of a property list is reported with its entries and values")
  func propertyListNames() throws {
    let scratch = try Scratch()
    let entries: [[String: Any]] = [
      ["Key": "a", "SourceKeyPath": "rde", "TargetKeyPath": "value", "PathToTarget": "redSlider", "Direction": 1],
      ["Key": "a", "SourceKeyPath": "red", "TargetKeyPath": "value", "PathToTarget": "redSlidr", "Direction": 1],
      [
        "SourceKeyPath": "red", "TargetKeyPath": "value", "PathToTarget": "redSlider", "Direction": 0,
        "ValueTransformerName": "isNil",
      ],
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["ILBindings": entries], format: .xml, options: 0)
    try data.write(to: scratch.file("Picker.plist"))
    let unique = try PropertyListSerialization.data(
      fromPropertyList: ["ILBindings": [entries[0], entries[1].merging(["Key": "b"]) { $1 }, entries[2]]], format: .xml,
      options: 0)
    try unique.write(to: scratch.file("Unique.plist"))
    let equal = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet(contentsOf: scratch.file("Picker.plist"), owner: picker)
    }
    #expect(equal?.faults.map(\.entry) == ["Key"])
    let faults = try #require(
      #expect(throws: KVBindingFaults.self) {
        try KVBindingSet(contentsOf: scratch.file("Unique.plist"), owner: picker)
      }
    ).faults
    #expect(faults.map(\.entry) == ["SourceKeyPath", "PathToTarget", "ValueTransformerName"])
    #expect(faults.first?.message.hasPrefix("\"SourceKeyPath\": ") == true)
    #expect(faults.last?.message.contains("Let the direction be 1 (source to target), or") == true)
  }

  @Test("DEF.4: a set keeps no object alive")
  func lifetimes() throws {
    weak var weakPicker: ColorPicker?
    let set: KVBindingSet
    do {
      let picker = ColorPicker()
      weakPicker = picker
      set = try KVBindingSet([KVBindingDefinition("red", to: "value", ofTarget: "redSlider")], owner: picker)
    }
    #expect(weakPicker == nil && set.bindings.map(\.state) == [.ended])
  }

  @Test("CTR.38, CTR.39, DEF.1: placeholders and allowsEditingMultipleValues are entries of definitions, with faults")
  func selections() throws {
    let text = """
      {"version": 1, "bindings": [{"key": "field", "sourceKeyPath": "selection.title", "targetKeyPath": "text",
        "direction": "twoWay", "noSelection": "none", "multipleValues": "several", "notApplicable": "-",
        "allowsEditingMultipleValues": false}]}
      """
    let (songs, shelf, field) = ([Song(), Song()], KVArrayController<Song>(), Field())
    songs[1].title = "So What"
    shelf.content = songs
    shelf.selectedObjects = []
    let definitions = try KVBindingDefinitions(data: Data(text.utf8))
    let set = try KVBindingSet(definitions.definitions, owner: shelf, target: field)
    #expect(field.text == "none")
    shelf.selectedObjects = songs
    #expect(field.text == "several")
    #expect(try #require(set.binding(forKey: "field")).isEditable == false)
    let again = try KVBindingDefinitions(data: definitions.data())
    #expect(again == definitions)
    let faulty = text.replacing("false", with: "\"maybe\"").replacing("\"none\"", with: "[1]")
    let faults = #expect(throws: KVBindingFaults.self) { try KVBindingDefinitions(data: Data(faulty.utf8)) }
    #expect(Set(faults?.faults.compactMap(\.entry) ?? []) == ["allowsEditingMultipleValues", "noSelection"])
  }

  @Test("CTL.1: a source path through a control is a fault of its entry")
  func sourceThroughControl() throws {
    let (panel, song) = (Panel(), Song())
    panel.slider = SliderControl(0.25)
    let faults = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet([KVBindingDefinition("slider.value", to: "length")], owner: panel, target: song)
    }
    #expect(faults?.faults.first?.entry == "sourceKeyPath" && song.length == 2.5)
  }
}
