import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import TestModels
import Testing

@Suite("Documents of editable definitions")
struct BindingDocumentTests {
  private func draft(_ key: String) -> BindingDraft {
    BindingDraft(KVBindingDefinition(key: key, "a", to: "b"))
  }

  private func list(_ document: KVBindingDocument) -> KVMutableArray { document.mutableArray(forKey: "definitions") }

  @Test("DEF.1: each field of an editable definition can be observed and set by key")
  func fields() throws {
    let editable = KVEditableBindingDefinition()
    let values: [String: Any] = [
      "direction": "once", "initialSync": "none", "trigger": "explicit", "validates": true, "skipsEqual": false,
      "nullPlaceholder": "–", "fallback": 2, "noSelection": "", "multipleValues": "several", "notApplicable": false,
      "allowsEditingMultipleValues": false,
    ]
    for key in KVEditableBindingDefinition.allObservableKeys {
      var received = 0
      let token = try editable.observe(key) { _ in received += 1 }
      try editable.setValue(values[key] ?? "x", forKey: key)
      #expect(received == 1, "\(key)")
      token.cancel()
    }
    let expected = KVBindingDefinition(
      key: "x", "x", ofSource: "x", to: "x", ofTarget: "x", direction: .once, transformerName: "x", initialSync: .none,
      nullPlaceholder: "–", fallback: 2, noSelection: "", multipleValues: "several", notApplicable: false,
      allowsEditingMultipleValues: false, validates: true, skipsEqual: false, trigger: .explicit)
    #expect(try editable.definition() == expected)
    #expect(KVEditableBindingDefinition(expected).draft == editable.draft)
  }

