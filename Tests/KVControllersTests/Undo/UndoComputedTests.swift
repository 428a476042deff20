import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND computed keys with a setter")
struct UndoComputedTests {
  private let undo = KVUndoManager()

  @Test("UND.1: a change of a settable key is recorded whose storage has no line", arguments: [true, false])
  func privateStorage(byKey: Bool) throws {
    let thermometer = Thermometer()
    try undo.record(thermometer)
    if byKey { try thermometer.setValue(30.0, forKey: "celsius") } else { thermometer.celsius = 30 }
    #expect(undo.undoCount == 1 && undo.undoName == "Change celsius" && undo.hasUnsavedChanges)
    try undo.undo()
    #expect(thermometer.celsius == 20)
    try undo.redo()
    #expect(thermometer.celsius == 30)
  }

  @Test("UND.1: a key whose value follows from a recorded key is not recorded, along a chain of keys")
  func chain() throws {
    let thermometer = Thermometer()
    try undo.record(thermometer)
    thermometer.fahrenheit = 86
    thermometer.celsius = 10
    #expect(undo.undoCount == 2 && undo.undoName == "Change celsius")
    while try undo.undo() {}
    #expect(thermometer.celsius == 20)
    while try undo.redo() {}
    #expect(thermometer.celsius == 10)
    undo.stopRecording(thermometer)
    undo.removeAll()
    try undo.record(thermometer, keys: ["fahrenheit"])
    thermometer.celsius = 15
    #expect(undo.undoCount == 1 && undo.undoName == "Change fahrenheit")
    try undo.undo()
    #expect(thermometer.celsius == 10)
  }

  @Test("UND.5: keys that are computed from the same storage are undone, though one of them corrects what it is given")
  func clamped() throws {
    for key in ["raw", "clamp"] {
      let gauge = Reservoir()
      let undo = KVUndoManager()
      try undo.record(gauge)
      try gauge.setValue(3000, forKey: "raw")
      try gauge.setValue(20, forKey: key)
      try undo.undo()
      #expect(gauge.raw == 3000 && gauge.clamp == 3000)
      try undo.undo()
      #expect(gauge.raw == 1)
      try undo.redo()
      try undo.redo()
      #expect(gauge.raw == 20)
    }
  }

