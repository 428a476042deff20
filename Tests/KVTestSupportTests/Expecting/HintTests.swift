import KVTestSupport
import Testing

/// What a report adds where the two sequences alone do not say what is wrong.
@Suite("TST.2: hints")
struct HintTests {
  private struct Plain {
    var number = 1
  }

  private final class Model: KVObject {
    @KVProperty var plain = Plain()
    @KVProperty var rows = Array(0..<150)
    @KVProperty var next: KVRecord?
    var forgotten = 1
    var twice: Int { forgotten * 2 }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Model.self) { key in
        key("plain", \.plain)
        key("rows", \.rows)
        key("next", \.next)
        key("forgotten", \.forgotten)
        key("twice", \.twice).affected(by: "forgotten")
      }
    }
  }

  private let model = Model()

  private func lastLines(_ body: () throws -> Void) rethrows -> [String] {
    try KVFailureReporter.capturing(body).map { String($0.message.split(separator: "\n").last ?? "") }
  }

  @Test("TST.2: values without == are never equal, and the report says so")
  func withoutEquality() {
    #expect(
      lastLines { expectChanges(of: model, [.set("plain", to: Plain(number: 2))]) { model.plain.number = 2 } } == [
        "Record 1 reads as expected, but Plain has no ==, so that no two are equal: use .set(_:where:_:)."
      ])
    expectChanges(of: model, [.set("plain", where: "3") { ($0 as? Plain)?.number == 3 }]) { model.plain.number = 3 }
  }

  @Test("TST.2: objects are compared by identity, and the report says so where they read alike")
  func objects() throws {
    let (one, other) = (try KVRecord(["a": 1]), try KVRecord(["a": 1]))
    #expect(
      lastLines { expectChanges(of: model, [.set("next", to: other)]) { model.next = one } } == [
        "Record 1 reads as expected, but it is another object: objects are compared by identity."
      ])
    expectChanges(of: model, [.set("next", from: one)]) { model.next = other }
  }

  @Test("TST.2: the hint can be one about the old value")
  func oldValue() throws {
    model.next = try KVRecord(["a": 1])
    let other = try KVRecord(["a": 1])
    #expect(
      lastLines { expectChanges(of: model, [.set("next", from: other, to: nil)]) { model.next = nil } } == [
        "Record 1 reads as expected, but it is another object: objects are compared by identity."
      ])
  }

  @Test("TST.2: no number is expected as any other value")
  func notANumber() {
    let till = Till()
    expectChanges(of: till, [.set("total", to: Double.nan)]) { till.rows = [.nan] }
    expectCoalesced(of: till, .set("total", from: Double.nan, to: 0)) { KVCoalescing.coalesce { till.rows = [] } }
  }

  @Test("TST.2: of long collections that read alike the first difference is named")
  func collections() {
    var rows = model.rows
    rows[120] = -1
    #expect(
      lastLines { expectChanges(of: model, [.set("rows", to: model.rows)]) { model.rows = rows } } == [
        "Record 1 reads as expected, but [120] is -1, not 120."
      ])
  }

  @Test("TST.2: what has changed without a notification is named with its cure")
  func withoutNotification() async {
    let line = """
      forgotten went from 1 to 2, and no observer was notified: make the property a @KVProperty, or declare what it depends on with \
      affected(by:).
      """
    #expect(lastLines { expectChanges(of: model, [.set("forgotten", to: 2)]) { model.forgotten = 2 } } == [line])
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: model, "twice", to: 6, within: .milliseconds(1)) { model.forgotten = 3 }
    }
    #expect(
      failures.map(\.message) == [
        """
        Model.twice did not become 6 within 0.001 seconds. It is 6. twice went from 4 to 6, and no observer was notified: make the \
        property a @KVProperty, or declare what it depends on with affected(by:).
        """
      ])
  }

  @Test("TST.2: what is written by key, or not at all, is no change without a notification")
  func withNotification() throws {
    #expect(
      try lastLines {
        try expectChanges(of: model, [.set("forgotten", to: 9)]) { try model.setValue(7, forKey: "forgotten") }
      } == ["≠ forgotten: setting … → 9  1  forgotten: setting 1 → 7"])
    #expect(
      lastLines { expectChanges(of: model, [.set("forgotten")]) {} } == ["- forgotten: setting"])
  }
}
