import Foundation
import KVControllers
import KVDefinitions
import KVDocuments

/// The editor of binding definitions: one document, which all windows show.
@MainActor final class EditorPart: StudioPart {
  /// A definition, as long as the document or its undo manager has it.
  private struct Numbered {
    weak var definition: KVEditableBindingDefinition?
    let number: Int
  }

  let name = "editor"
  let files: DefinitionFiles
  private let picker: PickerPart
  private(set) var undo: KVUndoManager
  private(set) var document: KVBindingDocument
  var file: File?
  /// Whether the colour picker follows the document; it does where that has no faults.
  private var isRunning = false
  /// How often files were chosen in the colour picker when the run began: the next one ends it.
  private var choicesAtRun = 0
  /// What the colour picker has against the definitions; an index, an entry and a message each.
  private var runFaults: [KVBindingFault] = []
  private var ran: [KVBindingDefinition]?
  /// The numbers of definitions, by which requests name them: indexes are others after a move in another window.
  private var numbers: [Numbered] = []
  /// A window that the former run of the program has served names other definitions than this one.
  private var lastNumber = Int(Date().timeIntervalSince1970) * 1000
  private var windows = 0
  /// Whether something may have changed since it was published.
  private var isChanged = true
  private var sent = Data()

  init(_ picker: PickerPart, _ files: DefinitionFiles) {
    self.picker = picker
    self.files = files
    undo = KVUndoManager()
    document = .blank(undoManager: undo)
    prepare()
  }

  private func prepare() {
    undo.mergesSettings(within: .milliseconds(700))
    undo.levelsOfUndo = 500
  }

  /// Shows another document, whose edits an undo manager of its own records.
  func replace(_ document: KVBindingDocument, _ undo: KVUndoManager, _ file: File?) {
    self.document = document
    self.undo = undo
    self.file = file
    prepare()
    (ran, runFaults) = (nil, [])
  }

  var hasUnsavedChanges: Bool { document.hasUnsavedChanges }

  func open(_ window: String) { windows += 1 }

  func close(_ window: String) { windows = max(0, windows - 1) }

  // MARK: State

  func state(of window: String) -> [String: Any] { state }

  private var state: [String: Any] {
    return [
      "file": file?.name ?? KVDocument.Null(), "files": files.names,
      "definitions": document.definitions.map(members),
      "faults": (document.faults.isEmpty ? runFaults : document.faults).map { fault -> [String: Any] in
        [
          "index": fault.index ?? KVDocument.Null(), "entry": fault.entry ?? KVDocument.Null(),
          "message": fault.message,
        ]
      },
      "faultsInFile": document.faultsInFile.map(\.description), "undo": undo.undoMenuTitle, "redo": undo.redoMenuTitle,
      "canUndo": undo.canUndo, "canRedo": undo.canRedo, "isUnsaved": document.hasUnsavedChanges, "isRunning": isRunning,
      "transformers": KVTransformer.registeredNames,
    ]
  }

  private func members(_ definition: KVEditableBindingDefinition) -> [String: Any] {
    var members: [String: Any] = ["number": number(of: definition)]
    for field in EditorField.allCases { members[field.rawValue] = field.text(of: definition) }
    return members
  }

  private func number(of definition: KVEditableBindingDefinition) -> Int {
    if let known = numbers.first(where: { $0.definition === definition }) { return known.number }
    numbers.removeAll { $0.definition == nil }
    lastNumber += 1
    numbers.append(Numbered(definition: definition, number: lastNumber))
    return lastNumber
  }

  func publishChanges(to hub: EventHub) {
    guard windows > 0 else { return }
    run()
    guard isChanged else { return }
    isChanged = false
    guard let data = try? KVDocument(state).data(), data != sent else { return }
    sent = data
    hub.publish("editor.state", for: nil, state)
  }

  /// Lets the colour picker use what is edited, if it has no faults.
  private func run() {
    if isRunning, picker.choices != choicesAtRun { (isRunning, isChanged, runFaults) = (false, true, []) }
    guard isRunning, document.faults.isEmpty else { return }
    let definitions = document.definitions.compactMap { try? $0.definition() }
    guard definitions.count == document.definitions.count, definitions != ran else { return }
    (ran, isChanged) = (definitions, true)
    do {
      try picker.use(KVBindingDefinitions(definitions), named: "(the editor)")
      runFaults = []
    } catch { runFaults = (error as? KVBindingFaults)?.faults ?? [] }
  }

