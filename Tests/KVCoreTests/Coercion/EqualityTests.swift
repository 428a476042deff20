import KVCore
import KVQuery
import Testing

@Suite("CO.7: when two values are equal")
struct EqualityTests {
  /// Whether two values are equal, asked in both directions, which must agree.
  private func equal(_ left: Any?, _ right: Any?, _ location: SourceLocation = #_sourceLocation) -> Bool {
    let forward = KVC.areEqual(left, right)
    #expect(KVC.areEqual(right, left) == forward, "equality has no direction", sourceLocation: location)
    return forward
  }

  @Test("CO.7: numbers compare across types, exactly")
  func numbers() {
    #expect(equal(5, 5.0))
    #expect(equal(5, Float(5)))
    #expect(equal(UInt8(5), Int64(5)))
    #expect(equal(true, 1))
    #expect(equal(false, 0.0))
    #expect(equal(0.0, -0.0))
    #expect(!equal(5, 5.5))
    #expect(!equal(-5, -5.5))
    #expect(!equal(true, 2))
    #expect(!equal(0.1, Float(0.1)))
    #expect(equal(0.5, Float(0.5)))
    #expect(!equal(9_007_199_254_740_993, 9_007_199_254_740_992.0))
    #expect(equal(9_007_199_254_740_992, 9_007_199_254_740_992.0))
    #expect(!equal(Int.max, 9_223_372_036_854_775_808.0))
    #expect(equal(UInt64(1) << 63, 9_223_372_036_854_775_808.0))
    #expect(!equal(-1, UInt.max))
    #expect(!equal(Int.max, Double.infinity))
    #expect(!equal(1e300, 5))
    #expect(equal(Float.infinity, Double.infinity))
  }

  @Test("CO.7: NaN is equal to nothing, itself included")
  func nan() {
    #expect(!equal(Double.nan, Double.nan))
    #expect(!equal(Double.nan, Float.nan))
    #expect(!equal(Double.nan, 0))
    #expect(!equal([Double.nan], [Double.nan]))
  }

  @Test("CO.7: nil is equal to nil alone, at any depth")
  func nils() {
    #expect(equal(nil, nil))
    #expect(equal(Int??.some(.none) as Any, String?.none as Any))
    #expect(!equal(nil, 0))
    #expect(!equal(nil, ""))
    #expect(!equal(nil, [Int]()))
    #expect(equal(Int??.some(.some(5)) as Any, 5))
  }

  @Test("CO.7: Equatable says so")
  func equatables() {
    #expect(equal("a", "a"))
    #expect(equal("e\u{301}", "é"))
    #expect(!equal("a", "A"))
    #expect(equal(ShopPoint(x: 1), ShopPoint(x: 1)))
    #expect(!equal(ShopPoint(x: 1), ShopPoint(x: 2)))
    #expect(equal(ShopMood.open, ShopMood.open))
    #expect(!equal(ShopKind.tea, "tea"))
    #expect(!equal(ShopSize.small, 1))
    #expect(!equal("5", 5))
    #expect(equal(ShopIgnoresCase("A"), ShopIgnoresCase("a")))
    #expect(equal(AnyHashable("a"), "a"))
  }

  @Test("CO.7: objects without Equatable compare by identity")
  func identity() {
    let item = ShopItem("x")
    #expect(equal(item, item))
    #expect(!equal(item, ShopItem("x")))
    #expect(equal(item as Any, item as any ShopSellable))
    #expect(!equal(item, "x"))
    #expect(equal([item], [item as Any]))
    #expect(!equal([item], [ShopItem("x")]))
    #expect(equal(["k": item], ["k": item]))
  }

  @Test("CO.7: objects with Equatable compare by it, subclasses and superclasses in both directions")
  func equatableObjects() {
    #expect(equal(ShopNamed("a"), ShopNamed("a")))
    #expect(!equal(ShopNamed("a"), ShopNamed("b")))
    #expect(equal(ShopNamed("a"), ShopRenamed("a")))
    #expect(!equal(ShopNamed("a"), ShopRenamed("b")))
  }

