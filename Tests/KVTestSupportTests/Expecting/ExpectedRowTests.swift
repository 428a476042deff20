import KVTestSupport
import Testing

/// Which expected change stands beside which record.
@Suite("TST.2: rows of a report")
struct ExpectedRowTests {
  private let till = Till()

  private func messages(_ expected: [KVExpectedChange], _ body: () -> Void) -> [String] {
    KVFailureReporter.capturing { expectChanges(of: till, expected) { body() } }.map(\.message)
  }

  @Test("TST.2: each change that came as expected has its row, also behind one that is missing")
  func matches() {
    let expected: [KVExpectedChange] = [
      .set("number", to: 2), .set("label", to: "x"), .set("number", to: 3), .set("number", to: 5),
      .set("number", to: 9),
    ]
    let found = messages(expected) { for number in [2, 3, 5, 4] { till.number = number } }
    #expect(
      found == [
        """
        The changes of Till are not as expected: 2 of 5 expected did not come, 1 of 4 recorded was not expected.
          expected                recorded
          number: setting … → 2   1  number: setting 1 → 2
        - label: setting … → "x"
          number: setting … → 3   2  number: setting 2 → 3
          number: setting … → 5   3  number: setting 3 → 5
        ≠ number: setting … → 9   4  number: setting 5 → 4
        """
      ])
  }

  @Test("TST.2: a change of another value stands beside its record, also behind one that is missing")
  func differences() {
    let found = messages([.set("label", to: "x"), .set("number", to: 9)]) { till.number = 5 }
    #expect(
      found == [
        """
        The changes of Till are not as expected: 2 of 2 expected did not come, 1 of 1 recorded was not expected.
          expected                recorded
        - label: setting … → "x"
        ≠ number: setting … → 9   1  number: setting 1 → 5
        """
      ])
  }
}
