import KVCore
import KVQuery
import Testing

@Suite("KVC.18: collections that make more elements than may be visited")
struct HugeCollectionTests {
  static let collections: [any Sendable] = [
    1..<Int.max, 1...Int.max, Int.min...Int.max, Int.min..<Int.max, repeatElement(1, count: .max),
    repeatElement("a", count: .max),
  ]

  private final class Shelf: KVObject {
    @KVProperty var range = 1..<Int.max
    @KVProperty var numbers: [Int] = []
    @KVProperty var marks: Set<Int> = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shelf.self) { key in
        key("range", \.range)
        key("numbers", \.numbers)
        key("marks", \.marks)
      }
    }
  }

  private static let message = """
    a Range<Int> makes 9223372036854775806 elements, and at most 10000000 are visited. Pass a part of it, or raise \
    KVC.maximumElementCount.
    """

  private func expectLimit(_ title: String, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("\(title) does not throw")
    } catch {
      #expect((error as? KVError)?.code == .limitExceeded, "\(title): \(error)")
    }
  }

  @Test("KVC.18: the error says how many elements there are, and what to do")
  func sentence() {
    let error = #expect(throws: KVError.self) { try KVC.value(of: 1..<Int.max, forKeyPath: "x") }
    #expect(error?.message == Self.message)
  }

  @Test("KVC.18: paths and operators refuse them before memory is taken", arguments: collections.indices)
  func paths(_ index: Int) {
    let collection = Self.collections[index]
    for path in [
      "x", "@sum.self", "@avg.self", "@max.self", "@min.self", "@unionOfObjects.self", "@distinctUnionOfObjects.self",
      "@sum.x", "@unionOfArrays.self",
    ] {
      expectLimit(path) {
        _ = try KVC.value(of: ["c": collection] as [String: Any], forKeyPath: KVKeyPath("c." + path))
      }
    }
    expectLimit("@unionOfArrays.self") {
      _ = try KVC.value(of: [collection, collection], forKeyPath: "@unionOfArrays.self")
    }
    expectLimit("two in one array") { _ = try KVC.value(of: [collection, collection], forKeyPath: "x.y") }
  }

  @Test("KVC.18: what needs no copy works: the count, the first, the last and one element")
  func parts() throws {
    let root: [String: Any] = ["c": 1..<Int.max]
    #expect(try KVC.value(of: root, forKeyPath: "c.@count") as? Int == .max - 1)
    #expect(try KVC.value(of: root, forKeyPath: "c.@firstObject.self") as? Int == 1)
    #expect(try KVC.value(of: root, forKeyPath: "c.@lastObject.self") as? Int == .max - 1)
    #expect(try KVC.value(of: root, forKeyPath: "c[4]") as? Int == 5)
    #expect(try KVPredicate(format: "c[SIZE] > 5").evaluate(with: root))
    let widest: [String: Any] = [
      "c": Int.min...Int.max, "small": Int8.min...Int8.max, "none": 1..<1, "large": UInt64.max - 1...UInt64.max,
    ]
    #expect(try KVC.value(of: widest, forKeyPath: "c[4]") as? Int == .min + 4)
    #expect(try KVC.value(of: widest, forKeyPath: "c.@firstObject.self") as? Int == .min)
    #expect(try KVC.value(of: widest, forKeyPath: "small.@lastObject.self") as? Int8 == .max)
    #expect(try KVC.value(of: widest, forKeyPath: "small[200]") as? Int8 == 72)
    #expect(try KVC.value(of: widest, forKeyPath: "none.@count") as? Int == 0)
    #expect(try KVC.value(of: widest, forKeyPath: "large[1]") as? UInt64 == .max)
    #expect(try KVC.value(of: widest, forKeyPath: "large.@count") as? Int == 2)
  }

  @Test("KVC.18: conversions, writing on elements and views refuse them")
  func writing() throws {
    let shelf = Shelf()
    let error = #expect(throws: KVError.self) { try shelf.setValue(1..<Int.max, forKey: "numbers") }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("makes 9223372036854775806 elements") == true)
    expectLimit("a set") { try shelf.setValue(1..<Int.max, forKey: "marks") }
    expectLimit("an array") { _ = try KVC.convert(1..<Int.max, to: [String].self) }
    expectLimit("elements") { try shelf.setValue(1, forKeyPath: "range.x") }
    expectLimit("a view") { _ = try shelf.mutableArray(forKey: "range").elements() }
    expectLimit("an emptied view") { try shelf.mutableArray(forKey: "range").removeAll() }
    #expect(shelf.numbers.isEmpty)
  }

  @Test("KVC.18: a view counts them, and reads single elements")
  func viewing() throws {
    let shelf = Shelf()
    for view in [shelf.mutableArray(forKey: "range"), try shelf.mutableArray(forKeyPath: "range")] {
      #expect(view.count == .max - 1 && view[4] as? Int == 5)
      #expect(try view.element(at: 4) as? Int == 5)
      expectLimit("an edit") { try view.append(1) }
    }
  }

  @Test("KVC.18: predicates refuse them")
  func predicates() throws {
    let root: [String: Any] = ["c": 1..<Int.max, "n": -1]
    for format in ["ANY c == -1", "ALL c > 0", "n IN c", "sum(c) > 1", "SUBQUERY(c, $x, $x < 0).@count > 0"] {
      expectLimit(format) { _ = try KVPredicate(format: format).evaluate(with: root) }
    }
  }

  @Test("KVC.18: two of them are equal if their type says so")
  func equality() {
    #expect(Equality.areEqual(1..<Int.max, 1..<Int.max))
    #expect(!Equality.areEqual(1..<Int.max, 2..<Int.max))
    #expect(!Equality.areEqual(1..<Int.max, [1]))
  }
}
