import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import KVDocuments
import KVTestSupport
import TestModels
import Testing

// The code of Docs/Migrating/FromILBinding.md.

private struct PickedColor: Hashable, Sendable {
  var red = 0.0
  var green = 0.0
  var blue = 0.0
}

private let brightness = KVTransformer { (color: PickedColor) in
  switch (color.red + color.green + color.blue) / 3 {
  case ..<0.1: "Black"
  case ..<0.5: "Dark"
  case ..<0.9: "Bright"
  default: "White"
  }
}

extension ILBindingMigrationTests {
  /// The view controller of the sample, which is its model too.
  @KVModel fileprivate class ColorPicker: KVObject {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var favoriteColors: [PickedColor] = []
    var title: String?

    var selectedColor: PickedColor? {
      get { PickedColor(red: red, green: green, blue: blue) }
      set { if let newValue { (red, green, blue) = (newValue.red, newValue.green, newValue.blue) } }
    }
  }

  @KVModel fileprivate final class Knob: KVObject {
    var value: Float = 0.5
    var rows: [String] = []
    var note: String?
  }

  fileprivate final class Slider: KVControl {
    var value: Float = 0.5
    private let handlers = KVControlHandlers()

    static var keyTable: KVTable { KVTable(Slider.self) { key in key("value", \.value) } }

    func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
      handlers.add(for: event, handler)
    }
    func removeControlHandler(_ token: Any) { handlers.remove(token) }

    func drag(to value: Float) {
      self.value = value
      handlers.send(.valueChanged)
    }
  }

  @KVModel fileprivate final class Swatch: KVObject {
    var backgroundColor: PickedColor?
  }

  @KVModel fileprivate final class PickerScreen: ColorPicker {
    let redSlider = Slider()
    let greenSlider = Slider()
    let blueSlider = Slider()
    let colorDisplayView = Swatch()
  }

  /// What the paths of definitions begin at.
  @KVModel fileprivate final class Form: ColorPicker {
    let knob = Knob()
  }
}

@Suite("Migrating from ILBinding")
struct ILBindingMigrationTests {
  private let picker = ColorPicker()
  private let knob = Knob()
  private let screen = PickerScreen()
  /// What the sample's file holds.
  private let list = PickerFile.bindings(transformerName: "MigratedBrightnessStringTransformer")

  @Test("DEF.2, DEF.3, DEF.4: ColorPicker: the file of the sample, as it is")
  func colorPicker() throws {
    // The original's name is registered by another suite.
    try KVTransformer.register(brightness, named: "MigratedBrightnessStringTransformer")
    defer { KVTransformer.unregister("MigratedBrightnessStringTransformer") }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try PropertyListCoding.data(from: ["ILBindings": list], format: .binary)
      .write(to: directory.appendingPathComponent("ILBindingsTestViewController.ilabs-bindings"))

    let set = try KVBindingSet(named: "ILBindingsTestViewController", in: directory, owner: screen)
    #expect(screen.title == "Black" && screen.redSlider.value == 0)
    screen.redSlider.drag(to: 1)
    screen.greenSlider.drag(to: 1)
    #expect(screen.title == "Bright")
    #expect(screen.colorDisplayView.backgroundColor == PickedColor(red: 1, green: 1))
    screen.selectedColor = PickedColor(blue: 0.5)
    #expect(screen.blueSlider.value == 0.5 && screen.redSlider.value == 0)
    set.cancel()
    screen.redSlider.drag(to: 1)
    #expect(screen.red == 0 && set.binding(forKey: "none") == nil)
  }

  @Test("BND.1, BND.2, BND.8: a binding in code: in both directions, owned by its maker, cancelled")
  func inCode() throws {
    var binding: KVPathBinding? = try KVPathBinding(from: picker, "red", to: knob, "value", options: .twoWay)
    #expect(knob.value == 0, "the target takes the source's value")
    knob.value = 0.25
    #expect(picker.red == 0.25)
    binding?.cancel()
    knob.value = 1
    #expect(picker.red == 0.25 && binding?.state == .ended)

    binding = try KVPathBinding(from: picker, "blue", to: knob, "value", options: .twoWay)
    binding = nil
    picker.blue = 0.75
    #expect(knob.value == 0)
  }

  @Test("BND.3, BND.10: nil is nil: neither transformers nor targets meet an NSNull")
  func nilValues() throws {
    let received = ChangeLines()
    try knob.bind("note", to: "title", of: picker) { (title: String?) in
      received.add(title ?? "nil")
      return title
    }
    picker.title = "a"
    picker.title = nil
    #expect(received.take() == ["nil", "a", "nil"] && knob.note == nil)
  }

  @Test("BND.3: both endpoints in one object: the reverse direction takes the reverse transformer")
  func sameObject() throws {
    try picker.bind("green", to: "red", of: picker, options: .init(.twoWay, transformer: .oneMinus))
    #expect(picker.green == 1)
    picker.green = 0.25
    #expect(picker.red == 0.75)
  }