  @Test("DEF.1: what is wrong with an editable definition follows each edit, and can be bound")
  func liveFaults() throws {
    let editable = KVEditableBindingDefinition(KVBindingDefinition("a", to: "b"))
    let field = Field()
    try field.bind("title", to: "summary", of: editable)
    #expect(field.title == "" && editable.faults.isEmpty)
    editable.sourceKeyPath = "a["
    #expect(
      editable.faults.map(\.code) == [.invalidKeyPath] && field.title.hasPrefix("\"sourceKeyPath\": \"a[\" is no"))
    editable.sourceKeyPath = ""
    #expect(editable.faults.map(\.code) == [.missingEntry])
    editable.sourceKeyPath = "a"
    editable.transformerName = "isNil"
    #expect(editable.faults.isEmpty)
    editable.direction = .twoWay
    #expect(editable.faults.map(\.code) == [.notReversible])
    editable.transformerName = "negatBoolean"
    #expect(editable.faults.map(\.code) == [.unknownTransformer] && editable.faults[0].suggestion == "negateBoolean")
    editable.transformerName = ""
    editable.fallback = [1]
    #expect(editable.faults.map(\.code) == [.wrongType])
    #expect(throws: KVBindingFaults.self) { try editable.definition() }
    editable.fallback = nil
    #expect(field.title == "")
  }

  @Test("DEF.2: edits of fields and of the list are reverted and made again by their changes")
  func undo() throws {
    let document = KVBindingDocument([draft("one"), draft("two")])
    let edits = try Edits(of: document)
    #expect(!document.hasUnsavedChanges)
    let start = document.drafts
    document.definitions[0].direction = .toSource
    #expect(document.hasUnsavedChanges)
    try list(document).append(KVEditableBindingDefinition(draft("three")))
    try list(document).move(from: 2, to: 0)
    #expect(document.drafts.map(\.key) == ["three", "one", "two"])
    try list(document).remove(at: 1)
    try list(document).insert(KVEditableBindingDefinition(draft("four")), at: 1)
    document.definitions[1].key = "vier"
    let end = document.drafts
    #expect(end.map(\.key) == ["three", "vier", "two"])
    let changes = edits.take()
    #expect(changes.count == 6)
    for change in changes.reversed() { try change.revert() }
    #expect(document.drafts == start && !document.hasUnsavedChanges)
    for change in changes { try change.apply() }
    #expect(document.drafts == end && document.hasUnsavedChanges)
  }

  @Test("DEF.2: an edit to an equal value is no edit, nor is one of a definition that was removed")
  func noEdits() throws {
    let document = KVBindingDocument([draft("one"), draft("two")])
    let edits = try Edits(of: document)
    let definition = document.definitions[0]
    definition.key = "one"
    #expect(!document.hasUnsavedChanges && edits.take().isEmpty)
    try list(document).remove(at: 0)
    let removal = edits.take()
    definition.key = "two"
    #expect(document.faults.isEmpty && edits.take().isEmpty)
    try removal[0].revert()
    #expect(document.definitions.first === definition && document.faults.map(\.code) == [.duplicateKey])
    definition.key = "one"
    #expect(!document.hasUnsavedChanges && document.faults.isEmpty)
  }

  @Test("DEF.2: a value that files cannot contain is an unsaved change, also after saving the rest")
  func unwritable() throws {
    let document = KVBindingDocument([draft("one")])
    document.definitions[0].fallback = Date()
    #expect(document.hasUnsavedChanges && document.faults.count == 1)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: url) }
    try document.save(to: url)
    #expect(document.hasUnsavedChanges)
    document.definitions[0].fallback = nil
    #expect(!document.hasUnsavedChanges && document.faults.isEmpty)
  }

  @Test("DEF.2: observers of the list are notified of what comes and goes, reverted or not")
  func changes() throws {
    let document = KVBindingDocument([draft("one")])
    let edits = try Edits(of: document)
    try list(document).append(KVEditableBindingDefinition())
    let insertion = edits.take()[0]
    try insertion.revert()
    try insertion.apply()
    try list(document).remove(at: 0)
    let changes = edits.take()
    try changes[2].revert()
    let kinds = ([insertion] + changes + edits.take()).map { "\($0.kind) \($0.indexes ?? [])" }
    #expect(kinds == ["insertion [1]", "removal [1]", "insertion [1]", "removal [0]", "insertion [0]"])
    #expect(throws: KVError.self) { try list(document).remove(at: 9) }
    #expect(throws: KVError.self) { try list(document).move(from: 0, to: 2) }
  }

  @Test("DEF.2: the document says what is wrong with its definitions, equal keys too")
  func faults() throws {
    let document = KVBindingDocument([draft("one"), draft("two")])
    var counts: [Int] = []
    let token = try document.observe("faults", as: [KVBindingFault].self) { counts.append($0.new?.count ?? -1) }
    document.definitions[1].key = "one"
    #expect(document.faults.map(\.code) == [.duplicateKey])
    #expect(document.faults.allSatisfy { $0.index == 1 })
    try list(document).append(KVEditableBindingDefinition())
    #expect(document.faults.map(\.index) == [1, 2, 2])
    try list(document).removeLast()
    document.definitions[1].key = "1"
    #expect(document.faults.isEmpty && counts == [1, 3, 1, 0])
    token.cancel()
  }

  @Test("DEF.2: files are opened finished or not, saved in their format, and known to be saved")
  func files() throws {
    let scratch = try Scratch()
    let url = scratch.file("Picker.ilabs-bindings")
    try ColorPicker.file().write(to: url)
    let document = try KVBindingDocument(contentsOf: url)
    #expect(document.definitions.count == 5 && document.format == .binary && !document.hasUnsavedChanges)
    document.definitions[0].sourceKeyPath = ""
    try document.save(to: url)
    #expect(!document.hasUnsavedChanges)
    #expect(try BindingDrafts(contentsOf: url).drafts == document.drafts)
    document.definitions[0].sourceKeyPath = "x"
    #expect(document.hasUnsavedChanges)
    document.definitions[0].sourceKeyPath = ""
    #expect(!document.hasUnsavedChanges)
    document.format = .json
    try document.save(to: scratch.file("Picker.json"))
    #expect(try KVBindingDocument(contentsOf: scratch.file("Picker.json")).format == .json)
    #expect(throws: KVBindingFaults.self) { try document.revert(to: scratch.file("none")) }
    #expect(document.definitions.count == 5)
    try document.revert(to: url)
    #expect(!document.hasUnsavedChanges && document.format == .binary)
    #expect(KVBindingDocument.blank().drafts == [BindingDraft()])
  }

  @Test("DEF.2: random edits are reverted to the beginning, and made again to the end", arguments: 0..<20)
  func randomEdits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let document = KVBindingDocument([draft("a"), draft("b")])
    let edits = try Edits(of: document)
    var states = [document.drafts]
    var steps: [[KVChange]] = []
    for step in 0..<60 {
      let count = document.definitions.count
      switch count == 0 ? 0 : random.below(5) {
      case 0: try list(document).append(KVEditableBindingDefinition(draft("n\(step)")))
      case 1: try list(document).remove(at: random.below(count))
      case 2: try list(document).move(from: random.below(count), to: random.below(count))
      case 3: document.definitions[random.below(count)].fallback = step
      default: document.definitions[random.below(count)].key = "k\(step)"
      }
      steps.append(edits.take())
      states.append(document.drafts)
    }
    for (step, state) in zip(steps.reversed(), states.reversed().dropFirst()) {
      for change in step.reversed() { try change.revert() }
      #expect(document.drafts == state)
    }
    #expect(!document.hasUnsavedChanges)
    for (step, state) in zip(steps, states.dropFirst()) {
      for change in step { try change.apply() }
      #expect(document.drafts == state)
    }
  }

  @Test("UND.15: random edits are undone and redone by the document's manager", arguments: 0..<10)
  func undoManager(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let undo = KVUndoManager()
    let document = KVBindingDocument([draft("a"), draft("b")], undoManager: undo)
    var states = [document.drafts]
    for step in 0..<60 {
      let count = document.definitions.count
      switch count == 0 ? 0 : random.below(5) {
      case 0: try list(document).append(KVEditableBindingDefinition(draft("n\(step)")))
      case 1: try list(document).remove(at: random.below(count))
      case 2: undo.group("Swap") { document.definitions.swapAt(random.below(count), random.below(count)) }
      case 3: document.definitions[random.below(count)].fallback = step
      default: try document.definitions[random.below(count)].setValue("once", forKey: "direction")
      }
      if document.drafts != states.last { states.append(document.drafts) }
    }
    let end = document.drafts
    #expect(undo.undoCount == states.count - 1)
    while try undo.undo() { #expect(document.drafts == states[undo.undoCount]) }
    #expect(document.drafts == states[0] && !document.hasUnsavedChanges)
    while try undo.redo() {}
    #expect(document.drafts == end && document.hasUnsavedChanges)
    let scratch = try Scratch()
    try document.save(to: scratch.file("saved"))
    try document.revert(to: scratch.file("saved"))
    #expect(document.drafts == end && !undo.canUndo && !undo.canRedo)
  }

  @Test("DEF.2: nothing keeps a document alive")
  func lifetime() {
    weak var weakDocument: KVBindingDocument?
    do {
      let document = KVBindingDocument([draft("one")])
      document.definitions[0].key = "other"
      weakDocument = document
    }
    #expect(weakDocument == nil)
  }

  @Test("TRN.2: an editor can offer the transformers of the original, and all others")
  func choices() throws {
    let names = KVTransformer.registeredNames
    #expect(Set(["negateBoolean", "isNil", "isNotNil"]).isSubset(of: names))
    let original = try ["negateBoolean", "isNil", "isNotNil"].map { try KVTransformer.named($0).isReversible }
    #expect(original == [true, false, false])
    #expect(try names.contains("oneMinus") && KVTransformer.named("oneMinus").isReversible)
  }

  @Test("DEF.2: a duplicate of one definition, and a binding that edits it")
  func document() throws {
    let document = KVBindingDocument()
    let first = KVEditableBindingDefinition()
    try document.mutableArray(forKey: "definitions").append(first)
    document.definitions.append(first)
    #expect(document.definitions.count == 2 && document.hasUnsavedChanges)
    first.key = "k"
    #expect(document.faults.filter { $0.code == .duplicateKey }.map(\.index) == [1])
    try document.mutableArray(forKey: "definitions").removeLast()
    #expect(document.faults.allSatisfy { $0.code == .missingEntry })
    let field = KeyBox()
    try field.bind("name", to: "key", of: first, options: .twoWay)
    field.name = "typed"
    #expect(first.key == "typed" && document.faults.allSatisfy { $0.key == "typed" })
  }
}

/// The changes of a document and of its definitions, as an editor records them.
private final class Edits {
  private var changes: [KVChange] = []
  private var observations: [KVObservation] = []

  init(of document: KVBindingDocument) throws {
    observations.append(try document.observe("definitions") { [weak self] in self?.changes.append($0) })
    for key in KVEditableBindingDefinition.allObservableKeys {
      observations.append(
        try document.observeElements(of: "definitions", key, options: [.old, .new, .distinct]) { [weak self] in
          self?.changes.append($0)
        })
    }
  }

  func take() -> [KVChange] {
    defer { changes = [] }
    return changes
  }
}
