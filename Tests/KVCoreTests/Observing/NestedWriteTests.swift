import KVCore
import Testing

@Suite("KVO.14: writes by key from inside of a setter")
struct NestedWriteTests {
  @Test("KVO.14: a setter that writes its own key notifies of both changes, the inner one inside")
  func ownKey() throws {
    let gauge = Gauge()
    let recorder = ShopRecorder.watch(gauge, "level")
    try gauge.setValue(150, forKey: "level")
    #expect(
      recorder.take() == [
        "will level setting 1 → 150", "will level setting 150 → 100", "did level setting 150 → 100",
        "did level setting 1 → 100",
      ])
    try gauge.setValue(7, forKey: "level")
    #expect(recorder.take() == notifiedOnce("level setting 100 → 7"))
  }

  @Test("KVO.14: an observer in the class that writes the array that it observes is notified, inside of the edit")
  func arrays() throws {
    let gauge = Gauge()
    let recorder = ShopRecorder.watch(gauge, "marks")
    let view = gauge.mutableArray(forKey: "marks")
    for _ in 0..<2 {
      for mark in 1...3 { try view.append(mark) }
      #expect(
        recorder.take() == notifiedOnce("marks insertion at [0] - → [1]")
          + notifiedOnce("marks insertion at [1] - → [2]") + [
            "will marks insertion at [2] - → [3]", "will marks setting [1, 2, 3] → []",
            "did marks setting [1, 2, 3] → []", "did marks insertion at [2] - → [3]",
          ])
    }
    #expect(gauge.marks == [])
  }
}

/// Writes its own keys while they are set.
private final class Gauge: KVObject {
  var level = 1 {
    didSet { if level > 100 { try? setValue(100, forKey: "level") } }
  }
  @KVProperty var marks: [Int] = [] {
    didSet { if marks.count > 2 { try? setValue([Int](), forKey: "marks") } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Gauge.self) { key in
      key("level", { $0.level }, set: { $0.level = $1 })
      key("marks", \.marks)
    }
  }
}
