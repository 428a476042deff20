import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("COA.10 debounce and throttle")
struct RateLimitTests {
  private let clock = KVManualClock()
  private let executor = KVManualExecutor()
  private let model = Villager("Ada")

  private var debounce: KVRateLimit { .debounce(for: .seconds(3), clock: clock, on: executor) }
  private var throttle: KVRateLimit { .throttle(for: .seconds(3), clock: clock, on: executor) }

  /// Advances the clock when somebody sleeps, and runs the work that this causes.
  private func advance(_ seconds: Int, expectingWork: Bool = true) async throws {
    try await clock.waitForSleep()
    clock.advance(by: .seconds(seconds))
    guard expectingWork else { return }
    while !executor.runNext() { await Task.yield() }
    executor.runAll()
  }

  @Test("COA.10 a debounced handler gets one change, with the first old and the last new value, after a pause")
  func debouncedHandler() async throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .initial]) { lines.append(brief($0)) }
      .limited(by: debounce)
    #expect(lines.count == 1)
    lines = []
    model.name = "B"
    try await advance(2, expectingWork: false)
    model.name = "C"
    #expect(lines.isEmpty)
    // The third second has passed since the first change, but not since the second one.
    try await advance(1, expectingWork: false)
    try await advance(2)
    #expect(lines == ["name setting Ada → C"])
    model.name = "D"
    try await advance(3)
    #expect(lines.last == "name setting C → D")
    token.cancel()
  }

  @Test("COA.10 a throttled handler gets the first change at once, and then one for each interval, with the last value")
  func throttledHandler() async throws {
    var lines: [String] = []
    let token = try model.observe("name") { lines.append(brief($0)) }.limited(by: throttle)
    model.name = "B"
    executor.runAll()
    #expect(lines == ["name setting Ada → B"])
    model.name = "C"
    model.name = "D"
    executor.runAll()
    #expect(lines.count == 1)
    try await advance(3)
    #expect(lines == ["name setting Ada → B", "name setting B → D"])
    clock.advance(by: .seconds(3))
    model.name = "E"
    executor.runAll()
    #expect(lines.last == "name setting D → E")
    token.cancel()
  }

  @Test("COA.10 another limit takes over what the first one has deferred")
  func replaced() async throws {
    var lines: [String] = []
    let token = try model.observe("name") { lines.append(brief($0)) }
    token.limited(by: .debounce(for: .seconds(60), clock: clock, on: executor))
    model.name = "B"
    token.limited(by: debounce)
    model.name = "C"
    try await advance(3)
    #expect(lines == ["name setting Ada → C"])
    token.cancel()
  }

  @Test("COA.10 cancelling drops what is deferred, and so does pausing; prior records are not deferred")
  func ends() async throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .prior]) { lines.append(brief($0)) }
      .limited(by: debounce)
    model.name = "B"
    #expect(lines.count == 1)
    token.pause()
    try await advance(3)
    token.resume()
    #expect(lines.count == 1)
    model.name = "C"
    token.cancel()
    clock.advance(by: .seconds(10))
    executor.runAll()
    #expect(lines.count == 2)
  }

  @Test("COA.10 a handler whose owner is gone is not called; a deferred change keeps its object")
  func owners() async throws {
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
    clock.advance(by: .seconds(10))
    executor.runAll()
    #expect(calls == 0)
  }

  @Test("COA.10 actions, typed handlers, elements, and the insertions of one path")
  func kinds() async throws {
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
    try await clock.waitForSleep(2)
    try await advance(3)
    while log.count < 2 {
      executor.runAll()
      await Task.yield()
    }
    #expect(log.contains("typed Ada C"))
    #expect(log.contains { $0.hasPrefix("rows insertion") && $0.contains("a") && $0.contains("b") })
    tokens.forEach { $0.cancel() }
  }

  @Test("COA.10, COA.5 what a coalescing scope delivers at its end is limited, too")
  func coalesced() async throws {
    var lines: [String] = []
    let token = try model.observe("name", options: [.old, .new, .coalesced]) { lines.append(brief($0)) }
      .limited(by: debounce)
    KVCoalescing.coalesce {
      model.name = "B"
      model.name = "C"
    }
    #expect(lines.isEmpty)
    try await advance(3)
    #expect(lines == ["name setting Ada → C"])
    token.cancel()
  }

  @Test("COA.10 a sequence gets the merged changes")
  func sequence() async throws {
    let changes = try model.changes(of: "name", as: String.self).limited(by: debounce)
    model.name = "B"
    model.name = "C"
    try await advance(3)
    var iterator = changes.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.old == "Ada" && change?.new == "C")
  }

  @Test("COA.10 a debounced binding propagates the last value after a pause, in both directions")
  func binding() async throws {
    let field = Villager("field")
    let binding = try executor.running {
      try field.bind("name", to: "name", of: model, options: .init(.twoWay, concurrency: .limited(debounce)))
    }
    #expect(field.name == "Ada")
    field.name = "B"
    field.name = "C"
    #expect(model.name == "Ada" && binding.hasPendingEdit)
    try await advance(3)
    #expect(model.name == "C" && !binding.hasPendingEdit)
    model.name = "D"
    try await advance(3)
    #expect(field.name == "D")
    field.name = "E"
    binding.cancel()
    clock.advance(by: .seconds(10))
    executor.runAll()
    #expect(model.name == "D")
  }

  @Test("COA.10, BND.13 a deferred edit belongs to the object for which it was made; commit propagates it at once")
  func movedEdit() async throws {
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

  @Test("COA.10, BND.13 an edit that a transaction puts back is deferred again")
  func rolledBackEdit() async throws {
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
    try await advance(3)
    #expect(bob.name == "for Bob" && eve.name == "Eve" && !binding.hasPendingEdit)
    binding.cancel()
  }

  @Test("COA.10, BND.13 to the source only, the new object gets the target's value when the limit allows it")
  func movedEditToSource() async throws {
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
    try await advance(3)
    #expect(eve.name == "typed" && !binding.hasPendingEdit)
    binding.cancel()
  }

  @Test("COA.10, BND.12 the first value and that of a call are read by the caller, and set by the executor")
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

  @Test("COA.10 an element that is added while another thread sets the limit has it")
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
