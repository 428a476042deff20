import Foundation
import KVBinding
import KVDefinitions
import KVDocuments

/// The colour picker: one model, and controls in each window.
@MainActor final class PickerPart: StudioPart {
  let name = "picker"
  let model = ColorPicker()
  private let files: DefinitionFiles
  private var windows: [String: PickerWindow] = [:]
  /// The bindings of all windows, and the name of their file; nil if they are not bound.
  private var current: (file: String, definitions: KVBindingDefinitions)?
  private var isFileChanged = false
  /// How often a window has chosen a file, or none.
  private(set) var choices = 0

  init(_ files: DefinitionFiles) throws {
    self.files = files
    ColorPicker.registerTransformers()
    current = (files.names[0], try files.definitions(files.names[0]))
  }

  func open(_ window: String) throws {
    let objects = PickerWindow()
    if let current { try objects.bind(current.definitions, to: model) }
    windows[window] = objects
  }

  func close(_ window: String) { windows.removeValue(forKey: window)?.unbind() }

  func state(of window: String) throws -> [String: Any] {
    guard let objects = windows[window] else { return [:] }
    let controls = objects.controls.map { ($0.name, objects.state(of: $0.name, $0.control) as Any) }
    return shownFile.merging(["controls": Dictionary(uniqueKeysWithValues: controls)]) { $1 }
  }

  private var shownFile: [String: Any] {
    [
      "files": files.names + (current.map { files.names.contains($0.file) ? [] : [$0.file] } ?? []),
      "file": current?.file ?? KVDocument.Null(),
      "definitions": current?.definitions.map(\.description) ?? [],
    ]
  }

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    guard let objects = windows[window] else { throw Refusal.closedWindow(window) }
    switch action {
    case "event":
      guard let name = body["control"] as? String, let control = objects.control(name) else {
        throw Refusal(422, "There is no control \"\("\(body["control"] ?? "")".prefix(100))\".")
      }
      let events: [String: KVControlEvent] = ["valueChanged": .valueChanged, "committed": .committed]
      guard let event = events[body["event"] as? String ?? ""] else {
        throw Refusal(422, "The event of a control is \"valueChanged\" or \"committed\".")
      }
      if let present = control.shown["text"] as? String {
        try Refusal.check(base: body["base"], present: present, new: body["value"] as? String ?? "")
      }
      try control.receive(body["value"], event)
      return objects.state(of: name, control)
    case "bindings":
      if let file = body["file"] as? String { try use(file) } else { unbind() }
      choices += 1
      return shownFile
    default: throw Refusal(404, "The colour picker has no action \"\(action.prefix(100))\".")
    }
  }

  /// Binds all windows by the definitions of a file.
  private func use(_ file: String) throws {
    let definitions = try files.definitions(file)
    do { try use(definitions, named: file) } catch let faults as KVBindingFaults {
      throw DefinitionFiles.refusal(file, faults)
    }
  }

  /// Binds all windows by some definitions.
  ///
  /// - Throws: `KVBindingFaults` if they cannot be bound. The former bindings stay then.
  func use(_ definitions: KVBindingDefinitions, named file: String) throws {
    try PickerWindow().bind(definitions, to: ColorPicker())
    current = (file, definitions)
    isFileChanged = true
    for window in windows.values { try window.bind(definitions, to: model) }
  }

  private func unbind() {
    current = nil
    isFileChanged = true
    for window in windows.values { window.unbind() }
  }

  func publishChanges(to hub: EventHub) {
    if isFileChanged { hub.publish("picker.file", for: nil, shownFile) }
    isFileChanged = false
    for (name, window) in windows {
      let changes = window.changes()
      if !changes.isEmpty { hub.publish("picker.controls", for: name, changes) }
    }
  }
}
