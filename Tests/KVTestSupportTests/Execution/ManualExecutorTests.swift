import KVTestSupport
import Testing

/// `KVManualExecutor`: work waits until it is run.
struct ManualExecutorTests {
  private let executor = KVManualExecutor()
  private let log = ThreadLog()

  @Test("TST.3: work waits, is counted, and runs in the order in which it came")
  func order() {
    for name in ["a", "b", "c"] { executor.enqueue { [log] in log.add(name) } }
    #expect(executor.pendingCount == 3)
    #expect(log.take() == [])
    #expect(executor.runNext())
    #expect(log.take() == ["a"])
    #expect(executor.pendingCount == 2)
    #expect(executor.runAll() == 2)
    #expect(log.take() == ["b", "c"])
    #expect(!executor.runNext())
    #expect(executor.runAll() == 0)
  }

  @Test("TST.3: running all runs what work enqueues as well, behind what waits already")
  func enqueuedByWork() {
    executor.enqueue { [executor, log] in
      log.add("a")
      executor.enqueue { log.add("from a") }
    }
    executor.enqueue { [log] in log.add("b") }
    #expect(executor.runAll() == 3)
    #expect(log.take() == ["a", "b", "from a"])
  }

  @Test("TST.3: work may run the next piece within itself")
  func nested() {
    executor.enqueue { [executor, log] in
      log.add("begin")
      executor.runNext()
      log.add("end, current: \(executor.isCurrent)")
    }
    executor.enqueue { [executor, log] in log.add("inner, current: \(executor.isCurrent)") }
    #expect(executor.runAll() == 1)
    #expect(log.take() == ["begin", "inner, current: true", "end, current: true"])
  }