  @Test("UND.7: a step whose setters do not set what their getters return is not made, and the error says so")
  func noInverse() throws {
    let gauge = Reservoir()
    gauge.raw = 150
    try undo.record(gauge, keys: ["high", "low"])
    gauge.high = 9
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.code == .doesNotSettle && undo.undoCount == 1)
    #expect(
      error?.message.hasSuffix(
        "its setter does not set what its getter returns. Let the setter do so, or record what both are computed from.")
        == true, "\(error?.message ?? "")")
  }

  @Test("UND.1: a facade is recorded as long as the object behind it is not, which is decided at each change")
  func facade() throws {
    let facade = Facade()
    try undo.record(facade)
    facade.volume = 3
    facade.settings.volume = 4
    #expect(undo.undoCount == 2 && undo.undoName == "Change volume")
    let first = facade.settings
    facade.settings = Settings()
    #expect(undo.undoCount == 3 && undo.undoName == "Change settings")
    try undo.undo()
    #expect(facade.settings === first && facade.volume == 4)
    while try undo.undo() {}
    #expect(first.volume == 5)
    try undo.record(first)
    try facade.setValue(7, forKey: "volume")
    facade.volume = 8
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(first.volume == 5)
    while try undo.redo() {}
    #expect(first.volume == 8)
    undo.stopRecording(first)
    undo.removeAll()
    facade.volume = 9
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(facade.volume == 8 && first.volume == 8)
  }

  @Test("UND.1: a key that follows from a recorded and another key is recorded when the other one changes")
  func halves() throws {
    let name = Halves()
    try undo.record(name)
    name.first = "Grace"
    #expect(undo.undoCount == 1 && undo.undoName == "Change first")
    name.setLast("Hopper")
    #expect(undo.undoCount == 2 && undo.undoName == "Change full")
    name.full = "Alan Turing"
    while try undo.undo() {}
    #expect(name.full == "Ada Lovelace")
    while try undo.redo() {}
    #expect(name.full == "Alan Turing")
  }

  @Test("UND.1: a key that follows from a recorded key by keys between them is not recorded")
  func between() throws {
    let diamond = Diamond()
    try undo.record(diamond)
    diamond.top = 5
    #expect(undo.undoCount == 1 && undo.undoName == "Change middle")
    try undo.undo()
    #expect(diamond.top == 1)
    try undo.redo()
    #expect(diamond.top == 5)
    try undo.undo()
    #expect(diamond.top == 1 && undo.undoCount == 0)
  }

  @Test("UND.1, UND.5: a handler that answers a change of such a key")
  func answers() throws {
    let (thermometer, other) = (Thermometer(), Thermometer())
    try undo.record(thermometer)
    try undo.record(other)
    let token = try thermometer.observe("fahrenheit") { [weak other, thermometer] _ in
      other?.celsius = thermometer.celsius
    }
    thermometer.celsius = 30
    #expect(undo.undoCount == 1 && other.celsius == 30)
    try undo.undo()
    #expect(thermometer.celsius == 20 && other.celsius == 20)
    try undo.redo()
    #expect(thermometer.celsius == 30 && other.celsius == 30)
    token.cancel()
  }

  @Test("UND.1: recordElements records such keys of each element")
  func elements() throws {
    let rack = Shelter()
    rack.thermometers = [Thermometer(), Thermometer()]
    try undo.recordElements(of: "thermometers", in: rack)
    rack.thermometers[1].celsius = 30
    rack.thermometers[0].fahrenheit = 32
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(rack.thermometers.map(\.celsius) == [20, 20])
    try undo.redo()
    #expect(rack.thermometers.map(\.celsius) == [20, 30])
  }

  @Test("UND.1: what notifies and is left out is named in a warning, once for each type")
  func leftOut() throws {
    let (book, second) = (Ledger(), Ledger())
    let events = try capturingEvents {
      try undo.record(book)
      try undo.record(second)
    }
    #expect(events.about(book).map(\.topic) == [.undo] && events.about(book).map(\.level) == [.warning])
    #expect(
      events.about(book).map(\.message) == [
        """
        recording Ledger leaves out what cannot be set by key: "pages", "notes". Undo does not restore it. Make it settable, or \
        name the keys to record: keys: ["title", "cover"].
        """
      ])
    #expect(events.about(second).isEmpty)
    let (single, listed, library, rack) = (Thermometer(), Thermometer(), UndoLibrary(), Shelter())
    let silent = try capturingEvents {
      try KVUndoManager().record(book, keys: ["title", "cover"])
      try KVUndoManager().record(single)
      try KVUndoManager().record(library)
      rack.thermometers = [listed]
      try KVUndoManager().recordElements(of: "thermometers", in: rack)
    }
    for object in [book, single, library, rack, listed] as [KVObject] {
      #expect(silent.about(object).isEmpty, "\(silent)")
    }
  }

  @Test("UND.1, UND.16: of a tree, whose keys are not named, the warning names no parameter for them")
  func leftOutOfTree() throws {
    let library = LedgerLibrary()
    let events = try capturingEvents { try undo.record(tree: library, relationships: ["ledger"]) }
    #expect(
      events.about(library.ledger).map(\.message) == [
        """
        recording Ledger leaves out what cannot be set by key: "pages", "notes". Undo does not restore it. Make it settable.
        """
      ])
    library.ledger.title = "a"
    #expect(undo.undoCount == 1)
  }

  @Test("UND.1: a path that is no name of a collection is refused with the parameter of the call")
  func pathOfElements() throws {
    let record: KVRecord = ["songs": [] as [Any]]
    let error = #expect(throws: KVError.self) { try undo.recordElements(of: "songs[0]", in: record) }
    #expect(
      error?.message == """
        "songs[0]" is a key path, and the KVRecord does not have a key of this name. Name the collection by its key: of: \
        "songs".
        """)
  }
}

