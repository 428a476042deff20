import KVTestSupport
import Testing

/// `KVManualClock`: time passes when the test says so.
@Suite(.timeLimit(.minutes(20)))  // A test lasts as long as the others that keep it waiting.
struct ManualClockTests {
  private let clock = KVManualClock()
  private let log = ThreadLog()

  private func instant(_ seconds: Int) -> KVManualClock.Instant { KVManualClock.Instant(offset: .seconds(seconds)) }

  @Test("TST.3: the clock stands at zero, and moves only when it is advanced")
  func advancing() {
    #expect(clock.now == instant(0))
    clock.advance(by: .seconds(2))
    clock.advance(by: .zero)
    clock.advance(by: .milliseconds(500))
    #expect(clock.now.offset == .milliseconds(2500))
    #expect(instant(1).duration(to: clock.now) == .milliseconds(1500))
    #expect(instant(1) < clock.now && instant(3) > clock.now)
    #expect("\(instant(30))" == "30.0 seconds")
  }

  @Test("TST.3: a sleeper wakes when its deadline has come, and not before")
  func sleeping() async throws {
    let task = Task { [clock, log] in
      try await clock.sleep(for: .seconds(30))
      log.add("awake")
    }
    try await clock.waitForSleep()
    #expect(clock.pendingSleeps == [instant(30)])
    clock.advance(by: .seconds(29))
    #expect(clock.pendingSleeps == [instant(30)])
    #expect(log.take() == [])
    clock.advance(by: .seconds(1))
    #expect(clock.pendingSleeps == [])
    try await task.value
    #expect(log.take() == ["awake"])
  }

