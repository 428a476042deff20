import KVBinding
import KVCore
import TestModels
import Testing

@Suite("NOD.3: data objects in trees")
struct TreeBindingTests {
  let label = TextView()
  let cell: TableCell

  init() { cell = TableCell([label]) }

  @Test("NOD.1: a declaration binds a property to the data object that is found, and follows it")
  func live() throws {
    let apple = Fruit("Apple", "red")
    cell.dataObject = apple
    let binding = try label.bindTo("bindTo.@cell.dataObject.name", "text")
    #expect(label.text == "Apple" && binding.state == .active)
    #expect(binding.description.hasPrefix("TableCell.dataObject.name → TextView.text [active] (KVBindingTests/Tree"))
    apple.name = "Boskoop"
    #expect(label.text == "Boskoop")
    try label.bindTo("@cell.dataObject.color", "textColor")
    apple.colorName = "green"
    #expect(label.textColor == "#green")
    #expect(label.bindings.count == 2 && apple.bindings.count == 2 && cell.bindings.count == 2)
    #expect(KVDiagnostics.bindings.contains(binding))
  }

  @Test("NOD.3: another data object is followed, and the former one is not observed any more")
  func replaced() throws {
    let apple = Fruit("Apple", "red")
    let kiwi = Fruit("Kiwi", "green")
    try label.bindTo("@cell.name", "text")
    cell.dataObject = apple
    cell.dataObject = kiwi
    #expect(label.text == "Kiwi" && KVDiagnostics.observations(of: apple).isEmpty)
    apple.name = "unheard"
    kiwi.name = "Golden kiwi"
    #expect(label.history == ["Apple", "Kiwi", "Golden kiwi"])
    // Equal values are not set again (BND.4).
    cell.dataObject = kiwi
    #expect(label.history.count == 3)
  }

  @Test("NOD.3: bindings are evaluated in the order of their declaration")
  func order() throws {
    let second = TextView()
    cell.add(second)
    let log = Mutexed<[String]>([])
    func traced(_ name: String) -> KVBindingOptions {
      let transformer = KVTransformer { (text: String) in
        log.withLock { $0.append(text + name) }
        return text + name
      }
      return .init(transformer: transformer, skipsEqual: false)
    }
    try second.bindTo("@cell.name", "text", options: traced(" 1"))
    try label.bindTo("@cell.name", "text", options: traced(" 2"))
    try second.bindTo("@cell.colorName", "text", options: traced(" 3"))
    cell.dataObject = Fruit("a", "b")
    #expect(log.withLock { $0 } == ["a 1", "a 2", "b 3"])
    #expect(second.history == ["a 1", "b 3"] && label.history == ["a 2"])
    // Of two declarations of one key the last one wins.
    #expect(second.text == "b 3")
  }

  @Test("NOD.3: without a data object a binding is unresolved, and writes its fallback if it has one")
  func noDataObject() throws {
    label.text = "designed"
    let binding = try label.bindTo("@cell.name", "text")
    try label.bindTo("@cell.color", "textColor", options: .init(fallback: "clear"))
    #expect(binding.state == .unresolved && label.text == "designed" && label.textColor == "clear")
    cell.dataObject = Fruit("Plum", "purple")
    #expect(binding.state == .active && label.text == "Plum" && label.textColor == "#purple")
    cell.dataObject = nil
    #expect(binding.state == .unresolved && label.text == "Plum" && label.textColor == "clear")
  }

  @Test("NOD.3: a nil in the middle is unresolved, one at the end is nil")
  func nilValues() throws {
    let fruit = Fruit("Nut", "brown")
    cell.dataObject = fruit
    let deep = try label.bindTo("@cell.dataObject.origin.name", "text")
    #expect(deep.state == .unresolved && label.history.isEmpty)
    fruit.origin = Fruit("Tree", "")
    #expect(label.text == "Tree")
    fruit.origin?.name = "Old tree"
    #expect(label.text == "Old tree")
    try label.bindTo("@cell.dataObject.license", "textColor", options: .init(nullPlaceholder: "none"))
    #expect(label.textColor == "none")
  }

  @Test("NOD.3: in manual mode a binding reads when it is updated", arguments: [true, false])
  func manual(asNode: Bool) throws {
    let note = Note()
    cell.dataObject = note
    if asNode { cell.dataObjectUpdating = .manual }
    let binding = try label.bindTo("@cell.name", "text", updating: asNode ? nil : .manual)
    #expect(label.text == "note")
    note.name = "changed"
    #expect(label.text == "note")
    try cell.updateFromDataObject()
    #expect(label.text == "changed" && binding.state == .active)
    let fruit = Fruit("Kiwi", "green")
    cell.dataObject = fruit
    fruit.name = "unseen"
    #expect(label.text == "Kiwi" && KVDiagnostics.observations(of: fruit).isEmpty)
    if asNode {
      cell.dataObjectUpdating = .live
      #expect(label.text == "unseen")
      fruit.name = "seen"
      #expect(label.text == "seen")
    }
  }

  @Test("NOD.3: a live binding to what cannot be observed is an error that says so")
  func notObservable() throws {
    cell.dataObject = Note()
    let error = #expect(throws: KVError.self) { try label.bindTo("@cell.name", "text") }
    #expect(error?.code == .notObservable)
    #expect(
      error?.message
        == """
        the data object of TableCell, Note, does not notify of its changes, so no binding can follow its "name". Mark its class \
        with @KVModel(.root), let it inherit from KVObject or conform to KVObservable, or bind with updating: .manual.
        """)
    #expect(label.bindings.isEmpty)

