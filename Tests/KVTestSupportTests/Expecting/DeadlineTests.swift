import Dispatch
import KVTestSupport
import Testing

@Suite("TST.2: deadlines")
struct DeadlineTests {
  private let till = Till()

  @Test(
    "TST.2: a deadline may be of any length",
    arguments: [
      .zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .seconds(100 * 365 * 86_400),
    ] as [Duration])
  func lengths(_ limit: Duration) async {
    let shared = KVUncheckedSendable(till)
    await expectChange(of: till, "number", to: 2, within: limit) { till.number = 2 }
    let failures = await KVFailureReporter.capturing {
      await expectChange(of: till, "number", to: 3, within: limit) {
        DispatchQueue.global().sync { shared.value.number = 4 }
        if limit > .seconds(1) { DispatchQueue.global().async { shared.value.number = 3 } }
      }
    }
    #expect(failures.count == (limit > .seconds(1) ? 0 : 1))
  }

  @Test("TST.2: a cancelled task waits no longer, and says why")
  func cancelled() async {
    let shared = KVUncheckedSendable(till)
    let task = Task {
      await KVFailureReporter.capturing {
        await expectChange(of: shared.value, "number", to: 2, within: .seconds(3600))
      }
    }
    task.cancel()
    let failures = await task.value
    #expect(
      failures.map(\.message) == [
        "Till.number did not become 2 before the task was cancelled. It is 1. It did not change."
      ])
    let there = Task {
      await KVFailureReporter.capturing {
        await expectChange(of: shared.value, "number", to: 2, within: .seconds(3600)) {
          withUnsafeCurrentTask { $0?.cancel() }
          shared.value.number = 2
        }
      }
    }
    #expect(await there.value.isEmpty)
  }

  @Test("TST.2: changes of many tasks at once wake a waiter for the last of them")
  func many() async {
    let shared = KVUncheckedSendable(till)
    let queue = DispatchQueue(label: "till")
    await expectChange(of: till, "number", where: { ($0 as? Int) == 201 }, within: .seconds(3600)) {
      for _ in 0..<4 {
        Task.detached { for _ in 0..<50 { queue.sync { shared.value.number += 1 } } }
      }
    }
  }

  @Test("TST.2: a finished wait leaves no task and no observation behind")
  func leaks() async throws {
    for _ in 0..<20 { await expectChange(of: till, "number", within: .seconds(3600)) { till.number += 1 } }
    expectNoObserversLeft(on: till)
  }
}