  @Test("TRN.1: a transformer that only works forward is refused for both directions, not dropped")
  func notReversible() {
    let error = #expect(throws: KVError.self) {
      try picker.bind("title", to: "selectedColor", of: picker, options: .init(.twoWay, transformer: brightness))
    }
    #expect(error?.code == .notReversible)
  }

  @Test("BND.12: the wrong thread is the binding's error, not an exception in the setter; queues do not play ping-pong")
  func threads() throws {
    struct Nowhere: KVExecutor {
      var isCurrent: Bool { false }
      func enqueue(_ work: @escaping @Sendable () -> Void) {}
    }
    let confined = try knob.bind(
      "value", to: "red", of: picker, options: .init(initialSync: .none, concurrency: .only(Nowhere())))
    picker.red = 1
    #expect(confined.state == .failed && confined.lastError?.code == .wrongThread && knob.value != 1)
    confined.cancel()

    let later = KVManualExecutor()
    try knob.bind("value", to: "red", of: picker, options: .init(.twoWay, concurrency: .dispatched(later)))
    #expect(later.runAll() == 1 && knob.value == 1)
    knob.value = 0.5
    later.runAll()
    #expect(picker.red == 0.5 && knob.value == 0.5)
  }

  @Test("BND.7: collections are mirrored, element by element; the setter's errors leave the binding alive")
  func collections() throws {
    let rows = try knob.bind("rows", to: "favoriteColors", of: picker, options: .init(transformer: brightness))
    try picker.mutableArray(forKey: "favoriteColors").append(PickedColor(red: 1, green: 1, blue: 1))
    try picker.mutableArray(forKey: "favoriteColors").insert(PickedColor(), at: 0)
    #expect(knob.rows == ["Black", "White"])
    #expect(rows.state == .active)
  }

  @Test(
    "LST.1, LST.2, COA.3: the favourites: a section follows them; picking one changes the three parts, one after the other"
  )
  func favorites() throws {
    let section = KVObservingListSection { (color: PickedColor) in "A favorite color: \(color.red)" }
    try section.observe("favoriteColors", of: picker)
    let list = KVListDataSource<String>([section])
    let screen = ListScreen()
    list.delegate = screen

    picker.red = 1
    try picker.mutableArray(forKey: "favoriteColors").append(PickedColor(red: 1))
    #expect(screen.changes == [.rows(.insertion([0]), section: 0)])
    #expect(list.sections[0].row(at: 0) == "A favorite color: 1.0")

    var colors = 0
    let token = try picker.observe("selectedColor", options: [.coalesced]) { _ in colors += 1 }
    picker.selectedColor = PickedColor(green: 1)
    #expect(colors == 3, "as in the sample")
    KVCoalescing.coalesce { picker.selectedColor = picker.favoriteColors[0] }
    #expect(colors == 4 && token.isActive)

    section.cancel()
    #expect(list.sections[0].rowCount == 0)
  }

  @Test("DEF.1, DEF.2, BND.3: one binding of a definition; the reverse direction takes the reverse transformer")
  func oneDefinition() throws {
    let form = Form()
    let definition = KVBindingDefinition(
      key: "red", "red", to: "value", ofTarget: "knob", direction: .twoWay, transformerName: "oneMinus")
    let binding = try definition.bind(owner: form)
    #expect(form.knob.value == 1)
    form.knob.value = 0.25
    #expect(form.red == 0.75 && binding.key == "red")

    let data = try KVBindingDefinitions([definition]).data(format: .binary)
    #expect(try KVBindingDefinitions(data: data).definitions.first { $0.key == "red" } == definition)
  }

  @Test(
    "DEF.2, KVO.24: files that are not finished are for editors; the others fail as a whole, with all that is wrong")
  func faults() throws {
    let data = try PropertyListCoding.data(
      from: [
        "ILBindings": [["Key": "a", "SourceKeyPath": "red"], ["Key": "a", "TargetKeyPath": "x", "Direction": 7]]
      ], format: .xml)
    let faults = #expect(throws: KVBindingFaults.self) { try KVBindingDefinitions(data: data) }
    #expect(Set(faults?.faults.map(\.code) ?? []) == [.missingEntry, .invalidValue, .duplicateKey])
    let drafts = try BindingDrafts(data: data)
    let document = KVBindingDocument(drafts.drafts)
    try document.definitions[0].setValue("title", forKey: "targetKeyPath")
    var removals: [KVChange] = []
    let token = try document.observe("definitions") { removals.append($0) }
    try document.mutableArray(forKey: "definitions").remove(at: 1)
    #expect(document.faults.isEmpty)
    token.cancel()
    try removals[0].revert()
    #expect(document.definitions.count == 2)
    #expect(KVEditableBindingDefinition.allObservableKeys.contains("sourceKeyPath"))
  }
}

/// Keeps what a list tells its view.
private final class ListScreen: KVListDataSourceDelegate {
  private(set) var changes: [KVListChange] = []

  func list(_ list: KVListDataSource<String>, did change: KVListChange) { changes.append(change) }
}
