import KVTestSupport
import Testing

/// Long sequences and long values: what is expected of them is still found, in time, and told in a text that one can read.
@Suite("TST.2: many changes")
struct ManyChangesTests {
  private let till = Till()

  @Test("TST.2: a sequence is found among very many changes")
  func gaps() {
    let expected = (1...300).map { KVExpectedChange.set("number", to: $0 * 10 + 5) }
    expectChanges(of: till, expected, matching: .nonExhaustive) { for number in 2...10_000 { till.number = number } }
  }

  @Test("TST.2: a sequence that is not among very many changes is one short report")
  func missing() {
    let expected = (1...300).map { number in KVExpectedChange.set("number", to: 0 - number) }
    let found = messages {
      expectChanges(of: till, expected, matching: .nonExhaustive) { for number in 2...10_000 { till.number = number } }
    }
    #expect(found.count == 1)
    #expect(
      found.allSatisfy { $0.hasPrefix("The changes of Till are not as expected: 300 of 300 expected did not come.") })
    #expect(found.allSatisfy { $0.utf8.count < 20_000 })
  }

  @Test("TST.2: many changes of which nothing is said are paired in any order without trying all orders")
  func open() {
    let expected = [KVExpectedChange](repeating: .changed("number"), count: 1000) + [.set("number", to: 2)]
    expectChanges(of: till, expected, matching: .anyOrder) { for number in 2...1002 { till.number = number } }
  }

  @Test("TST.2: a report of many changes, and of long values, is short, and each change is one line")
  func reports() {
    let many = messages { expectNoChange(of: till, "number") { for number in 2...10_000 { till.number = number } } }
    #expect(many.count == 1 && many[0].split(separator: "\n").count == 12)
    let text = String(repeating: "line\n", count: 10_000)
    let long = messages {
      expectChanges(of: till, [.set("label", to: "short")]) { for _ in 0..<30 { till.label = text } }
    }
    #expect(long.count == 1 && long[0].utf8.count < 100_000)
    #expect(long[0].split(separator: "\n").count < 40)
  }
}
