import KVTestSupport
import Testing

@Suite("TST.2: coalescing")
struct ExpectCoalescedTests {
  private let till = Till()

  @Test("TST.2: one delivery with the first old and the last new value passes")
  func passes() throws {
    let result = expectCoalesced(of: till, .set("number", from: 1, to: 3)) {
      KVCoalescing.coalesce {
        till.number = 2
        till.number = 3
      }
      return "result"
    }
    #expect(result == "result")
    expectCoalesced(of: till, .changed("number")) {
      KVCoalescing.coalesce { for number in 4...9 { till.number = number } }
    }
    try expectCoalesced(of: till, .set("rows", from: [10, 12.5], to: [10, 12.5, 1, 2])) {
      try KVCoalescing.coalesce {
        try till.mutableArray(forKey: "rows").append(1.0)
        try till.mutableArray(forKey: "rows").append(2.0)
      }
    }
  }

  @Test("TST.1, TST.2: what is not coalesced is one failure, with the changes as they were made")
  func fails() throws {
    #expect(
      messages {
        expectCoalesced(of: till, .changed("number")) {
          till.number = 2
          till.number = 3
        }
      } == [
        """
        The changes of Till.number were delivered 2 times instead of once: they were not made in one scope. The changes, as they were made:
        1  number  setting  1 → 2
        2  number  setting  2 → 3
        """
      ])
    #expect(
      messages {
        expectCoalesced(of: till, .set("number", from: 0, to: 4)) { KVCoalescing.coalesce { till.number = 4 } }
      }
        == [
          """
          Till.number was to go from 0 to 4, but was notified as setting 3 → 4. The changes, as they were made:
          1  number  setting  3 → 4
          """
        ])
    #expect(
      messages { expectCoalesced(of: till, .changed("number")) {} } == [
        "Till.number did not change, so nothing was coalesced."
      ])
    #expect(
      messages {
        expectCoalesced(of: till, .changed("number")) {
          KVCoalescing.begin()
          till.number = 5
        }
        KVCoalescing.commit()
      } == [
        """
        The changes of Till.number were not delivered: their scope has not ended, or was rolled back. The changes, as they were made:
        1  number  setting  4 → 5
        """
      ])
    try #expect(
      messages {
        try expectCoalesced(of: till, .set("rows", from: [], to: [10, 12.5, 1])) {
          try KVCoalescing.coalesce { try till.mutableArray(forKey: "rows").append(1.0) }
        }
      }.count == 1)
    #expect(
      messages { expectCoalesced(of: till, .changed("silent")) {} }.map { $0.hasPrefix("Till cannot be observed: ") }
        == [true])
  }
}
