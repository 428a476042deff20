import KVBinding
import KVDefinitions
import KVDocuments

/// The controls of one window, to which the paths of the definitions lead.
final class PickerWindow: KeyValueCoding {
  let redSlider = Slider()
  let greenSlider = Slider()
  let blueSlider = Slider()
  let colorDisplayView = Swatch()
  let hexField = TextField()
  let titleLabel = Label()

  /// The title, which the label shows.
  var title: String? {
    get { titleLabel.text }
    set { titleLabel.text = newValue }
  }

  /// The bindings to the model; nil if the window is not bound.
  private var bindings: KVBindingSet?
  private var boundControls: Set<String> = []
  private var shownProblems: [String: String] = [:]

  static var keyTable: KVTable {
    KVTable(PickerWindow.self) { key in
      key("redSlider", \.redSlider).readOnly()
      key("greenSlider", \.greenSlider).readOnly()
      key("blueSlider", \.blueSlider).readOnly()
      key("colorDisplayView", \.colorDisplayView).readOnly()
      key("hexField", \.hexField).readOnly()
      key("titleLabel", \.titleLabel).readOnly()
      key("title", \.title)
    }
  }

  /// The controls by their keys.
  var controls: [(name: String, control: any BrowserControl)] {
    [
      ("redSlider", redSlider), ("greenSlider", greenSlider), ("blueSlider", blueSlider),
      ("colorDisplayView", colorDisplayView), ("hexField", hexField), ("titleLabel", titleLabel),
    ]
  }

  func control(_ name: String) -> (any BrowserControl)? { controls.first { $0.name == name }?.control }

  /// Ends the bindings, and makes those of some definitions.
  func bind(_ definitions: KVBindingDefinitions, to model: ColorPicker) throws {
    unbind()
    bindings = try KVBindingSet(definitions, owner: model, target: self)
    boundControls = Set(definitions.map { $0.pathToTarget?.description ?? "titleLabel" })
  }

  func unbind() {
    bindings?.cancel()
    bindings = nil
    boundControls = []
    for (_, control) in controls { control.isChanged = true }
  }

  // MARK: Showing

  /// What a control shows, whether it is bound, and why its binding has failed.
  func state(of name: String, _ control: any BrowserControl) -> [String: Any] {
    var state: [String: Any] = ["isBound": boundControls.contains(name)]
    for (key, value) in control.shown { state[key] = value ?? KVDocument.Null() }
    state["problem"] = problems[name] ?? KVDocument.Null()
    return state
  }

  /// What has changed since the last call.
  func changes() -> [String: Any] {
    let problems = problems
    var changes: [String: Any] = [:]
    for (name, control) in controls where control.isChanged || problems[name] != shownProblems[name] {
      changes[name] = state(of: name, control)
      control.isChanged = false
    }
    shownProblems = problems
    return changes
  }

  /// Why the bindings of controls have failed.
  private var problems: [String: String] {
    var problems: [String: String] = [:]
    for (name, control) in controls {
      let failed = KVDiagnostics.bindings(of: control).first { $0.state == .failed }
      problems[name] = failed?.lastError.map { ($0.underlying as? KVError)?.message ?? $0.message }
    }
    return problems
  }
}
