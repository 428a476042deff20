import KVBinding
import KVCore
import TestModels
import Testing

@Suite("DEP.1, DEP.2, DEP.3: keys that depend on keys of the same object")
struct DependentKeyTests {
  private let order = Order()
  private let log = ChangeLines()

  @Test("DEP.1: a change of each source is reported as a setting of the dependent key, however it is made")
  func sources() throws {
    let token = try log.watch(order, "total")
    order.price = 3
    try order.setValue(2, forKey: "count")
    order.withChange(forKey: "count") { order.count = 4 }
    #expect(log.take() == ["total setting 1.0 → 3.0", "total setting 3.0 → 6.0", "total setting 6.0 → 12.0"])
    token.cancel()
    order.price = 9
    #expect(log.lines == [])
  }

  @Test("DEP.2: chains: each observer is notified of each dependent once")
  func chains() throws {
    let tokens = [
      try log.watch(order, "label"), try log.watch(order, "gross"), try log.watch(order, "total"),
      try log.watch(order, "label", [], as: "again"),
    ]
    order.price = 2
    #expect(
      log.lines.sorted() == [
        "again: label setting nil → nil", "gross setting 2.0 → 4.0", "label setting 2.0 € → 4.0 €",
        "total setting 1.0 → 2.0",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.2: diamonds: once, and never with a half-updated value")
  func diamonds() throws {
    let token = try log.watch(order, "sum", [.old, .new, .prior])
    order.price = 2
    #expect(log.take() == ["sum setting prior 3.0 → nil", "sum setting 3.0 → 6.0"])
    // What it is made of is up to date in every handler, of whichever key.
    let other = try order.observe("total", options: []) { [order, log] _ in
      log.add("\(order.total) \(order.gross) \(order.total + order.gross)")
    }
    order.price = 3
    #expect(log.lines.contains("3.0 6.0 9.0"))
    token.cancel()
    other.cancel()
  }

  @Test("DEP.2: a diamond of many keys notifies once, and a cycle of many ends")
  func manyDiamonds() throws {
    let wide = WideModel()
    let tokens = [try log.watch(wide, "sum", []), try log.watch(wide, "k7", [])]
    wide.source = 2
    #expect(log.lines.sorted() == ["k7 setting nil → nil", "sum setting nil → nil"])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.2: a key that is declared to depend twice on one source is reported once")
  func twice() throws {
    let token = try log.watch(order, "twice")
    order.price = 2
    #expect(log.lines == ["twice setting 2.0 → 4.0"])
    token.cancel()
  }

  @Test("DEP.3: prior and old of a dependent and of its source, in the order of registration")
  func prior() throws {
    let tokens = [
      try log.watch(order, "total", [.old, .new, .prior]), try log.watch(order, "price", [.old, .new, .prior]),
    ]
    order.price = 5
    #expect(
      log.lines == [
        "total setting prior 1.0 → nil", "price setting prior 1.0 → nil", "total setting 1.0 → 5.0",
        "price setting 1.0 → 5.0",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.1: a dependent key with a setter, which sets its source: each is reported once a change")
  func settable() throws {
    let person = Villager("Ada")
    let tokens = [try log.watch(person, "shout"), try log.watch(person, "name")]
    person.name = "b"
    #expect(log.take() == ["shout setting Ada → b", "name setting Ada → b"])
    try person.setValue("c", forKey: "shout")
    #expect(log.lines.filter { $0.hasPrefix("name") } == ["name setting b → C"])
    #expect(log.lines.filter { $0.hasPrefix("shout") }.last == "shout setting b → C")
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.1: a to-many source: a setting of the dependent, with its own values, for each kind of change")
  func toManySource() throws {
    let token = try log.watch(order, "lineCount")
    let lines = order.mutableArray(forKey: "lines")
    try lines.append("a")
    try lines.replace(at: 0, with: "b")
    try lines.remove(at: 0)
    order.lines = ["x", "y"]
    try order.mutableSet(forKey: "tags").add("t")
    #expect(
      log.lines == [
        "lineCount setting 0 → 1", "lineCount setting 1 → 1", "lineCount setting 1 → 0", "lineCount setting 0 → 2",
        "lineCount setting 2 → 3",
      ])
    token.cancel()
  }

  @Test("DEP.4: a subclass adds to what a key depends on")
  func inheritance() throws {
    let plain = try log.watch(order, "label")
    order.currency = "$"
    #expect(log.take() == [])
    plain.cancel()
    let foreign = ForeignOrder()
    let token = try log.watch(foreign, "label")
    foreign.price = 2
    foreign.currency = "$"
    #expect(log.lines == ["label setting 2.0 € → 4.0 €", "label setting 4.0 € → 4.0 $"])
    token.cancel()
  }

  @Test("DEP.1: a dependent at the end and in the middle of a path")
  func inPaths() throws {
    let person = Villager("Ada")
    let choice = Choice(person, Villager("Bob"))
    let tokens = [try log.watch(choice, "chosen.name"), try log.watch(choice, "owner.chosen.name", as: "owner")]
    choice.index = 1
    #expect(log.take() == ["chosen.name setting Ada → Bob", "owner: owner.chosen.name setting Ada → Bob"])
    person.name = "unheard"
    choice.people[1].name = "Rob"
    #expect(log.take() == ["chosen.name setting Bob → Rob", "owner: owner.chosen.name setting Bob → Rob"])
    try choice.mutableArray(forKey: "people").replace(at: 1, with: Villager("Eve"))
    #expect(log.lines == ["chosen.name setting Rob → Eve", "owner: owner.chosen.name setting Rob → Eve"])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.1: nothing is observed once the dependent has no observer any more, and again when it has one")
  func comingAndGoing() throws {
    for _ in 0..<3 {
      let first = try log.watch(order, "label")
      let second = try log.watch(order, "label")
      first.cancel()
      order.price += 1
      #expect(log.take().count == 1)
      second.cancel()
      order.price += 1
      #expect(log.take() == [])
    }
  }
}

private class Order: KVObject {
  @KVProperty var price = 1.0
  @KVProperty var lines: [String] = []
  @KVProperty var tags: Set<String> = []
  @KVProperty var currency = "€"
  var count = 1
  var total: Double { price * Double(count) }
  var gross: Double { total * 2 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Order.self) { key in
      key("price", \.price)
      key("count", \.count)
      key("lines", \.lines)
      key("tags", \.tags)
      key("total", \.total).affected(by: "price", "count")
      key("gross", \.gross).affected(by: "total")
      key("label") { "\($0.gross) \($0.currency)" }.affected(by: "gross")
      key("sum") { $0.total + $0.gross }.affected(by: "gross", "total", "price")
      key("twice") { $0.price * 2 }.affected(by: "price", "price")
      key("lineCount") { $0.lines.count + $0.tags.count }.affected(by: "lines", "tags")
    }
  }
}

private final class ForeignOrder: Order {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ForeignOrder.self) { key in
      key("label") { "\($0.gross) \($0.currency)" }.affected(by: "currency")
    }
  }
}

private final class Choice: KVObject {
  @KVProperty var people: [Villager]
  @KVProperty var index = 0
  var chosen: Villager { people[index] }

  init(_ people: Villager...) { self.people = people }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Choice.self) { key in
      key("people", \.people)
      key("index", \.index)
      key("chosen", \.chosen).affected(by: "people", "index")
      key("owner") { $0 }.readOnly().notifiesManually()
    }
  }
}

/// A source, twelve keys that depend on it and in a ring on each other, and one that depends on all of them.
private final class WideModel: KVObject {
  @KVProperty var source = 1
  var sum: Int { source * 12 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: WideModel.self) { key in
      key("source", \.source)
      for index in 0..<12 {
        key("k\(index)", { $0.source }).affected(by: "source", "k\((index + 1) % 12)")
      }
      key("sum", \.sum).affected(by: "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "k11")
    }
  }
}
