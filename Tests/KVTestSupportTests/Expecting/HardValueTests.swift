import KVTestSupport
import Testing

@Suite("TST.2: values that are hard to compare")
struct HardValueTests {
  final class Gauge: KVObject {
    @KVProperty var level = 1.0
    @KVProperty var deep: Int??
    @KVProperty var anything: Any?
    @KVProperty var next: Gauge?
    @KVProperty var rows: [Int] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Gauge.self) { key in
        key("level", \.level).alias("height")
        key("deep", \.deep)
        key("anything", \.anything)
        key("next", \.next)
        key("rows", \.rows)
      }
    }
  }

  private let gauge = Gauge()

  @Test("TST.2: not a number, optionals of optionals, aliases and operators are expected like anything else")
  func values() throws {
    expectChanges(of: gauge, [.set("height", where: "NaN") { ($0 as? Double)?.isNaN == true }, .set("height", to: 2)]) {
      gauge.level = .nan
      gauge.level = 2
    }
    let inner: Int?? = .some(nil)
    let number: Int? = 4
    expectChanges(
      of: gauge,
      [.set("deep", to: inner as Any?), .set("deep", to: 3), .set("deep", to: number), .set("deep", to: nil)]
    ) {
      gauge.deep = inner
      gauge.deep = 3
      gauge.deep = number
      gauge.deep = Int??.none
    }
    expectChanges(
      of: gauge, [.set("rows.@sum.@self", from: 0, to: 3), .set("rows.@count", to: 2)], matching: .anyOrder
    ) {
      gauge.rows = [1, 2]
    }
  }

  @Test("TST.2: a path of great depth is recorded")
  func depth() throws {
    var last = gauge
    for _ in 0..<20 {
      last.next = Gauge()
      last = try #require(last.next)
    }
    let path = try KVKeyPath([String](repeating: "next", count: 20).joined(separator: ".") + ".level")
    expectChanges(of: gauge, [.set(path, from: 1, to: 5)]) { last.level = 5 }
  }

  @Test("TST.2: a value that has itself as key is compared to an end")
  func endless() throws {
    #expect(try KVCompliance.violations { EndlessHolder() }.isEmpty)
  }

  @Test("TST.2: an object may end in the middle of a path, and a body may expect, too")
  func ends() {
    gauge.next = Gauge()
    expectChanges(of: gauge, [.set("next.level", from: 1, to: nil)]) {
      expectChanges(of: gauge, [.changed("next")]) { gauge.next = nil }
    }
  }
}

/// A value that is a key of itself.
private struct Endless: KeyValueCoding {
  var same: Endless { self }

  static var keyTable: KVTable { KVTable(Endless.self) { key in key("same", \.same) } }
}

private final class EndlessHolder: KVObject {
  @KVProperty var endless = Endless()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: EndlessHolder.self) { key in key("endless", \.endless) }
  }
}
