import KVBinding
import KVCore
import Testing

@Suite("KVO.2: a record is a value: what its handler keeps of it stays valid, and nothing else does")
struct StoredRecordTests {
  private let alive = LifeCapture.Count()

  /// Observes a key and a path to it by several handlers that store their records, sets the key three times, lets the
  /// model die, and returns what is then in the records of each handler.
  private func records<Value>(
    _ key: String, _ values: [Value], observers: Int, path: String? = nil, _ text: (Any?) -> String
  ) throws -> [[String]] {
    let stored = Records(observers)
    try {
      let holder = BoxHolder()
      let model = BoxModel()
      holder.model = model
      let root: KVObject = path == nil ? model : holder
      let tokens = try (0..<observers).map { index in
        try root.observe(path ?? key) { change in stored.changes[index].append(change) }
      }
      for value in values { try model.setValue(value, forKey: key) }
      tokens.forEach { $0.cancel() }
      #expect(stored.changes.allSatisfy { $0.count == values.count })
    }()
    return stored.changes.map { changes in
      changes.map { "\($0.keyPath) \(text($0.old)) → \(text($0.new))" }
    }
  }

  private func tracked(_ value: Any?) -> String { value is LifeCapture ? "one" : value == nil ? "nil" : "\(value!)" }

  @Test(
    "KVO.2: texts, objects, optionals, structs of any size, weak references and wide numbers",
    arguments: [1, 2, 5], [false, true])
  func everyKind(_ observers: Int, _ isPath: Bool) throws {
    func check<Value>(
      _ key: String, _ values: [Value], _ expected: [String], _ text: @escaping (Any?) -> String
    ) throws {
      let path = isPath ? "model.\(key)" : nil
      let found = try records(key, values, observers: observers, path: path, text)
      let lines = expected.map { "\(path ?? key) \($0)" }
      #expect(found == Array(repeating: lines, count: observers), "\(key)")
    }
    let long = [1, 2].map { String(repeating: "long text ", count: 5) + "\($0)" }
    try check("text", long, ["start → \(long[0])", "\(long[0]) → \(long[1])"], tracked)
    try check("text", ["a", "b"], ["start → a", "a → b"], tracked)
    try check("number", [1, 2], ["0 → 1", "1 → 2"], tracked)
    try check("object", [LifeCapture(alive), nil], ["nil → one", "one → nil"], tracked)
    try check("note", [long[0], nil, "b"], ["nil → \(long[0])", "\(long[0]) → nil", "nil → b"], tracked)
    try check(
      "large", [BoxModel.Large(LifeCapture(alive), 1), BoxModel.Large(nil, 2)],
      ["nil 0 → one 1", "one 1 → nil 2"]
    ) { value in
      (value as? BoxModel.Large).map { "\($0.object == nil ? "nil" : "one") \($0.number)" } ?? "none"
    }
    let owner = LifeCapture(alive)
    try check("weak", [BoxModel.Weak(object: owner)], ["nil → one"]) { value in
      (value as? BoxModel.Weak).map { $0.object == nil ? "nil" : "one" } ?? "none"
    }
    try check("wide", [SIMD8<Double>(repeating: 1)], ["0.0 → 1.0"]) { value in
      (value as? SIMD8<Double>).map { "\($0[7])" } ?? "none"
    }
    try check("list", [[1], [1, 2]], ["[] → [1]", "[1] → [1, 2]"], tracked)
    withExtendedLifetime(owner) {}
  }

  @Test("LIF.1: no observer keeps a value longer than its records do", arguments: [1, 3])
  func balance(_ observers: Int) throws {
    _ = try records("object", [LifeCapture(alive), LifeCapture(alive), nil], observers: observers) { _ in "" }
    #expect(alive.alive == 0)
    let values = [BoxModel.Large(LifeCapture(alive), 1), BoxModel.Large(LifeCapture(alive), 2)]
    #expect(alive.alive == 2)
    _ = try records("large", values, observers: observers, path: "model.large") { _ in "" }
    #expect(alive.alive == 2)
    withExtendedLifetime(values) {}
  }

