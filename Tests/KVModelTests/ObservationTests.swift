import KVBinding
import Observation
import Synchronization
import Testing

/// Models that take part in Swift's Observation (OBV.1).
@Suite struct ObservationTests {
  @KVModel(.observation) class Basket: KVObject, Observable {
    var lines: [Line] = []
    var limit = 5 { didSet { if limit > 10 { limit = 10 } } }
    weak var clerk: Basket?
    private var factor = 2.0
    var total: Double { lines.reduce(0) { $0 + $1.price } * factor }
    var code: String {
      get { storedCode }
      set { withChange(forKey: "code") { storedCode = newValue } }
    }
    @KVIgnored var storedCode = ""

    func halve() { factor /= 2 }
  }

  @KVModel(.observation) final class Gift: Basket {
    var card = ""
    var cover: String { "\(card) \(limit)" }
  }

  @KVModel(.observation, .root) final class Box<Content>: Observable {
    var content: Content
    init(_ content: Content) { self.content = content }
  }

  @MainActor @KVModel(.observation) final class Panel: KVObject, Observable {
    var title = ""
    nonisolated override init() { super.init() }
  }

  /// Returns how often Observation reports a change of what a closure reads: once at most.
  private func reports(reading read: () throws -> Void, changing change: () throws -> Void) throws -> Int {
    let count = Counter()
    let result = withObservationTracking {
      Result { try read() }
    } onChange: {
      count.value.add(1, ordering: .relaxed)
    }
    try result.get()
    try change()
    return count.value.load(ordering: .relaxed)
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  @Test("OBV.1: reads and changes are known key by key, in Swift and by key")
  func keys() throws {
    let gift = Gift()
    #expect(try reports(reading: { _ = gift.limit }, changing: { gift.limit = 6 }) == 1)
    #expect(try reports(reading: { _ = gift.limit }, changing: { gift.lines.append(Line()) }) == 0)
    #expect(try reports(reading: { _ = gift.lines }, changing: { gift.lines[0].price = 2 }) == 1)
    #expect(try reports(reading: { _ = gift.card }, changing: { gift.card = "x" }) == 1)
    #expect(try reports(reading: { _ = gift.clerk }, changing: { gift.clerk = gift }) == 1)
    #expect(
      try reports(
        reading: { _ = try gift.value(forKey: "limit") }, changing: { try gift.setValue(7, forKeyPath: "limit") }) == 1)
    #expect(
      try reports(
        reading: { _ = try gift.value(forKeyPath: "lines.price") },
        changing: { try gift.mutableArray(forKey: "lines").remove(at: 0) }) == 1)
  }

  @Test("OBV.1: generic, root and isolated classes take part") @MainActor
  func kinds() throws {
    let box = Box([1])
    #expect(try reports(reading: { _ = box.content }, changing: { box.content.append(2) }) == 1)
    let panel = Panel()
    #expect(try reports(reading: { _ = panel.title }, changing: { try panel.setValue("x", forKey: "title") }) == 1)
    #expect(panel.title == "x" && Panel.keyTable.keys.map(\.name) == ["title"])
  }

  @Test("OBV.1: computed keys are tracked through what they read, also through a superclass and private properties")
  func computed() throws {
    let gift = Gift()
    gift.lines = [Line(title: "a", price: 1)]
    #expect(try reports(reading: { _ = gift.total }, changing: { gift.halve() }) == 1)
    #expect(
      try reports(reading: { _ = try gift.value(forKey: "total") }, changing: { gift.lines[0].price = 3 }) == 1)
    #expect(try reports(reading: { _ = gift.cover }, changing: { gift.limit = 3 }) == 1)
    #expect(try reports(reading: { _ = gift.cover }, changing: { gift.lines = [] }) == 0)
  }

  @Test("OBV.1: a change notifies both worlds once; Observation before it, observers by key after it")
  func both() throws {
    let gift = Gift()
    let log = Mutex<[String]>([])
    func note(_ text: String) { log.withLock { $0.append(text) } }
    let token = try gift.observe("limit") { note("key \($0.new ?? "")") }
    withObservationTracking {
      _ = gift.limit
    } onChange: {
      log.withLock { $0.append("observation") }
    }
    gift.limit = 20
    gift.limit = 1
    token.cancel()
    #expect(log.withLock { $0 } == ["observation", "key 10", "key 1"])
    #expect(try #require(gift.value(forKey: "limit") as? Int) == 1)
  }

  @Test("OBV.1: a manual notification is for observers by key alone")
  func manual() throws {
    let basket = Basket()
    let count = Counter()
    let token = try basket.observe("code") { _ in count.value.add(1, ordering: .relaxed) }
    #expect(try reports(reading: { _ = basket.code }, changing: { basket.code = "x" }) == 0)
    token.cancel()
    #expect(count.value.load(ordering: .relaxed) == 1)
  }

  @Test("OBV.1: the registrar is no key")
  func registrar() throws {
    let names = try KVC.keys(of: Gift()).map(\.name)
    #expect(!names.contains { $0.contains("bservation") }, "\(names)")
  }

  @Test("OBV.1: Observations delivers the values of a computed key") @MainActor
  func sequence() async throws {
    let panel = Panel()
    var seen: [String] = []
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let task = Task { @MainActor in
        for await title in Observations({ panel.title }) {
          seen.append(title)
          if title == "end" { return }
          panel.title = "end"
        }
      }
      await task.value
      #expect(seen == ["", "end"])
    }
  }
}