  @Test("TST.3: a deadline that has come already is not waited for")
  func past() async throws {
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: instant(5))
    try await clock.sleep(until: instant(1), tolerance: .seconds(1))
    #expect(clock.pendingSleeps.isEmpty)
  }

  @Test("TST.3: several sleepers are listed by deadline, and each wakes at its own")
  func several() async throws {
    let tasks = [3, 1, 2].map { seconds in
      Task { [clock, log] in
        try await clock.sleep(for: .seconds(seconds))
        log.add("\(seconds) at \(clock.now)")
      }
    }
    try await clock.waitForSleep(3)
    #expect(clock.pendingSleeps == [instant(1), instant(2), instant(3)])
    for (index, left) in [(1, 2), (2, 1), (0, 0)] {
      clock.advance(by: .seconds(1))
      #expect(clock.pendingSleeps.count == left)
      try await tasks[index].value
    }
    #expect(log.take() == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
  }

  @Test("TST.3: a sleeper whose task is cancelled wakes with an error, and the others sleep on")
  func cancelled() async throws {
    let tasks = [1, 2].map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
    try await clock.waitForSleep(2)
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(clock.pendingSleeps == [instant(2)])
    clock.advance(by: .seconds(2))
    try await tasks[1].value
  }

  @Test("TST.3: a task that is cancelled before it sleeps does not sleep")
  func cancelledBefore() async {
    let task = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingSleeps.isEmpty)
  }

  @Test("TST.3: cancelling wakes once, whatever else happens at that moment")
  func cancelledMeanwhile() async throws {
    for _ in 0..<200 {
      let clock = KVManualClock()
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { task.cancel() }
        group.addTask { clock.advance(by: .seconds(1)) }
      }
      _ = await task.result
      #expect(clock.pendingSleeps.isEmpty)
    }
  }

  @Test("TST.3: waiting for a sleeper ends at once if one sleeps, and else when one does, or the task is cancelled")
  func waitingForSleep() async throws {
    try await clock.waitForSleep(0)
    let waiter = Task { [clock, log] in
      try await clock.waitForSleep(2)
      log.add("two sleep")
    }
    let first = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleep()
    try await clock.waitForSleep()
    #expect(log.take() == [])
    let second = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await waiter.value
    #expect(log.take() == ["two sleep"])
    clock.advance(by: .seconds(1))
    try await first.value
    try await second.value

    let hopeless = Task { [clock] in try await clock.waitForSleep() }
    hopeless.cancel()
    await #expect(throws: CancellationError.self) { try await hopeless.value }
  }

  @Test("TST.3: sleepers whose time comes at once wake in the order of their deadlines, and then of their coming")
  func order() async throws {
    let executor = SerialTasks()
    let tasks = [3, 1, 2, 1].enumerated().map { index, seconds in
      Task(executorPreference: executor) { [clock, log] in
        try await clock.sleep(for: .seconds(seconds))
        log.add("\(index)")
      }
    }
    executor.work.runAll()
    #expect(clock.pendingSleeps == [instant(1), instant(1), instant(2), instant(3)])
    clock.advance(by: .seconds(3))
    executor.work.runAll()
    #expect(log.take() == ["1", "3", "2", "0"])
    for task in tasks { try await task.value }
  }

  @Test("TST.3: what a rate limit defers is enqueued when the clock has been advanced, without a task")
  func rateLimit() throws {
    let (executor, order) = (KVManualExecutor(), Order())
    let token = try order.observe("number") { [log] in log.add("\($0.new ?? "")") }
      .limited(by: .debounce(for: .seconds(3), clock: clock, on: executor))
    order.number = 2
    clock.advance(by: .seconds(2))
    order.number = 3
    clock.advance(by: .seconds(2))
    #expect(executor.runAll() == 0 && clock.pendingSleeps == [instant(5)])
    clock.advance(by: .seconds(1))
    #expect(executor.runAll() == 1 && clock.pendingSleeps == [])
    #expect(log.take() == ["3"])
    token.cancel()
  }

  @Test("TST.3: a rate limit that defers a change counts as a sleeper")
  func sleepingRateLimit() async throws {
    let (executor, order) = (KVManualExecutor(), Order())
    let token = try order.observe("number") { _ in }.limited(by: .debounce(for: .zero, clock: clock, on: executor))
    order.number = 2
    try await clock.waitForSleep()
    token.cancel()
    #expect(clock.pendingSleeps == [])
  }

  @Test("TST.3: advancing with an executor stops at each deadline, and runs what is due and what that defers")
  func running() throws {
    let (executor, order) = (KVManualExecutor(), Order())
    let token = try order.observe("number") { [clock, log, order] change in
      log.add("\(change.new ?? "") at \(clock.now)")
      if order.number < 4 { order.number += 1 }
    }.limited(by: .throttle(for: .seconds(1), clock: clock, on: executor))
    order.number = 2
    #expect(clock.advance(by: .milliseconds(2500), running: executor) == 3)
    #expect(log.take() == ["2 at 0.0 seconds", "3 at 1.0 seconds", "4 at 2.0 seconds"])
    #expect(clock.now.offset == .milliseconds(2500))
    order.number = 9
    #expect(clock.advance(by: .zero, running: executor) == 0)
    #expect(clock.advance(by: .milliseconds(500), running: executor) == 1)
    #expect(log.take() == ["9 at 3.0 seconds"])
    token.cancel()
  }

  @Test("TST.3: advancing by nothing runs what is due already")
  func runningNow() throws {
    let (executor, order) = (KVManualExecutor(), Order())
    let token = try order.observe("number") { [log] in log.add("\($0.new ?? "")") }
      .limited(by: .debounce(for: .zero, clock: clock, on: executor))
    order.number = 2
    #expect(executor.runAll() == 0)
    #expect(clock.advance(by: .zero, running: executor) == 1)
    #expect(log.take() == ["2"])
    token.cancel()
  }

  @Test("TST.3: work that becomes due without end stops at the limit, in one failure at the caller's line")
  func endless() throws {
    let (executor, order) = (KVManualExecutor(), Order())
    let token = try order.observe("number") { [order] _ in order.number += 1 }
      .limited(by: .debounce(for: .zero, clock: clock, on: executor))
    order.number = 2
    var failures = KVFailureReporter.capturing { clock.advance(by: .seconds(1), running: executor, limit: 20) }
    var line = #line - 1
    #expect(
      failures.map(\.brief) == [
        "\(line): Time does not pass: the clock has stopped 20 times, and stands at 0.0 seconds of 1.0 seconds."
      ])
    token.cancel()
    @Sendable func again(_ executor: KVManualExecutor) { executor.enqueue { again(executor) } }
    again(executor)
    failures = KVFailureReporter.capturing { clock.advance(by: .seconds(1), running: executor, limit: 20) }
    line = #line - 1
    #expect(
      failures.map(\.brief) == ["\(line): The work does not come to an end: 20 pieces were run, and 1 wait."])
    #expect(executor.discardAll() == 1)
  }
}

/// Runs tasks when the test says so, in order.
private final class SerialTasks: TaskExecutor {
  let work = KVManualExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.enqueue { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
