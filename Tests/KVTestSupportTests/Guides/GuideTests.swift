import Foundation
import KVTestSupport
import Testing

/// The code of Docs/Testing.md.
@Suite("Docs/Testing.md")
struct GuideTests {
  private let order = Order()
  private let tea = Item(title: "tea", price: 4.5)
  private let cups = Item(title: "cups", price: 18)

  @Test("TST.2: recording")
  func recording() throws {
    let log = try recordChanges(of: order, "items", "total") { order.items.append(tea) }
    print(log)
    #expect(try guide.contains("\(log)"))

    let recorder = try KVChangeRecorder(of: order, "total")
    order.items.append(cups)
    recorder.expect([.set("total", from: 4.5, to: 22.5)])
    order.number = 7
    recorder.expect([])
  }

  @Test("TST.2: expecting changes")
  func changes() throws {
    expectChanges(of: order, [.set("items", to: [tea]), .set("total", from: 0, to: 4.5)]) {
      order.items.append(tea)
    }
    expectCompliant { Order() }

    try expectChanges(of: order, [.inserted([cups], into: "items", at: [1]), .set("total")]) {
      try order.mutableArray(forKey: "items").append(cups)
    }

    expectChanges(of: order, [.set("discount", to: 10)], watching: ["number"]) { order.discount = 10 }

    expectChanges(of: order, [.set("total", to: 0)], matching: .nonExhaustive) {
      order.discount = 50
      order.items = []
    }
  }

