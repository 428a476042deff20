import Dispatch
import KVTestSupport
import Testing

/// An object that can be observed, and has no key to be observed.
private final class Empty: KVObject {}

private struct NoKeys: KeyValueCoding {
  static var keyTable: KVTable { KVTable(NoKeys.self) { _ in } }
}

private struct Refusal: Error {}

/// What passes has been checked: nothing passes since there was nothing to look at.
@Suite("TST.1: no expectation passes in vain")
struct VacuousPassTests {
  private let till = Till()

  @Test("TST.2: no change is expected in vain of an object none of whose keys can notify")
  func noKeys() {
    let empty = Empty()
    #expect(messages { expectNoChange(of: empty) {} }.count == 1)
    #expect(messages { expectChanges(of: empty, []) {} }.count == 1)
  }

  @Test("TST.2: a type without keys does not comply")
  func noKeysAtAll() {
    #expect(messages { expectCompliant { Empty() } }.count == 1)
    #expect(messages { expectCompliant { NoKeys() } }.count == 1)
  }

  @Test("TST.2, COA.3: a single change outside of any scope is not coalesced")
  func coalesced() {
    #expect(
      messages { expectCoalesced(of: till, .changed("number")) { till.number = 2 } } == [
        """
        The change of Till.number was told at once: it was made outside of any scope, so nothing was coalesced. The changes, as they were made:
        1  number  setting  1 → 2
        """
      ])
    expectCoalesced(of: till, .changed("number")) { KVCoalescing.coalesce { till.number = 3 } }
    expectCoalesced(of: till, .set("number", from: 3, to: 5)) {
      KVCoalescing.coalesce {
        KVCoalescing.coalesce { till.number = 4 }
        till.number = 5
      }
    }
  }

  @Test("TST.2, COA.8: a transaction that is rolled back delivers nothing, and is no failure of another kind")
  func rolledBack() {
    let found = messages {
      expectCoalesced(of: till, .changed("number")) {
        try? KVTransaction.run {
          try till.setValue(7, forKey: "number")
          throw Refusal()
        }
      }
    }
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.contains("rolled back") })
  }

  @Test("TST.2, COA.1: scopes of two threads are two deliveries")
  func threads() {
    let shared = KVUncheckedSendable(till)
    let found = messages {
      expectCoalesced(of: till, .changed("number")) {
        for number in 2...3 {
          DispatchQueue.global().sync { KVCoalescing.coalesce { shared.value.number = number } }
        }
      }
    }
    #expect(found.count == 1)
  }

  @Test("TST.2: that nothing changes within a time is not known before it has passed")
  func nothingWithin() async throws {
    let clock = KVManualClock()
    let shared = KVUncheckedSendable(till)
    let recorder = try KVChangeRecorder(of: till, "number")
    async let late = KVFailureReporter.capturing {
      await recorder.expect([], within: .seconds(5), clock: clock)
    }
    try await clock.waitForSleep()
    shared.value.number = 2
    #expect(await late.count == 1)
    async let none = KVFailureReporter.capturing {
      await recorder.expect([], within: .seconds(5), clock: clock)
    }
    try await clock.waitForSleep()
    clock.advance(by: .seconds(5))
    #expect(await none.isEmpty)
  }
}