  // MARK: Requests

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    if action != "complete" { isChanged = true }
    switch action {
    case "open": try open(body)
    case "restore": try restore(body)
    case "save": try save(body)
    case "edit": try edit(body)
    case "add", "duplicate", "remove", "move": try change(action, body)
    case "undo": try undo.undo()
    case "redo": try undo.redo()
    case "complete": return ["texts": try completions(body)]
    case "run":
      guard let isOn = body["isOn"] as? Bool else { throw Refusal(422, "It runs, or it does not.") }
      (isRunning, choicesAtRun, ran, runFaults) = (isOn, picker.choices, nil, [])
      run()
    default: throw Refusal(404, "The editor has no action \"\(action.prefix(100))\".")
    }
    return state
  }

  private func edit(_ body: [String: Any]) throws {
    let (_, definition) = try definition(body)
    guard let field = EditorField(rawValue: body["field"] as? String ?? "") else {
      throw Refusal(422, "There is no field \"\("\(body["field"] ?? "")".prefix(100))\".")
    }
    let text = try text(body["text"])
    try Refusal.check(base: body["base"], present: field.text(of: definition), new: text)
    try field.set(text, of: definition)
  }

  /// Returns the text of a request, if it is one and not too long.
  func text(_ value: Any?) throws(Refusal) -> String {
    guard let text = value as? String, text.utf8.count <= 1000 else {
      throw Refusal(422, "The text of a field has at most 1000 bytes.")
    }
    return text
  }

  private func change(_ action: String, _ body: [String: Any]) throws {
    let list = document.mutableArray(forKey: "definitions")
    if action != "remove", action != "move" {
      guard list.count < DefinitionFiles.definitionLimit else {
        throw Refusal(422, "The editor takes at most \(DefinitionFiles.definitionLimit) definitions.")
      }
    }
    if action == "add" { return try list.append(KVEditableBindingDefinition()) }
    let (index, definition) = try definition(body)
    switch action {
    case "duplicate":
      let copy = KVEditableBindingDefinition()
      for field in EditorField.allCases where field != .key { try field.set(field.text(of: definition), of: copy) }
      try list.insert(copy, at: index + 1)
    case "remove": try list.remove(at: index)
    default:
      guard let target = body["to"] as? Int, (0..<list.count).contains(target) else {
        throw Refusal(422, "A definition moves to an index from 0 to \(list.count - 1).")
      }
      if target != index { try list.move(from: index, to: target) }
    }
  }

  private func definition(_ body: [String: Any]) throws(Refusal) -> (
    index: Int, definition: KVEditableBindingDefinition
  ) {
    let wanted = body["number"] as? Int
    let index = document.definitions.firstIndex { definition in
      numbers.contains { $0.definition === definition && $0.number == wanted }
    }
    guard let index else { throw Refusal(410, "The definition is not in the document any more.") }
    return (index, document.definitions[index])
  }

  /// Returns the paths of keys of tables that a field may contain: those of the object to which its text leads without the last key.
  private func completions(_ body: [String: Any]) throws -> [String] {
    let (_, definition) = try definition(body)
    let (field, text) = (EditorField(rawValue: body["field"] as? String ?? ""), try text(body["text"]))
    let window = PickerWindow()
    let (root, base): (any KeyValueCoding, String)
    switch field {
    case .pathToSource: (root, base) = (picker.model, "")
    case .sourceKeyPath: (root, base) = (picker.model, definition.pathToSource)
    case .pathToTarget: (root, base) = (window, "")
    case .targetKeyPath: (root, base) = (window, definition.pathToTarget)
    default: return []
    }
    let parent = text.lastIndex(of: ".").map { String(text[..<$0]) } ?? ""
    let path = [base, parent].filter { !$0.isEmpty }.joined(separator: ".")
    guard let object = path.isEmpty ? root : try? root.value(forKeyPath: path) else { return [] }
    let names = (object as? any KeyValueCoding).map { type(of: $0).keyTable.keys.map(\.name) } ?? []
    return names.map { parent.isEmpty ? $0 : "\(parent).\($0)" }
  }
}