  @Test("TST.3: work without end stops at the limit, in one failure at the caller's line, and goes on waiting")
  func endless() {
    @Sendable func again(_ executor: KVManualExecutor) { executor.enqueue { again(executor) } }
    again(executor)
    var count = 0
    let failures = KVFailureReporter.capturing { count = executor.runAll(limit: 50) }
    #expect(count == 50)
    let line = #line - 2
    #expect(
      failures.map(\.brief) == ["\(line): The work does not come to an end: 50 pieces were run, and 1 wait."])
    #expect(executor.discardAll() == 1)
  }

  @Test("TST.3: just as much work as the limit is no failure")
  func atLimit() {
    for _ in 0..<5 { executor.enqueue {} }
    #expect(KVFailureReporter.capturing { executor.runAll(limit: 5) }.isEmpty)
  }

  @Test("TST.3: it is current within its work only, and on that thread only")
  func current() {
    let inWork = ThreadLog()
    #expect(!executor.isCurrent)
    race(
      rounds: 20, { (begun: Meeting(), looked: Meeting()) },
      { [executor] meetings in
        executor.enqueue {
          inWork.add("\(executor.isCurrent)")
          meetings.begun.meet(2)
          meetings.looked.meet(2)
        }
        executor.runAll()
      },
      { [executor, log] meetings in
        // While the work runs on the other thread.
        meetings.begun.meet(2)
        log.add("\(executor.isCurrent)")
        meetings.looked.meet(2)
      })
    #expect(inWork.take() == Array(repeating: "true", count: 20))
    #expect(log.take() == Array(repeating: "false", count: 20))
    #expect(!executor.isCurrent)
  }

  @Test("TST.3: several threads may enqueue and run, and each piece runs once")
  func threads() {
    let total = ThreadCounter()
    let work: @Sendable (KVManualExecutor) -> Void = { executor in
      for _ in 0..<10 { executor.enqueue { total.add(1) } }
      executor.runAll()
    }
    race(
      rounds: 20, { KVManualExecutor() }, work, work,
      afterEach: { executor in #expect(executor.pendingCount == 0) })
    #expect(total.value == 400)
  }

  @Test("TST.3: threads that run work take turns, a piece each")
  func turns() {
    race(
      rounds: 10, { (begun: Meeting(), second: ThreadCounter()) },
      { [executor, log] round in
        executor.enqueue {
          round.begun.meet(2)
          // Time for the second piece to run as well, if it could.
          yieldThread(atMost: 2000) { round.second.value == 0 }
          log.add("\(round.second.value)")
        }
        executor.enqueue { round.second.add(1) }
        executor.runNext()
      },
      { [executor] round in
        round.begun.meet(2)
        executor.runNext()
      },
      afterEach: { [executor] round in
        #expect(round.second.value == 1)
        #expect(executor.pendingCount == 0)
      })
    #expect(log.take() == Array(repeating: "0", count: 10))
  }

  @Test(
    "TST.3: discarded work is never run, and what it captures is released, as it is when the executor is deallocated")
  func discarded() {
    let tracker = KVLifetimeTracker()
    func enqueue(_ executor: KVManualExecutor) {
      let tracked = tracker.track(ThreadCounter())
      executor.enqueue { [log] in log.add("ran \(tracked.value)") }
    }
    enqueue(executor)
    #expect(tracker.alive.count == 1)
    #expect(executor.discardAll() == 1)
    tracker.expectAllReleased()
    #expect(executor.runAll() == 0)
    do { enqueue(KVManualExecutor()) }
    tracker.expectAllReleased()
    #expect(log.take() == [])
  }

  // MARK: With bindings

  @Test("TST.3: dispatched bindings propagate their values when they are run, in the order of the changes")
  func bindings() throws {
    let person = KVFixtures.Person.sample()
    let (first, second) = (KVFixtures.Note(), KVFixtures.Note())
    let options = KVBindingOptions(concurrency: .dispatched(executor))
    try first.bind("text", to: "name", of: person, options: options)
    try second.bind("text", to: "age", of: person, options: options) { (age: Int) in "\(age)" }
    #expect(executor.pendingCount == 2)
    executor.runAll()
    #expect([first.text, second.text] == ["Ada", "36"])

    person.age = 37
    person.name = "Countess"
    person.name = "Ada King"
    #expect(executor.pendingCount == 2)
    #expect([first.text, second.text] == ["Ada", "36"])
    executor.runNext()
    #expect([first.text, second.text] == ["Ada", "37"])
    executor.runNext()
    #expect([first.text, second.text] == ["Ada King", "37"])
    #expect(executor.pendingCount == 0)
  }

  @Test("TST.3: two-way dispatched bindings settle within a run")
  func twoWay() throws {
    let (ada, grace) = (KVFixtures.Person("Ada"), KVFixtures.Person("Grace"))
    try grace.bind("name", to: "name", of: ada, options: KVBindingOptions(.twoWay, concurrency: .dispatched(executor)))
    executor.runAll()
    grace.name = "Hopper"
    #expect(ada.name == "Ada")
    executor.runAll(limit: 10)
    #expect(ada.name == "Hopper")
  }

  @Test("TST.3: a binding that works on the executor only takes changes within its work, and none from outside")
  func only() throws {
    let person = KVFixtures.Person()
    let note = KVFixtures.Note()
    var binding: KVPathBinding?
    let options = KVBindingOptions(concurrency: .only(executor))
    executor.enqueue(unchecked { binding = try? note.bind("text", to: "name", of: person, options: options) })
    executor.runAll()
    person.name = "outside"
    #expect(note.text == "Ada")
    #expect(binding?.lastError?.code == .wrongThread)
    executor.enqueue(unchecked { person.name = "inside" })
    executor.runAll()
    #expect(note.text == "inside")
  }
}

/// Hands a closure over that is run on the thread of the test.
private func unchecked(_ body: @escaping () -> Void) -> @Sendable () -> Void {
  struct Box: @unchecked Sendable {  // guard: run by the test itself
    let body: () -> Void
  }
  let box = Box(body: body)
  return { box.body() }
}