private final class LedgerLibrary: KVObject {
  @KVProperty var ledger = Ledger()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LedgerLibrary.self) { key in key("ledger", \.ledger) }
  }
}

private final class Thermometer: KVObject {
  @KVProperty private var kelvin = 293.0
  var celsius: Double {
    get { kelvin - 273 }
    set { kelvin = max(0, newValue + 273) }
  }
  var fahrenheit: Double {
    get { celsius * 9 / 5 + 32 }
    set { celsius = (newValue - 32) * 5 / 9 }
  }
  var label: String { "\(celsius)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Thermometer.self) { key in
      key("celsius", \.celsius).affected(by: "kelvin")
      key("fahrenheit", \.fahrenheit).affected(by: "celsius")
      key("label", \.label).affected(by: "celsius")
    }
  }
}

private final class Settings: KVObject {
  @KVProperty var volume = 5

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Settings.self) { key in key("volume", \.volume) }
  }
}

private final class Facade: KVObject {
  @KVProperty var settings = Settings()
  var volume: Int {
    get { settings.volume }
    set { settings.volume = newValue }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Facade.self) { key in
      key("volume", \.volume).affected(by: "settings.volume")
      key("settings", \.settings)
    }
  }
}

private final class Halves: KVObject {
  @KVProperty var first = "Ada"
  @KVProperty private var last = "Lovelace"
  var full: String {
    get { "\(first) \(last)" }
    set {
      let parts = newValue.split(separator: " ").map(String.init)
      (first, last) = (parts[0], parts[1])
    }
  }
  func setLast(_ name: String) { last = name }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Halves.self) { key in
      key("full", \.full).affected(by: "first", "last")
      key("first", \.first)
    }
  }
}

private final class Diamond: KVObject {
  @KVProperty private var bottom = 1
  var middle: Int {
    get { bottom }
    set { bottom = newValue }
  }
  var left: Int { bottom }
  var right: Int { middle }
  var top: Int {
    get { left + right - bottom }
    set { middle = newValue }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Diamond.self) { key in
      key("top", \.top).affected(by: "left", "right")
      key("left", \.left).affected(by: "bottom")
      key("right", \.right).affected(by: "middle")
      key("middle", \.middle).affected(by: "bottom")
    }
  }
}

private final class Shelter: KVObject {
  @KVProperty var thermometers: [Thermometer] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Shelter.self) { key in key("thermometers", \.thermometers) }
  }
}

private final class Ledger: KVObject {
  @KVProperty var title = ""
  @KVProperty private(set) var pages = 0
  @KVProperty private var stored = ""
  @KVProperty private var notes: [String] = []
  let isbn = "x"
  var cover: String {
    get { stored }
    set { stored = newValue }
  }
  var summary: String { "\(title) \(pages)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Ledger.self) { key in
      key("title", \.title)
      key("pages") { $0.pages }
      key("isbn", \.isbn)
      key("cover", \.cover).affected(by: "stored")
      key("summary", \.summary).affected(by: "title", "pages")
    }
  }
}

@KVModel final class Reservoir: KVObject {
  private var stored = 1
  var raw: Int {
    get { stored }
    set { stored = newValue }
  }
  var clamp: Int {
    get { stored }
    set { stored = min(newValue, 50) }
  }
  /// Its setter loses the lower digits.
  var high: Int {
    get { stored / 100 }
    set { stored = newValue * 100 }
  }
  /// Its setter loses the higher digits.
  var low: Int {
    get { stored % 100 }
    set { stored = newValue }
  }
}