  @Test("TST.2: the difference that the guide shows")
  func difference() throws {
    let failures = KVFailureReporter.capturing {
      expectChanges(of: order, [.set("number", to: 2), .set("total", from: 0, to: 4.5)]) {
        order.number = 2
        order.items.append(Item(title: "tea", price: 4))
      }
    }
    for failure in failures { #expect(try guide.contains(failure.message), "\(failure.message)") }
    #expect(failures.count == 1)
  }

  @Test("TST.2: expecting changes that are still to come")
  func changesToCome() async {
    let shared = KVUncheckedSendable(order)
    await expectChanges(of: order, [.set("number", to: 2)], within: .seconds(60)) {
      Task.detached { shared.value.number = 2 }
    }
  }

  @Test("TST.2: expecting no change")
  func noChange() {
    expectNoChange(of: order, "total") { order.number = 7 }
    expectNoChange(of: order) { _ = order.total }
  }

  @Test("TST.2: expecting a change, sooner or later")
  func change() async {
    let shared = KVUncheckedSendable(order)
    await expectChange(of: order, "discount", to: 5, within: .seconds(60)) {
      DispatchQueue.global().async { shared.value.discount = 5 }
    }
    await expectChange(of: order, "discount", where: { ($0 as? Int ?? 0) > 3 })
    await expectChange(of: order, "discount", to: 5, acceptsCurrentValue: false) { order.discount = 5 }
  }

  @Test("TST.2: coalescing")
  func coalesced() {
    expectCoalesced(of: order, .set("total", from: 0, to: 9)) {
      KVCoalescing.coalesce {
        order.items = [cups]
        order.discount = 50
      }
    }
  }

  @Test("TST.2: bindings")
  func bindings() throws {
    let label = Label()
    let title = KVTransformer(forward: { (number: Int) in "No. \(number)" })
    let binding = try label.bind("text", to: "number", of: order, options: .init(transformer: title))
    order.number = 8
    expectConsistent(binding)
    expectConsistent(bindingsOf: label)

    expectNoBindingErrors { order.number = 9 }
    expectNoBindingErrors(of: label) { order.number = 10 }
  }

  @Test("TST.2: compliance")
  func compliance() throws {
    expectCompliant { Order() }

    expectCompliant(values: ["number": 12], ignoring: ["setterNotObservable": ["note"]]) {
      let order = AnnotatedOrder()
      order.items = [tea, cups]
      return order
    }

    let violations = try KVCompliance.violations { AnnotatedOrder() }
    for violation in violations { #expect(try guide.contains("\(violation)"), "\(violation)") }
    #expect(violations.map(\.kind) == [.setterNotObservable])
  }

  @Test("TST.2: lifetimes")
  func lifetimes() throws {
    expectReleased {
      let order = Order()
      order.items.append(tea)
      return order
    }

    var order: Order? = Order()
    let token = try order?.observe("number") { _ in }
    expectReleased(&order)
    #expect(token?.isActive == false)

    let copy = Order()
    let binding = try copy.bind("number", to: "number", of: self.order)
    binding.cancel()
    expectNoObserversLeft(on: copy)
    expectNoObserversLeft(on: self.order)

    let tracker = KVLifetimeTracker()
    for number in 1...3 { tracker.track(Order(), "order \(number)") }
    tracker.expectAllReleased()
  }

  @Test("TST.3: execution by hand")
  func execution() throws {
    let copy = Order()
    let executor = KVManualExecutor()
    try copy.bind("number", to: "number", of: order, options: .init(concurrency: .dispatched(executor)))
    order.number = 2
    #expect(copy.number == 1)
    executor.runAll()
    #expect(copy.number == 2)
  }

  @Test("TST.3: time by hand")
  func time() async throws {
    let clock = KVManualClock()
    async let failures = KVFailureReporter.capturing {
      await expectChange(of: Order(), "number", to: 2, within: .seconds(30), clock: clock)
    }
    try await clock.waitForSleep()
    clock.advance(by: .seconds(30))
    #expect(await failures.count == 1)
  }

  @Test("TST.3: rate limits by hand")
  func rateLimits() throws {
    let clock = KVManualClock()
    let executor = KVManualExecutor()
    let limit = KVRateLimit.debounce(for: .milliseconds(300), clock: clock, on: executor)
    var saved: [Int] = []
    let token = try order.observe(["number", "discount"]) { _ in saved.append(order.number) }.limited(by: limit)
    order.number = 2
    clock.advance(by: .milliseconds(200), running: executor)
    order.number = 3
    order.discount = 10
    clock.advance(by: .milliseconds(200), running: executor)
    #expect(saved == [])  // 200 ms after the last change
    clock.advance(by: .milliseconds(100), running: executor)
    #expect(saved == [3])
    token.cancel()
  }

  @Test("TST.3: races")
  func races() throws {
    race({ Order() }, { $0.number = 1 }, { order in _ = try? order.observe("number") { _ in } })
  }

  @Test("TST.3: fixtures, and records by hand")
  func fixtures() throws {
    let person = KVFixtures.Person.sample()
    #expect(try person.value(forKeyPath: "friends.@count", as: Int.self) == 2)

    let change = KVChange(object: order, keyPath: "number", old: 1, new: 2)
    #expect("\(change)" == "number: setting 1 → 2")
  }

  @Test("TST.1: another framework")
  func reporter() {
    let failures = KVFailureReporter.capturing {
      expectNoChange(of: order, "number") { order.number = 2 }
    }
    #expect(failures.first?.message.hasPrefix("Order told of a change") == true)
  }

  func expectTotal(
    _ total: Double, of order: Order, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, during body: () -> Void
  ) {
    expectChanges(
      of: order, [.set("total", to: total)], matching: .nonExhaustive, fileID: fileID, filePath: filePath, line: line,
      column: column, during: body)
  }

  @Test("TST.1: helpers of one's own pass the location of their caller on")
  func helpers() {
    expectTotal(4.5, of: order) { order.items = [tea] }
    let failures = KVFailureReporter.capturing {
      expectTotal(5, of: order) { order.items = [] }
    }
    #expect(failures.map(\.location.line) == [#line - 2])
  }

  // MARK: The guide itself

  private let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardizedFileURL

  private var guide: String {
    get throws { try String(contentsOf: root.appending(path: "Docs/Testing.md"), encoding: .utf8) }
  }

  @Test("TST.2: each block of code of the guide is code that a test compiles")
  func blocks() throws {
    let sources = try ["Tests/KVTestSupportTests/Guides", "Examples/Downstream"].map { root.appending(path: $0) }
      .flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
          .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
          .map { lines(of: try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
      }
    var blocks: [[String]] = []
    var block: [String]?
    for line in lines(of: try guide) {
      switch (line, block) {
      case ("```swift", _): block = []
      case ("```", let full?):
        blocks.append(full)
        block = nil
      default: block?.append(line)
      }
    }
    #expect(blocks.count > 25)
    for block in blocks {
      #expect(sources.contains { $0.contains(block) }, "no test has this code:\n\(block.joined(separator: "\n"))")
    }
  }

  @Test("TST.2: each helper has its section in the guide")
  func sections() throws {
    let folder = root.appending(path: "Sources/KVTestSupport")
    var names: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      names.formUnion(
        text.matches(of: #/\npublic func (\w+)|\npublic final class (\w+)/#).compactMap { $0.1 ?? $0.2 }.map {
          String($0)
        })
    }
    #expect(names.count > 14)
    let guide = try guide
    for name in names.union(["KVChangeExpectation", "KVFixtures", "KVFailureReporter", "KVChange"]) {
      #expect(guide.contains(try Regex("\n###? [^\n]*`\(name)`")), "\(name) has no section")
    }
  }

  /// The lines of a text, without the spaces around them, and without empty ones.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