  @Test("CO.7: arrays compare by element, in order, whatever their static types")
  func arrays() {
    #expect(equal([1, 2], [1, 2]))
    #expect(equal([1, 2], [1.0, 2.0]))
    #expect(equal([1, 2] as [Any], [1, 2.0] as [Any]))
    #expect(!equal([1, 2], [2, 1]))
    #expect(!equal([1, 2], [1]))
    #expect(!equal([1], [1, 2]))
    #expect(equal([Int](), [String]()))
    #expect(equal([[1], [2]], [[1.0], [2.0]]))
    #expect(!equal([[1], [2]], [[1.0], [3.0]]))
    #expect(equal([1, nil] as [Int?], [1, nil] as [Any?]))
    #expect(!equal([1, nil] as [Int?], [1, 0]))
    #expect(equal([1, 2], ContiguousArray([1, 2])))
    #expect(equal([2, 3], [1, 2, 3][1...]))
  }

  @Test("CO.7: sets compare by element, without order")
  func sets() {
    #expect(equal(Set([1, 2]), Set([2, 1])))
    #expect(equal(Set([1, 2]), Set([1.0, 2.0])))
    #expect(equal(Set(["a"]), Set(["a"] as [AnyHashable])))
    #expect(!equal(Set([1, 2]), Set([1, 3])))
    #expect(!equal(Set([1]), Set([1, 2])))
    #expect(!equal(Set([1, 2]), [1, 2]))
  }

  @Test("CO.7: dictionaries compare by entry")
  func dictionaries() {
    #expect(equal(["a": 1], ["a": 1.0]))
    #expect(equal(["a": 1, "b": 2], ["b": 2, "a": 1] as [String: Any]))
    #expect(!equal(["a": 1], ["b": 1]))
    #expect(!equal(["a": 1], ["a": 2]))
    #expect(!equal(["a": 1], ["a": 1, "b": 2]))
    #expect(equal(["a": [1, ["b": 2]]] as [String: Any], ["a": [1.0, ["b": 2]]] as [String: Any]))
    #expect(equal(["a": nil] as [String: Int?], ["a": nil] as [String: Any?]))
    #expect(!equal(["a": nil] as [String: Int?], ["b": nil] as [String: Int?]))
    #expect(!equal(["a": 1], ["a", "1"]))
  }

  @Test("CO.7: dictionaries with keys of any type compare by entry")
  func otherKeys() {
    #expect(equal([ShopPoint(x: 1): 1], [ShopPoint(x: 1): 1]))
    #expect(!equal([ShopPoint(x: 1): 1], [ShopPoint(x: 1): 2]))
    #expect(!equal([ShopPoint(x: 1): 1], [ShopPoint(x: 2): 1]))
    #expect(equal([1: "a"], [1: "a"]))
    #expect(equal([ShopMood.open: 1], [ShopMood.open: 1]))
  }

  @Test("CO.7: anything else counts as different, even from itself")
  func others() {
    #expect(!equal((1, 2), (1, 2)))
    #expect(!equal(ShopLine(count: 1, price: 1), ShopLine(count: 1, price: 1)))
    #expect(!equal([ShopLine(count: 1, price: 1)], [ShopLine(count: 1, price: 1)]))
  }

  @Test("CO.7: deeply nested collections are compared without exhausting the stack")
  func depth() {
    var nested: [Any] = []
    for _ in 0..<100 { nested = [nested] }
    #expect(equal(nested, nested))
    for _ in 0..<10_000 { nested = [nested] }
    #expect(!equal(nested, nested))
    while let inner = nested.first as? [Any] { nested = inner }
  }

  @Test("CO.7, SRT.8, OP.5: sets and dictionaries are equal by element, also where their types differ")
  func collectionsOfOtherTypes() throws {
    let equal: [[Any]] = [
      [Set([1]), Set([true]), Set([1.0])],
      [["a": 1], ["a": 1] as [String: Any], ["a": true], ["a": 1.0]],
      [[1: "x"], ["1": "x"]],
    ]
    for values in equal {
      for value in values { #expect(KVC.areEqual(values[0], value)) }
      #expect(try values.grouped(by: "self").count == 1)
      #expect(try KVC.value(of: values, forKeyPath: "@distinctUnionOfObjects.self", as: [Any].self).count == 1)
    }
    #expect(!KVC.areEqual(Set([1]), Set(["1"])))
    #expect(!KVC.areEqual(["a": 1], ["a": 2] as [String: Any]))
  }
}

private struct ShopIgnoresCase: Equatable {
  let text: String
  init(_ text: String) { self.text = text }
  static func == (left: Self, right: Self) -> Bool { left.text.lowercased() == right.text.lowercased() }
}

private class ShopNamed: Equatable {
  let name: String
  init(_ name: String) { self.name = name }
  static func == (left: ShopNamed, right: ShopNamed) -> Bool { left.name == right.name }
}

private final class ShopRenamed: ShopNamed {}
