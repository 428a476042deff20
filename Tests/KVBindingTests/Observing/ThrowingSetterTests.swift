import KVBinding
import Testing

@Suite("KVO setters that throw")
struct ThrowingSetterTests {
  private struct Refused: Error {}

  private final class Gauge: KVObject {
    private(set) var level = 1
    func set(_ level: Int) throws {
      if level > 9 { throw Refused() }
      self.level = level
    }
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Gauge.self) { key in
        key("level", { $0.level }, set: { gauge, level in try gauge.set(level) })
        key("double") { $0.level * 2 }.affected(by: "level")
      }
    }
  }

  @Test("TAB.10: a refused write notifies nobody but those that ran before it")
  func notifications() throws {
    let gauge = Gauge()
    var (plain, prior): ([String], [String]) = ([], [])
    let token = try gauge.observe("level", options: [.old, .new]) { plain.append("\($0.old ?? 0) → \($0.new ?? 0)") }
    try gauge.setValue(2, forKey: "level")
    #expect(throws: KVError.self) { try gauge.setValue(10, forKey: "level") }
    #expect(plain == ["1 → 2"])
    let dependent = try gauge.observe("double", options: [.prior, .new]) {
      prior.append($0.isPrior ? "prior" : "\($0.new ?? 0)")
    }
    #expect(throws: KVError.self) { try gauge.setValue(10, forKey: "level") }
    #expect(prior == ["prior", "4"])
    try gauge.setValue(3, forKey: "level")
    #expect(prior == ["prior", "4", "prior", "6"])
    token.cancel()
    dependent.cancel()
  }
}
