import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import Testing

@Suite("KVO.14: properties that a subclass overrides")
struct OverriddenPropertyTests {
  private func watch(_ object: some KVObservable, _ key: String, _ body: () throws -> Void) throws -> [String] {
    var lines: [String] = []
    let token = try object.observe(KVKeyPath(key)) { lines.append("\($0.old ?? "-") → \($0.new ?? "-")") }
    try body()
    token.cancel()
    return lines
  }

  private func models() -> [any (KVObject & Valued)] { [TwiceByHand(), TwicePlain(), TwiceRedeclared(), TwiceModel()] }

  @Test("KVO.14: old and new are what the object returns", arguments: 0..<4)
  func values(index: Int) throws {
    let model = models()[index]
    #expect(try watch(model, "value") { model.value = 10 } == ["2 → 10"])
    #expect(try watch(model, "value") { try model.setValue(20, forKey: "value") } == ["10 → 20"])
    #expect(try watch(model, "value") { model.value += 2 } == ["20 → 22"])
    #expect(try watch(model, "half") { model.value = 8 } == ["11 → 4"])
    #expect(try watch(model, "title") { model.setTitle("b") } == ["A → B"])
  }

  @Test("KVO.14, UND.3: undo restores what the object returned", arguments: 0..<4)
  func undo(index: Int) throws {
    let model = models()[index]
    let undo = KVUndoManager()
    try undo.record(model, keys: ["value"])
    model.value = 10
    try undo.undo()
    #expect(model.value == 2)
    try undo.redo()
    #expect(model.value == 10 && undo.undoCount == 1)
  }

  @Test("KVO.14, KVO.4: a prior record, a typed observer, a path and a binding have the values of the object")
  func receivers() throws {
    let model = TwiceByHand()
    var lines: [String] = []
    let tokens = [
      try model.observe("value", options: [.old, .prior]) { lines.append("\($0.isPrior) \($0.old ?? "-")") },
      try model.observe("value", as: Int.self) { lines.append("\($0.old ?? -1) \($0.new ?? -1)") },
    ]
    let holder: KVRecord = ["model": model]
    let path = try holder.observe("model.value") { lines.append("path \($0.old ?? "-") \($0.new ?? "-")") }
    let label: KVRecord = ["text": 0]
    let binding = try label.bind("text", to: "value", of: model)
    lines = []
    model.value = 10
    #expect(lines == ["true 2", "false 2", "2 10", "path 2 10"] && label.text as? Int == 10)
    (tokens + [path]).forEach { $0.cancel() }
    binding.cancel()
  }

  @Test("KVO.14: instances of the class that declares the property, and of classes that do not override it")
  func others() throws {
    let base = ValuedModel()
    #expect(try watch(base, "value") { base.value = 10 } == ["1 → 10"])
    let heir = Heir()
    #expect(try watch(heir, "value") { heir.value = 10 } == ["1 → 10"])
    #expect(try watch(heir, "own") { heir.own = 3 } == ["2 → 3"])
  }

  @Test("MOD.2: an override with willSet and didSet in a model notifies once, of the value that the property has then")
  func observers() throws {
    let model = ClampedModel()
    #expect(try watch(model, "value") { model.value = 20 } == ["1 → 10"])
    #expect(model.calls == ["will 20 at 1", "did 1 at 20"])
    #expect(try watch(model, "value") { model.value = 4 } == ["10 → 4"])
    #expect(try watch(model, "value") { try model.setValue(30, forKey: "value") } == ["4 → 10"])
    #expect(try watch(model, "half") { model.value = 2 } == ["5 → 1"])
    let undo = KVUndoManager()
    try undo.record(model, keys: ["value"])
    model.value = 40
    #expect(undo.undoCount == 1 && model.value == 10)
    try undo.undo()
    #expect(model.value == 2)
    try undo.redo()
    #expect(model.value == 10)
    undo.stopRecording(model)
    model.calls = []
    model.value = 50
    #expect(model.calls == ["will 50 at 10", "did 10 at 50"] && model.value == 10)
  }

  @Test("KVO.14, COL.5: an edit by a view of an override with didSet notifies once, with its kind")
  func views() throws {
    let model = ListingModel()
    let undo = KVUndoManager()
    try undo.record(model, keys: ["list", "marks"])
    var kinds: [String] = []
    let tokens = try ["list", "marks"].map { key in try model.observe(KVKeyPath(key)) { kinds.append("\($0.kind)") } }
    try model.mutableArray(forKey: "list").append(2)
    try model.mutableSet(forKey: "marks").add(2)
    #expect(kinds == ["insertion", "insertion"] && model.calls == 2)
    try undo.undo()
    try undo.undo()
    #expect(model.list == [1] && model.marks == [1])
    try undo.redo()
    try undo.redo()
    #expect(model.list == [1, 2] && model.marks == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test("TST.2: expectCompliant finds an override with didSet that notifies twice")
  func notifiedTwice() throws {
    #expect(try KVCompliance.violations(values: ["value": 20]) { ClampedPlain() }.map(\.kind) == [.notifiedTwice])
    #expect(try KVCompliance.violations(values: ["value": 20]) { ClampedModel() }.isEmpty)
  }

  @Test("TST.2: expectCompliant accepts an override with a getter and a setter")
  func compliant() throws {
    #expect(try KVCompliance.violations { TwiceByHand() }.isEmpty)
    #expect(try KVCompliance.violations { TwiceModel() }.isEmpty)
  }
}

protocol Valued: AnyObject {
  var value: Int { get set }
  func setTitle(_ title: String)
}

@KVModel class ValuedModel: KVObject, Valued {
  var value = 1
  var title = "a"
  var half: Int { value / 2 }
  final func setTitle(_ title: String) { self.title = title }
}

/// Has a table by hand.
private final class TwiceByHand: ValuedModel {
  override var value: Int {
    get { super.value * 2 }
    set { super.value = newValue / 2 }
  }
  override var title: String {
    get { super.title.uppercased() }
    set { super.title = newValue }
  }
  @KVProperty var own = 2

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TwiceByHand.self) { key in key("own", \.own) }
  }
}

/// Has no table.
private class TwicePlain: ValuedModel {
  override var value: Int {
    get { super.value * 2 }
    set { super.value = newValue / 2 }
  }
  override var title: String {
    get { super.title.uppercased() }
    set { super.title = newValue }
  }
}

/// Declares the key again.
private final class TwiceRedeclared: TwicePlain {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: TwiceRedeclared.self) { key in key("value", \.value) }
  }
}

@KVModel final class TwiceModel: ValuedModel {
  override var value: Int {
    get { super.value * 2 }
    set { super.value = newValue / 2 }
  }
  override var title: String {
    get { super.title.uppercased() }
    set { super.title = newValue }
  }
}

@KVModel final class ClampedModel: ValuedModel {
  @KVIgnored var calls: [String] = []
  override var value: Int {
    willSet { calls.append("will \(newValue) at \(value)") }
    didSet(former) {
      calls.append("did \(former) at \(value)")
      if self.value > 10 { value = 10 }
    }
  }
}

/// Has no table.
private final class ClampedPlain: ValuedModel {
  override var value: Int { didSet { if value > 10 { value = 10 } } }
}

@KVModel class PlainListingModel: KVObject {
  var list = [1]
  var marks: Set<Int> = [1]
}

@KVModel final class ListingModel: PlainListingModel {
  @KVIgnored var calls = 0
  override var list: [Int] { didSet { calls += 1 } }
  override var marks: Set<Int> { didSet { calls += 1 } }
}

@KVModel final class Heir: ValuedModel {
  var own = 2
}
