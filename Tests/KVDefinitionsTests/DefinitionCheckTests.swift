import KVBinding
import KVCore
import KVDefinitions
import TestModels
import Testing

/// Has a key that can only be read, and one that can only be set.
private final class Gate: KVObject {
  @KVProperty var name = ""
  @KVProperty var slider: SliderControl?
  @KVProperty var lamp: Lamp?
  @KVProperty var next: Gate?
  private(set) var loaded: [String] = []
  var width: Int { name.count }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "url" else { return try super.setValue(value, forUndefinedKey: key) }
    if let url = value as? String { loaded.append(url) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Gate.self) { key in
      key("name", \.name)
      key("slider", \.slider)
      key("lamp", \.lamp)
      key("next", \.next)
      key("width") { $0.width }.affected(by: "name")
    }
  }
}

@Suite("DEF.3: what is looked at before anything is bound")
struct DefinitionCheckTests {
  private let song = Song()
  private let gate = Gate()

  private func faults(_ definitions: [KVBindingDefinition], source: AnyObject? = nil) -> [String] {
    do {
      _ = try KVBindingSet(definitions, owner: source ?? song, target: gate)
      return []
    } catch {
      return error.faults.map {
        "\($0.index ?? -1) \($0.code) \($0.entry ?? "") \($0.underlying.map { "\($0.code)" } ?? "")"
      }
    }
  }

  @Test("DEF.3: endpoints that cannot be set are reported with all else, and nothing is bound")
  func notSettable() {
    let other = Gate()
    gate.next = other
    let found = faults([
      KVBindingDefinition("title", to: "name"),
      KVBindingDefinition("rating", to: "width"),
      KVBindingDefinition("rating", to: "next.width", direction: .twoWay),
      KVBindingDefinition("rating", to: "next.next.width"),
      KVBindingDefinition("title", to: "nxet.name"),
    ])
    #expect(
      found == [
        "1 notBindable targetKeyPath notSettable", "2 notBindable targetKeyPath notSettable",
        "4 unresolvedPath targetKeyPath undefinedKey",
      ])
    #expect(gate.name == "" && song.bindings.isEmpty)
    #expect(
      faults([KVBindingDefinition("width", to: "next.name", direction: .toSource)], source: other) == [
        "0 notBindable sourceKeyPath notSettable"
      ])
  }

  @Test("DEF.3: controls in longer paths that send no events are reported too, and nothing is left in others")
  func notObservableControls() {
    let slider = SliderControl()
    (gate.slider, gate.lamp) = (slider, Lamp())
    let found = faults([
      KVBindingDefinition("length", to: "slider.value", direction: .twoWay),
      KVBindingDefinition("length", to: "lamp.brightness", direction: .twoWay),
      KVBindingDefinition("length", to: "lamp.brightness"),
      KVBindingDefinition("length", to: "brightness", ofTarget: "lamp", direction: .toSource),
      KVBindingDefinition("length", to: "lamp.brigthness", direction: .toSource),
    ])
    #expect(
      found == [
        "1 notBindable targetKeyPath notObservable", "3 notBindable targetKeyPath notObservable",
        "4 unresolvedPath targetKeyPath undefinedKey",
      ])
    #expect(slider.handlers.isEmpty && slider.value == 0.5 && gate.bindings.isEmpty)
  }

  @Test("DEF.3: a path to the target that cannot be observed is reported")
  func notObservablePaths() throws {
    final class Plain: KeyValueCoding {
      let label = Label()
      let slider = SliderControl()
      static var keyTable: KVTable {
        KVTable(Plain.self) { key in
          key("label", \.label)
          key("slider", \.slider)
        }
      }
    }
    let definitions = [
      KVBindingDefinition("title", to: "label.text", direction: .twoWay),
      KVBindingDefinition("length", to: "slider.value", direction: .twoWay),
    ]
    let plain = Plain()
    let error = #expect(throws: KVBindingFaults.self) { try KVBindingSet(definitions, owner: song, target: plain) }
    #expect(error?.faults.map(\.index) == [0] && error?.faults.first?.underlying?.code == .notObservable)
    let set = try KVBindingSet(definitions.suffix(1), owner: song, target: plain)
    plain.slider.drag(to: 0.25)
    #expect(song.length == 0.25)
    set.cancel()
  }

  @Test("DEF.3: a target that can only be set is bound, as elsewhere")
  func onlySet() throws {
    let set = try KVBindingSet([KVBindingDefinition("title", to: "url")], owner: song, target: gate)
    song.title = "b"
    #expect(gate.loaded == ["Blue", "b"])
    set.cancel()
    #expect(
      faults([KVBindingDefinition("title", to: "url", direction: .twoWay)]) == [
        "0 unresolvedPath targetKeyPath undefinedKey"
      ])
    // Nobody knows of a key that is not there until it is set.
    #expect(faults([KVBindingDefinition("title", to: "ulr")]) == ["0 unresolvedPath targetKeyPath undefinedKey"])
    #expect(gate.loaded == ["Blue", "b"] && gate.bindings.isEmpty)
  }
}