  @Test("KVO.8: a handler that sets the key, and another that ends, leave the records of the others as they are")
  func nested() throws {
    let model = BoxModel()
    let stored = Records(3)
    var tokens: [KVObservation] = []
    tokens.append(
      try model.observe("text") { change in
        stored.changes[0].append(change)
        if model.text == "b" { model.text = String(repeating: "nested ", count: 5) }
      })
    tokens.append(
      try model.observe("text") { change in
        stored.changes[1].append(change)
        tokens[1].cancel()
        tokens.remove(at: 1)
      })
    tokens.append(try model.observe("text") { change in stored.changes[2].append(change) })
    model.text = "b"
    let nested = String(repeating: "nested ", count: 5)
    let lines = stored.changes.map { $0.map { "\($0.old ?? "") → \($0.new ?? "")" } }
    #expect(lines[0] == ["start → b", "b → \(nested)"])
    #expect(lines[1] == ["b → \(nested)"])
    #expect(lines[2] == ["b → \(nested)", "start → b"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.1: observers that share a change receive what their own options contain")
  func options() throws {
    let model = BoxModel()
    let stored = Records(4)
    let options: [KVObservingOptions] = [[.old], [.new], [], [.old, .new, .distinct]]
    let tokens = try options.indices.map { index in
      try model.observe("text", options: options[index]) { change in stored.changes[index].append(change) }
    }
    model.text = "b"
    model.text = "b"
    let lines = stored.changes.map { $0.map { "\($0.old ?? "-") → \($0.new ?? "-")" } }
    #expect(lines == [["start → -", "b → -"], ["- → b", "- → b"], ["- → -", "- → -"], ["start → b"]])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.2: the record of a path names the object that changed, also after its death")
  func changedObject() throws {
    let holder = BoxHolder()
    var model: BoxModel? = BoxModel()
    holder.model = model
    let stored = Records(2)
    let tokens = try (0..<2).map { index in
      try holder.observe("model.text") { change in stored.changes[index].append(change) }
    }
    model?.text = "b"
    weak let witness = model
    model = nil
    holder.model = nil
    #expect(witness == nil)
    #expect(stored.changes.map(\.count) == [2, 2])
    #expect(stored.changes.allSatisfy { $0[0].object === holder && $0[0].new as? String == "b" })
    tokens.forEach { $0.cancel() }
  }
}

/// What handlers stored, by observer.
private final class Records {
  var changes: [[KVChange]]

  init(_ count: Int) { changes = Array(repeating: [], count: count) }
}

/// Holds a model, so that a path leads to it.
private final class BoxHolder: KVObject {
  @KVProperty var model: BoxModel?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: BoxHolder.self) { key in key("model", \.model) }
  }
}

/// Has values that fit into an `Any`, and values that do not.
private final class BoxModel: KVObject {
  /// Too large for the room in a box.
  struct Large {
    var object: LifeCapture?
    var number: Int
    var others = (1, 2, 3)

    init(_ object: LifeCapture?, _ number: Int) { (self.object, self.number) = (object, number) }
  }

  /// Known to the runtime by its address.
  struct Weak {
    weak var object: LifeCapture?
  }

  @KVProperty var text = "start"
  @KVProperty var number = 0
  @KVProperty var note: String?
  @KVProperty var object: LifeCapture?
  @KVProperty var large = Large(nil, 0)
  @KVProperty var weak = Weak()
  @KVProperty var wide = SIMD8<Double>(repeating: 0)
  @KVProperty var list: [Int] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: BoxModel.self) { key in
      key("text", \.text)
      key("number", \.number)
      key("note", \.note)
      key("object", \.object)
      key("large", \.large)
      key("weak", \.weak)
      key("wide", \.wide)
      key("list", \.list)
    }
  }
}
