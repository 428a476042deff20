import KVBinding
import KVCore
import Testing

/// Bindings of models, whose properties have what is set.
@Suite struct BindingTests {
  private let order = Order()
  private let copy = Order()

  @Test("BND.3: values move both ways between models, and each endpoint is notified once")
  func bothWays() throws {
    try copy.bind("number", to: "number", of: order, options: .twoWay)
    var changes: [String] = []
    let tokens = try [(order, "order"), (copy, "copy")].map { object, name in
      try object.observe("number", as: Int.self) { changes.append("\(name) \($0.old ?? -1) → \($0.new ?? -1)") }
    }
    copy.number = 5
    #expect(order.number == 5 && Set(changes) == ["copy 1 → 5", "order 1 → 5"] && changes.count == 2)
    order.number = 6
    #expect(copy.number == 6 && Set(changes[2...]) == ["copy 5 → 6", "order 5 → 6"] && changes.count == 4)
    withExtendedLifetime(tokens) {}
  }

  @Test("BND.3: what an observer of the source sets instead comes back", arguments: [true, false])
  func limitedSource(skipsEqual: Bool) throws {
    try copy.bind("number", to: "number", of: order, options: .init(.twoWay, skipsEqual: skipsEqual))
    let token = try order.observe("number", as: Int.self) { [order] in if $0.new ?? 0 > 10 { order.number = 10 } }
    copy.number = 99
    #expect(order.number == 10 && copy.number == 10)
    copy.number = 8
    #expect(order.number == 8 && copy.number == 8)
    copy.number = 10
    copy.number = 50
    #expect(order.number == 10 && copy.number == 10)
    token.cancel()
  }

  @Test("BND.3: what an observer of the target sets instead is propagated back", arguments: [true, false])
  func limitedTarget(skipsEqual: Bool) throws {
    try copy.bind("number", to: "number", of: order, options: .init(.twoWay, skipsEqual: skipsEqual))
    let token = try copy.observe("number", as: Int.self) { [copy] in if $0.new ?? 0 > 10 { copy.number = 10 } }
    order.number = 99
    #expect(order.number == 10 && copy.number == 10)
    order.number = 50
    #expect(order.number == 10 && copy.number == 10)
    token.cancel()
  }

  @Test("BND.3, MOD.10: a property with `didSet` may have another value than the one that was set")
  func didSet() throws {
    let (gauge, display) = (Gauge(), Order())
    try display.bind("number", to: "level", of: gauge, options: .twoWay)
    display.number = 99
    #expect(gauge.level == 10 && display.number == 10)
  }

  @Test("BND.3: an override of a property of an open model may have another value than the one that was set")
  func override() throws {
    final class Named: Animal {
      override var name: String { didSet { if name.isEmpty { name = "nobody" } } }
    }
    let (animal, display) = (Named(), Order())
    try display.bind("code", to: "name", of: animal, options: .twoWay)
    display.code = ""
    #expect(animal.name == "nobody" && display.code == "nobody")
  }
}
