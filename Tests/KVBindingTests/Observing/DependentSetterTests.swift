import KVBinding
import KVCore
import Testing

@Suite("DEP.3: a computed key whose setter sets keys that it depends on")
struct DependentSetterTests {
  private let oven = Oven()

  /// Counts the notifications of a key while another key may be observed, too.
  private func count(
    _ key: String, _ options: KVObservingOptions = [.old, .new], beside other: String? = nil, _ body: () throws -> Void
  ) throws -> [String] {
    var lines: [String] = []
    let beside = try other.map { try oven.observe(KVKeyPath($0)) { _ in } }
    let token = try oven.observe(KVKeyPath(key), options: options) { change in
      lines.append("\(change.isPrior ? "prior " : "")\(change.old ?? "-") → \(change.new ?? "-")")
    }
    try body()
    token.cancel()
    beside?.cancel()
    return lines
  }

  @Test("DEP.3: written by key, it notifies once, whoever else observes", arguments: [nil, "label", "kelvin", "range"])
  func byKey(other: String?) throws {
    #expect(try count("celsius", beside: other) { try oven.setValue(7, forKey: "celsius") } == ["0 → 7"])
    #expect(try count("celsius", beside: other) { try oven.setValue(8, forKeyPath: "celsius") } == ["7 → 8"])
    #expect(try count("celsius", beside: other) { try oven.setValues(forKeys: ["celsius": 9]) } == ["8 → 9"])
    #expect(
      try count("celsius", beside: other) {
        try KVTransaction.run { try oven.setValue(10, forKey: "celsius") }
      } == ["9 → 10"])
    let knob = Oven()
    let binding = try oven.bind("celsius", to: "kelvin", of: knob)
    #expect(try count("celsius", beside: other) { knob.kelvin = 11 } == ["0 → 11"])
    binding.cancel()
  }

  @Test("DEP.3: a setter that sets several keys notifies once, written by key")
  func several() throws {
    #expect(try count("range") { try oven.setValue(5, forKey: "range") } == ["0 → 5"])
    #expect(try count("label", beside: "range") { try oven.setValue(9, forKey: "range") } == ["5° → 9°"])
  }

  @Test("DEP.3: the options of the observer do not matter")
  func options() throws {
    #expect(try count("celsius", [.new]) { try oven.setValue(1, forKey: "celsius") } == ["- → 1"])
    #expect(try count("celsius", [.old]) { try oven.setValue(2, forKey: "celsius") } == ["1 → -"])
    #expect(try count("celsius", []) { try oven.setValue(3, forKey: "celsius") } == ["- → -"])
    let prior = try count("celsius", [.old, .new, .prior]) { try oven.setValue(4, forKey: "celsius") }
    #expect(prior == ["prior 3 → -", "3 → 4"])
  }

  @Test("DEP.3, KVO.1: the getter is called at most once before and once after the write")
  func reads() throws {
    let expected: [(KVObservingOptions, Int)] = [([.old, .new], 2), ([.new], 1), ([.old], 1), ([], 0)]
    for (options, reads) in expected {
      var found = 0
      _ = try count("celsius", options) {
        let before = oven.reads
        try oven.setValue(oven.kelvin + 1, forKey: "celsius")
        found = oven.reads - before
      }
      #expect(found == reads, "\(options)")
    }
  }

  @Test("DEP.3, TAB.10: a setter that throws notifies nobody, unless it has set something")
  func throwing() throws {
    #expect(try count("level") { #expect(throws: KVError.self) { try oven.setValue(-1, forKey: "level") } } == [])
    #expect(try count("level") { try oven.setValue(3, forKey: "level") } == ["0 → 3"])
    #expect(
      try count("level") { #expect(throws: KVError.self) { try oven.setValue(99, forKey: "level") } } == ["3 → 99"])
  }

  @Test("DEP.3: an observer who leaves or comes while another one stays")
  func cancelled() throws {
    let other = try oven.observe("celsius") { _ in }
    #expect(try count("celsius") { try oven.setValue(1, forKey: "celsius") } == ["0 → 1"])
    other.cancel()
    #expect(try count("celsius") { try oven.setValue(2, forKey: "celsius") } == ["1 → 2"])
  }

  @Test("DEP.3: in Swift, each key that the setter sets notifies")
  func inSwift() throws {
    #expect(try count("celsius") { oven.celsius = 7 } == ["0 → 7"])
    #expect(try count("range") { oven.range = 5 } == ["7 → 0", "0 → 5"])
  }
}

private final class Oven: KVObject {
  @KVProperty var kelvin = 0
  @KVProperty private var highest = 0
  @KVProperty private var stored = 0
  private(set) var reads = 0
  var celsius: Int {
    get {
      reads += 1
      return kelvin
    }
    set { kelvin = newValue }
  }
  var range: Int {
    get { max(kelvin, highest) }
    set {
      kelvin = 0
      highest = newValue
    }
  }
  var label: String { "\(max(kelvin, highest))°" }
  var level: Int { stored }
  func setLevel(_ level: Int) throws {
    struct Refusal: Error {}
    if level < 0 { throw Refusal() }
    stored = level
    if level > 50 { throw Refusal() }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Oven.self) { key in
      // By closures: writing by a key path can read, too.
      key("celsius", { $0.celsius }, set: { $0.celsius = $1 }).affected(by: "kelvin")
      key("kelvin", \.kelvin)
      key("range", \.range).affected(by: "kelvin", "highest")
      key("label", \.label).affected(by: "celsius", "range")
      key("level", { $0.level }, set: { try $0.setLevel($1) }).affected(by: "stored")
    }
  }
}