    cell.dataObject = nil
    let binding = try label.bindTo("@cell.name", "text")
    let events = capturingEvents { cell.dataObject = Note() }
    #expect(binding.state == .failed && binding.lastError?.code == .notObservable && label.history.isEmpty)
    #expect(events.about("dataObject.name").count == 1)
    cell.dataObject = Fruit("Apple", "red")
    #expect(binding.state == .active && label.text == "Apple")
  }

  @Test("NOD.3: a key that a data object does not have fails that binding, and no other")
  func undefinedKey() throws {
    let bad = try label.bindTo("@cell.dataObject.weight", "text")
    try label.bindTo("@cell.color", "textColor")
    _ = capturingEvents { cell.dataObject = Fruit("Apple", "red") }
    #expect(bad.state == .failed && bad.lastError?.code == .undefinedKey)
    #expect(label.textColor == "#red")
  }

  @Test("NOD.1: setter-only properties can be bound")
  func setterOnly() throws {
    let image = ImageView()
    cell.add(image)
    let apple = Fruit("Apple", "red")
    apple.imageURL = "a.png"
    try image.bindTo("@cell.imageURL", "URL")
    cell.dataObject = apple
    apple.imageURL = "b.png"
    #expect(image.loaded == ["a.png", "b.png"])
  }

  @Test("NOD.1: many declarations at once, or none of them")
  func many() throws {
    cell.dataObject = Fruit("Plum", "purple")
    let bindings = try label.bindTo(["bindTo.@cell.name": "text", "@cell.dataObject.color": "textColor"])
    #expect(bindings.map(\.target.keyPath) == ["text", "textColor"] && label.text == "Plum")
    #expect(try label.bindTo(attributes: ["bindTo.@cell.color": "backgroundColor"]).count == 1)
    #expect(label.backgroundColor == "#purple")
    let error = #expect(throws: KVError.self) {
      try label.bindTo(["@cell.colorName": "text", "@window.name": "text", "@superviewWithTag[5].name": "text"])
    }
    let message = error?.message ?? ""
    #expect(
      message.hasPrefix(
        """
        2 of 3 declarations of TextView are faulty, and none was bound: "@window.name" for "text": unknown operator
        """))
    #expect(message.contains("\"@superviewWithTag[5].name\" for \"text\": @superviewWithTag[5] leads nowhere"))
    #expect(error?.description == message && error?.rootType == "TextView")
    #expect(message.contains("no ancestor has the tag 5"))
    #expect(throws: KVError.self) { try label.bindTo(["@cell.colorName": "text", "@cell.color": "txet"]) }
    #expect(label.bindings.count == 3)
  }

  @Test("NOD.1: of many faulty declarations the first hundred are listed")
  func manyFaults() {
    let declarations = (0..<150).map { ("@window.name\($0)", "text") }
    let error = #expect(throws: KVError.self) {
      try label.bindTo(attributes: Dictionary(uniqueKeysWithValues: declarations))
    }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("150 of 150 declarations of TextView are faulty, and none was bound: "))
    #expect(message.split(separator: "for \"text\": ").count == 101)
    #expect(message.hasSuffix(" These are the first 100."))
  }

  @Test("NOD.1: if a declaration fails when its value is set, the values that were set before are restored")
  func restoresValues() throws {
    let apple = Fruit("Apple", "red")
    cell.dataObject = apple
    (label.text, label.backgroundColor) = ("before", nil)
    let error = #expect(throws: KVError.self) {
      try label.bindTo(attributes: [
        "@cell.color": "backgroundColor", "@cell.name": "text", "@cell.origin": "textColor",
        "@superviewWithClass[TableCell].dataObject.name": "txet",
      ])
    }
    #expect(error?.code == .undefinedKey && error?.keyPath == "txet")
    #expect(label.text == "before" && label.backgroundColor == nil && label.bindings.isEmpty)
    apple.origin = Fruit("Kazakhstan", "green")
    let faults = #expect(throws: KVError.self) {
      try label.bindTo(attributes: ["@cell.name": "text", "@cell.nmae": "textColor", "@cell.origin": "textColor"])
    }
    #expect(label.text == "before" && label.textColor == nil)
    let message = faults?.message ?? ""
    #expect(message.contains("\"@cell.nmae\" for \"textColor\": undefined key \"nmae\" of Fruit."))
    #expect(message.contains("\"@cell.origin\" for \"textColor\": cannot set \"textColor\" of TextView"))
  }

  @Test("NOD.1: declarations are ended by key, or all of them; values stay")
  func unbinding() throws {
    let apple = Fruit("Apple", "red")
    cell.dataObject = apple
    try label.bindTo(["@cell.name": "text", "@cell.color": "textColor"])
    let plain = try label.bind("backgroundColor", to: "color", of: apple)
    #expect(try label.unbindTo("text") == 1)
    apple.name = "unheard"
    #expect(label.text == "Apple")
    #expect(try label.unbindTo() == 1)
    cell.dataObject = Fruit("Kiwi", "green")
    #expect(label.textColor == "#red" && plain.isActive)
  }
}
