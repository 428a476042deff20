import Dispatch
import KVTestSupport
import Testing

@Suite("TST.2: a change, sooner or later")
struct ExpectChangeTests {
  private let till = Till()

  @Test("TST.2: a value that another thread sets is waited for")
  func value() async {
    let shared = KVUncheckedSendable(till)
    await expectChange(of: till, "number", to: 3, within: .seconds(3600)) {
      DispatchQueue.global().async { for number in 1...5 { shared.value.number = number } }
    }
    await expectChange(of: till, "rows", to: [1.0, 2.0], within: .seconds(3600)) {
      Task.detached {
        shared.value.rows = [1]
        try shared.value.mutableArray(forKey: "rows").append(2.0)
      }
    }
    await expectChange(of: till, "next.number", to: 9.0, within: .seconds(3600)) {
      let next = Till()
      next.number = 9
      till.next = next
    }
  }

  @Test("TST.2: a test is run on each value, where the expectation stands")
  func predicate() async {
    let shared = KVUncheckedSendable(till)
    let thread = Locked(Set<Bool>())
    await expectChange(
      of: till, "number",
      where: { value in
        thread.withLock { _ = $0.insert(DispatchQueue.getSpecific(key: mark) == true) }
        return (value as? Int ?? 0) > 3
      }, within: .seconds(3600)
    ) {
      queue.async { for number in 1...5 { shared.value.number = number } }
    }
    #expect(thread.withLock { $0 } == [false])
  }

  @Test("TST.2: without a value any change will do, an equal value too")
  func any() async {
    await expectChange(of: till, "number", within: .seconds(3600)) { till.number = 1 }
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: till, "number", within: .milliseconds(1))
    }
    #expect(failures.map(\.message) == ["Till.number did not change within 0.001 seconds. It is 1. It did not change."])
  }

  @Test("TST.2: what is true already passes, unless only a change counts")
  func alreadyTrue() async {
    await expectChange(of: till, "number", to: 1, within: .zero)
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: till, "number", to: 1, acceptsCurrentValue: false, within: .milliseconds(1))
    }
    #expect(
      failures.map(\.message) == ["Till.number did not become 1 within 0.001 seconds. It is 1. It did not change."])
    await expectChange(of: till, "number", to: 1, acceptsCurrentValue: false, within: .zero) { till.number = 1 }
  }

  @Test("TST.1, TST.2: a value that never comes is one failure at the caller's line, with the last changes")
  func deadline() async {
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: till, "number", to: 0, within: .milliseconds(1)) {
        for number in 1...12 { till.number = number }
      }
    }
    #expect(failures.map(\.location.line) == [#line - 4])
    #expect(
      failures.first?.message.hasPrefix(
        """
        Till.number did not become 0 within 0.001 seconds. It is 12. Its last changes:
        … 2 before these
        3   number  setting  2 → 3
        """) == true)
  }

  @Test("TST.2: a path that is not there is the failure; what the body throws comes through")
  func faults() async {
    struct Stop: Error {}
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: till, "silent", to: 1)
      await #expect(throws: Stop.self) { try await expectChange(of: till, "number", to: 5) { throw Stop() } }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.hasPrefix("Till cannot be observed: ") == true)
  }

  @Test("TST.2: a cancelled task does not wait for the deadline")
  func cancellation() async {
    let shared = KVUncheckedSendable(till)
    let task = Task {
      await KVFailureReporter.capturing {
        await expectChange(of: shared.value, "number", to: 5, within: .seconds(3600))
      }
    }
    task.cancel()
    #expect(await task.value.count == 1)
  }

  @Test("TST.2: a test on the main actor may wait for its own models")
  @MainActor
  func mainActor() async {
    let till = Till()
    await expectChange(of: till, "number", to: 2, within: .seconds(3600)) { Task { till.number = 2 } }
    await expectChanges(of: till, [.set("number", to: 3)], within: .seconds(3600)) { Task { till.number = 3 } }
  }
}

private let mark = DispatchSpecificKey<Bool>()
private let queue = {
  let queue = DispatchQueue(label: "changes")
  queue.setSpecific(key: mark, value: true)
  return queue
}()
