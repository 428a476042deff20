import Dispatch
import KVTestSupport
import Testing

@Suite("TST.3: helpers on many threads")
struct ConcurrentCallTests {
  @Test(
    "TST.1, TST.3: helpers may be used on several threads at once, on one object, with one recorder and one tracker")
  func together() throws {
    race(
      rounds: 100, { (till: Till(), tracker: KVLifetimeTracker(), executor: KVManualExecutor()) },
      { round in
        round.tracker.track(Till())
        round.executor.enqueue {}
        expectNoChange(of: round.till, "label") {}
        expectNoBindingErrors {}
      },
      { round in
        round.tracker.track(Till())
        round.executor.runAll()
        expectNoObserversLeft(on: Till())
        round.till.number = 2
        expectNoBindingErrors(of: round.till) {}
      },
      afterEach: { round in
        round.executor.runAll()
        round.tracker.expectAllReleased()
        expectNoObserversLeft(on: round.till)
      })
  }

  @Test("TST.2: a recorder may be read, stopped and dropped while another thread makes changes")
  func recorder() throws {
    try race(
      rounds: 200,
      {
        let till = Till()
        return (till: till, recorder: try KVChangeRecorder(of: till, "number"))
      }, { round in for number in 2...5 { round.till.number = number } },
      { round in
        _ = round.recorder.take()
        _ = round.recorder.log.description
        round.recorder.cancel()
      })
  }

  @Test("TST.2: a waiter races with changes, deadlines and cancelling, and always goes on")
  func waiting() async {
    for round in 0..<300 {
      let till = KVUncheckedSendable(Till())
      let clock = KVManualClock()
      let task = Task.detached {
        await KVFailureReporter.capturing {
          await expectChange(
            of: till.value, "number", where: { round % 3 == 0 && $0 as? Int == 2 }, within: .seconds(1), clock: clock)
        }
      }
      try? await clock.waitForSleep()
      async let change: Void = { till.value.number = 2 }()
      async let time: Void = clock.advance(by: .seconds(round % 2))
      if round % 2 == 0 { task.cancel() }
      _ = await (change, time)
      #expect(await task.value.count <= 1)
    }
  }
}
