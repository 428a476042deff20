import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("COA.10: debounce and throttle")
struct RateLimitTests {
  private let clock = KVManualClock()
  private let executor = KVManualExecutor()
  private let model = Villager("Ada")

  private var debounce: KVRateLimit { .debounce(for: .seconds(3), clock: clock, on: executor) }
  private var throttle: KVRateLimit { .throttle(for: .seconds(3), clock: clock, on: executor) }

  /// Advances the clock, and runs the work that becomes due.
  private func advance(_ seconds: Int) { clock.advance(by: .seconds(seconds), running: executor) }

  @Test("COA.10: a debounced handler gets one change, with the first old and the last new value, after a pause")
  func debouncedHandler() throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .initial]) { lines.append(brief($0)) }
      .limited(by: debounce)
    #expect(lines.count == 1)
    lines = []
    model.name = "B"
    advance(2)
    model.name = "C"
    #expect(lines.isEmpty)
    // The third second has passed since the first change, but not since the second one.
    advance(1)
    advance(2)
    #expect(lines == ["name setting Ada → C"])
    model.name = "D"
    advance(3)
    #expect(lines.last == "name setting C → D")
    token.cancel()
  }

  @Test(
    "COA.10: a throttled handler gets the first change at once, and then one for each interval, with the last value")
  func throttledHandler() throws {
    var lines: [String] = []
    let token = try model.observe("name") { lines.append(brief($0)) }.limited(by: throttle)
    model.name = "B"
    executor.runAll()
    #expect(lines == ["name setting Ada → B"])
    model.name = "C"
    model.name = "D"
    executor.runAll()
    #expect(lines.count == 1)
    advance(3)
    #expect(lines == ["name setting Ada → B", "name setting B → D"])
    clock.advance(by: .seconds(3))
    model.name = "E"
    executor.runAll()
    #expect(lines.last == "name setting D → E")
    token.cancel()
  }

  @Test("COA.10: the paths of one observation share a timer: one change, that of the path that changed last")
  func severalPaths() throws {
    var lines: [String] = []
    let token = try model.observe(["name", "rows", "age"]) { lines.append(brief($0)) }.limited(by: debounce)
    model.name = "B"
    advance(2)
    model.age = 1
    model.name = "C"
    advance(2)
    #expect(lines.isEmpty)
    advance(1)
    #expect(lines == ["name setting Ada → C"])
    model.rows = ["a"]
    advance(3)
    #expect(lines.last == "rows setting [] → [a]" && lines.count == 2)
    token.limited(by: throttle)
    model.age = 2
    executor.runAll()
    #expect(lines.last == "age setting 1 → 2" && lines.count == 3)
    model.name = "D"
    model.age = 3
    advance(3)
    #expect(lines.last == "age setting 2 → 3" && lines.count == 4)
    advance(10)
    #expect(lines.count == 4)
    model.name = "E"
    token.cancel()
    advance(10)
    #expect(lines.count == 4 && clock.pendingSleeps.isEmpty)
  }

  @Test(
    "COA.10: one change for all forms of several paths: owners, actions, all keys; an equal last value is not distinct")
  func formsOfSeveralPaths() throws {
    var log: [String] = []
    let owner = Villager("owner")
    let recorder = Recorder { log.append($0) }
    try model.observe(["name", "age"], owner: owner) { _, change in log.append("owner \(change.keyPath)") }
      .limited(by: debounce)
    try model.addTarget(recorder, .save, forKeyPaths: ["name", "age"]).limited(by: debounce)
    let all = try model.observeAll { log.append("all \($0.keyPath)") }.limited(by: debounce)
    let distinct = try model.observe(["name", "age"], options: [.old, .new, .distinct]) {
      log.append("distinct \($0.keyPath)")
    }
    distinct.limited(by: debounce)
    model.name = "B"
    model.age = 1
    model.age = 0
    advance(3)
    #expect(log.sorted() == ["all age", "distinct name", "owner age", "save"])
    log = []
    model.age = 2
    model.name = "C"
    // "shout" depends on "name".
    model.removeTarget(recorder, .save, forKeyPaths: ["name"])
    advance(3)
    #expect(log.sorted() == ["all shout", "distinct name", "owner name", "save"])
    withExtendedLifetime((all, distinct, owner)) {}
  }

  @Test("COA.10: in an observation of elements, each element has its own timer")
  func elements() throws {
    let kids = [Villager("a"), Villager("b")]
    model.kids = kids
    var lines: [String] = []
    let token = try model.observeElements(of: "kids", "name") { lines.append(brief($0)) }.limited(by: debounce)
    kids[0].name = "c"
    advance(2)
    kids[1].name = "d"
    advance(1)
    #expect(lines == ["name setting a → c"])
    advance(2)
    #expect(lines == ["name setting a → c", "name setting b → d"])
    token.cancel()
  }

  @Test("COA.10: with a clock that lets tasks sleep, and at once with one that cannot")
  func sleepingClock() async throws {
    var lines: [String] = []
    let token = try model.observe("name") { lines.append(brief($0)) }
    token.limited(by: .debounce(for: .seconds(3), clock: SleepingClock(manual: clock), on: executor))
    model.name = "B"
    try await clock.waitForSleep()
    clock.advance(by: .seconds(2))
    model.name = "C"
    clock.advance(by: .seconds(1))
    // The task has woken, and sleeps again.
    while clock.pendingSleeps.first?.offset != .seconds(5) { await Task.yield() }
    executor.runAll()
    #expect(lines.isEmpty)
    clock.advance(by: .seconds(2))
    while !executor.runNext() { await Task.yield() }
    #expect(lines == ["name setting Ada → C"])
    model.name = "D"
    try await clock.waitForSleep()
    token.cancel()
    while !clock.pendingSleeps.isEmpty { await Task.yield() }
    let sleepless = try model.observe("name") { lines.append(brief($0)) }
    sleepless.limited(by: .debounce(for: .seconds(3), clock: SleepingClock(manual: nil), on: executor))
    model.name = "E"
    while !executor.runNext() { await Task.yield() }
    #expect(lines.last == "name setting D → E")
    sleepless.cancel()
  }

  @Test("COA.10: another limit takes over what the first one has deferred")
  func replaced() throws {
    var lines: [String] = []
    let token = try model.observe("name") { lines.append(brief($0)) }
    token.limited(by: .debounce(for: .seconds(60), clock: clock, on: executor))
    model.name = "B"
    token.limited(by: debounce)
    model.name = "C"
    advance(3)
    #expect(lines == ["name setting Ada → C"])
    token.cancel()
  }

  @Test("COA.10: cancelling drops what is deferred, and so does pausing; prior records are not deferred")
  func ends() throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .prior]) { lines.append(brief($0)) }
      .limited(by: debounce)
    model.name = "B"
    #expect(lines.count == 1)
    token.pause()
    advance(3)
    token.resume()
    #expect(lines.count == 1)
    model.name = "C"
    token.cancel()
    advance(10)
    #expect(lines.count == 2)
  }

  @Test("COA.10: a handler whose owner is gone is not called; a deferred change keeps its object")
  func owners() throws {
    var calls = 0
    var owner: AnyObject? = Villager("owner")
    var object: Villager? = Villager("Eve")
    weak let weakObject = object
    try object?.observe("name", owner: try #require(owner)) { _, _ in calls += 1 }.limited(by: debounce)
    object?.name = "x"
    object = nil
    #expect(weakObject != nil)
    owner = nil
    #expect(weakObject == nil)
    advance(10)
    #expect(calls == 0)
  }

  @Test("COA.10: actions, typed handlers, elements, and the insertions of one path")
  func kinds() throws {
    var log: [String] = []
    let next = Villager("N")
    model.next = next
    let tokens = [
      try model.observe("name", as: String.self) { log.append("typed \($0.old ?? "") \($0.new ?? "")") },
      try model.observe("rows") { log.append(brief($0)) },
    ]
    for token in tokens { token.limited(by: debounce) }
    model.name = "B"
    model.name = "C"
    let rows = model.mutableArray(forKey: "rows")
    try rows.append("a")
    try rows.append("b")
    #expect(log.isEmpty)
    advance(3)
    #expect(log.count == 2 && log.contains("typed Ada C"))
    #expect(log.contains { $0.hasPrefix("rows insertion") && $0.contains("a") && $0.contains("b") })
    tokens.forEach { $0.cancel() }
  }

  @Test("COA.10, COA.5: what a coalescing scope delivers at its end is limited, too")
  func coalesced() throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .coalesced]) { lines.append(brief($0)) }
      .limited(by: debounce)
    KVCoalescing.coalesce {
      model.name = "B"
      model.name = "C"
    }
    #expect(lines.isEmpty)
    advance(3)
    #expect(lines == ["name setting Ada → C"])
    token.cancel()
  }

  @Test("COA.10: a sequence gets the merged changes")
  func sequence() async throws {
    let changes = try model.changes(of: "name", as: String.self).limited(by: debounce)
    model.name = "B"
    model.name = "C"
    advance(3)
    var iterator = changes.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.old == "Ada" && change?.new == "C")
  }

  @Test("COA.10: a debounced binding propagates the last value after a pause, in both directions")
  func binding() throws {
    let field = Villager("field")
    let binding = try executor.running {
      try field.bind("name", to: "name", of: model, options: .init(.twoWay, concurrency: .limited(debounce)))
    }
    #expect(field.name == "Ada")
    field.name = "B"
    field.name = "C"
    #expect(model.name == "Ada" && binding.hasPendingEdit)
    advance(3)
    #expect(model.name == "C" && !binding.hasPendingEdit)
    model.name = "D"
    advance(3)
    #expect(field.name == "D")
    field.name = "E"
    binding.cancel()
    advance(10)
    #expect(model.name == "D")
  }

  @Test("COA.10, BND.13: a deferred edit belongs to the object for which it was made; commit propagates it at once")
  func movedEdit() throws {
    let field = Villager("field")
    let (bob, eve) = (Villager("Bob"), Villager("Eve"))
    model.next = bob
    let binding = try executor.running {
      try field.bind("name", to: "next.name", of: model, options: .init(.twoWay, concurrency: .limited(debounce)))
    }
    field.name = "for Bob"
    executor.running { model.next = eve }
    executor.runAll()
    #expect(bob.name == "for Bob" && eve.name == "Eve" && field.name == "Eve")
    field.name = "for Eve"
    try executor.running { try binding.commit() }
    #expect(eve.name == "for Eve" && !binding.hasPendingEdit)
    binding.cancel()
  }

  @Test("COA.10, BND.13: an edit that a transaction puts back is deferred again")
  func rolledBackEdit() throws {
    let field = Villager("field")
    let (bob, eve) = (Villager("Bob"), Villager("Eve"))
    model.next = bob
    let binding = try executor.running {
      try field.bind("name", to: "next.name", of: model, options: .init(.twoWay, concurrency: .limited(debounce)))
    }
    field.name = "for Bob"
    executor.running {
      #expect(throws: ScopeFailure.self) {
        try KVTransaction.run {
          try model.setValue(eve, forKey: "next")
          #expect(bob.name == "for Bob" && field.name == "Eve")
          throw ScopeFailure()
        }
      }
    }
    executor.runAll()
    #expect(model.next === bob && bob.name == "Bob" && field.name == "for Bob" && binding.hasPendingEdit)
    advance(3)
    #expect(bob.name == "for Bob" && eve.name == "Eve" && !binding.hasPendingEdit)
    binding.cancel()
  }

  @Test("COA.10, BND.13: to the source only, the new object gets the target's value when the limit allows it")
  func movedEditToSource() throws {
    let field = Villager("field")
    let (bob, eve) = (Villager("Bob"), Villager("Eve"))
    model.next = bob
    let binding = try executor.running {
      try field.bind("name", to: "next.name", of: model, options: .init(.toSource, concurrency: .limited(debounce)))
    }
    field.name = "typed"
    executor.running { model.next = eve }
    executor.runAll()
    #expect(bob.name == "typed" && eve.name == "Eve" && binding.hasPendingEdit)
    advance(3)
    #expect(eve.name == "typed" && !binding.hasPendingEdit)
    binding.cancel()
  }

  @Test("COA.10, BND.12: the first value and that of a call are read by the caller, and set by the executor")
  func readByCaller() throws {
    let field = Villager("field")
    let transformed = Mutexed<[String]>([])
    let transformer = KVTransformer(
      forward: { (name: String) in
        transformed.withLock { $0.append(name) }
        return name
      }, reverse: { (name: String) in name })
    let binding = try field.bind(
      "name", to: "name", of: model,
      options: .init(.twoWay, transformer: transformer, concurrency: .limited(debounce)))
    #expect(transformed.withLock { $0 } == ["Ada"] && field.name == "field")
    executor.runAll()
    #expect(field.name == "Ada")
    field.name = "typed"
    try binding.commit()
    #expect(model.name == "Ada" && !binding.hasPendingEdit)
    executor.runAll()
    #expect(model.name == "typed")
    binding.cancel()
  }

  @Test("COA.10: an element that is added while another thread sets the limit has it")
  func elementAddedMeanwhile() throws {
    for _ in 0..<200 {
      let (group, kid) = (Villager("group"), Villager("kid"))
      let calls = Mutexed(0)
      let token = try group.observeElements(of: "kids", "name") { _ in calls.withLock { $0 += 1 } }
      let shared = KVUncheckedSendable((group, kid))
      WorkerThread.run([
        { [debounce] in token.limited(by: debounce) }, { shared.value.0.kids = [shared.value.1] },
      ])
      kid.name = "changed"
      #expect(calls.withLock { $0 } == 0)
      token.cancel()
    }
  }
}

extension KVManualExecutor {
  /// Calls a function as work of the executor.
  @discardableResult
  fileprivate func running<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(body) { body in
      let shared = KVUncheckedSendable(body)
      let outcome = KVUncheckedSendable(Outcome<Result>())
      enqueue { outcome.value.result = Swift.Result { try shared.value() } }
      runAll()
      guard let result = outcome.value.result else { preconditionFailure("the executor has not run") }
      return try result.get()
    }
  }
}

private final class Outcome<Value> {
  var result: Result<Value, any Error>?
}

/// A clock that is no `SchedulingClock`, and cannot sleep without a manual one.
private struct SleepingClock: Clock {
  let manual: KVManualClock?

  var now: KVManualClock.Instant { manual?.now ?? KVManualClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: KVManualClock.Instant, tolerance: Duration?) async throws {
    guard let manual else { throw ScopeFailure() }
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }
}

private final class Recorder {
  let record: (String) -> Void
  init(_ record: @escaping (String) -> Void) { self.record = record }
}

extension KVAction<Recorder> {
  fileprivate static var save: KVAction { KVAction("save") { $0.record("save") } }
}
