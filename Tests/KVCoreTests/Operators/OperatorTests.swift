import KVCore
import Testing

@Suite("OP collection operators")
struct OperatorTests {
  private func value(_ root: Any, _ path: String) throws(KVError) -> Any? {
    try KVC.value(of: root, forKeyPath: path)
  }

  /// Expects a number of exactly one type.
  private func expect<Value: Equatable>(
    _ root: Any, _ path: String, is expected: Value, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try value(root, path)
    #expect(
      found.map { type(of: $0) == Value.self } ?? false, "\(path): \(String(describing: found))", sourceLocation: location)
    #expect(found as? Value == expected, "\(path)", sourceLocation: location)
  }

  private func code(_ root: Any, _ path: String) -> KVError.Code? {
    do throws(KVError) {
      _ = try value(root, path)
      return nil
    } catch {
      return error.code
    }
  }

  private let items = [
    ShopItem("tea", price: 3, quantity: 3), ShopItem("coffee", price: 1.5, quantity: 1),
    ShopItem("tea", price: 2, quantity: 2),
  ]

  static let builtIns = [
    "count", "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays",
    "distinctUnionOfArrays", "unionOfSets", "distinctUnionOfSets", "firstObject", "lastObject", "self",
  ]

  // MARK: OP.1

  @Test("OP.1 every operator works on an array of objects")
  func arrays() throws {
    try expect(items, "@count", is: 3)
    try expect(items, "@sum.quantity", is: 6)
    try expect(items, "@sum.price", is: 6.5)
    try expect(items, "@avg.quantity", is: 2.0)
    try expect(items, "@avg.price", is: 6.5 / 3)
    try expect(items, "@min.quantity", is: 1)
    try expect(items, "@max.price", is: 3.0)
    try expect(items, "@min.name", is: "coffee")
    #expect(try value(items, "@unionOfObjects.name") as? [String] == ["tea", "coffee", "tea"])
    #expect(try value(items, "@distinctUnionOfObjects.name") as? [String] == ["tea", "coffee"])
    #expect(try value(items, "@firstObject") as? ShopItem === items[0])
    #expect(try value(items, "@lastObject") as? ShopItem === items[2])
    #expect((try value(items, "@self") as? [ShopItem])?.count == 3)
  }

  @Test("OP.1 the array and set unions flatten one level")
  func unions() throws {
    let orders = [["b", "a"], ["a", "c"]].map { names in
      let order = ShopItem("order")
      order.parts = names.map { ShopItem($0) }
      return order
    }
    #expect(try value(orders, "@unionOfArrays.parts.name") as? [String] == ["b", "a", "a", "c"])
    #expect(try value(orders, "@distinctUnionOfArrays.parts.name") as? [String] == ["b", "a", "c"])
    #expect(try value(orders, "@unionOfSets.parts.name") as? Set<String> == ["a", "b", "c"])
    #expect(try value(orders, "@distinctUnionOfSets.parts.name") as? Set<AnyHashable> == ["a", "b", "c"])
    #expect(try value([[1, 2], [2]], "@unionOfArrays.@self") as? [Int] == [1, 2, 2])
    #expect(try value([[1, 2], [2]], "@unionOfArrays.self") as? [Int] == [1, 2, 2])
    #expect(try value([Set([1, 2]), Set([2])], "@distinctUnionOfSets.@self") as? Set<Int> == [1, 2])
    #expect(try value(Set([Set([1, 2]), Set([2])]), "@unionOfSets.@self") as? Set<Int> == [1, 2])
  }

  @Test("OP.1 the operators work on sets")
  func sets() throws {
    let points: Set = [ShopPoint(x: 1), ShopPoint(x: 2), ShopPoint(x: 3, y: 1)]
    try expect(points, "@count", is: 3)
    try expect(points, "@sum.x", is: 6)
    try expect(points, "@avg.x", is: 2.0)
    try expect(points, "@min.x", is: 1)
    try expect(points, "@max.x", is: 3)
    #expect((try value(points, "@unionOfObjects.y") as? [Int])?.sorted() == [0, 0, 1])
    #expect((try value(points, "@distinctUnionOfObjects.y") as? [Int])?.sorted() == [0, 1])
    #expect(points.contains(try #require(try value(points, "@firstObject") as? ShopPoint)))
    #expect(try value(Set([7]), "@lastObject") as? Int == 7)
  }

  @Test("OP.1 a dictionary can be counted, and is no collection to other operators")
  func dictionaries() throws {
    try expect(["a": 1, "b": 2], "@count", is: 2)
    try expect(["list": [1, 2]], "list.@sum.@self", is: 3)
    for name in Self.builtIns where name != "count" && name != "self" {
      #expect(code(["a": 1], "@\(name).@self") == .operatorFailed, "@\(name)")
    }
  }

  @Test("OP.1 an array in a slice, a contiguous array and an ordered proxy's elements count too")
  func otherArrays() throws {
    try expect(ContiguousArray(items), "@sum.quantity", is: 6)
    try expect(items[1...], "@sum.quantity", is: 3)
    try expect(items[1...], "@firstObject.name", is: "coffee")
    try expect(items[..<2], "@lastObject.name", is: "coffee")
    try expect(items as [Any], "@sum.quantity", is: 6)
  }

  // MARK: OP.2

  @Test("OP.2 left may be empty, a key, or a longer path; a nil to the left reads as nil")
  func left() throws {
    let order = ShopItem("order")
    order.parts = items
    try expect(order, "parts.@sum.quantity", is: 6)
    order.twin = ShopItem("twin")
    order.twin?.parts = Array(items[..<2])
    try expect(order, "twin.parts.@count", is: 2)
    #expect(try value(order, "twin.twin.@count") == nil)
    #expect(try value(order, "twin.twin.parts.@sum.price") == nil)
  }

  @Test("OP.2 right may contain keys and further operators")
  func right() throws {
    let orders = [items, Array(items[..<1]), []].map { parts in
      let order = ShopItem("order")
      order.parts = parts
      return order
    }
    try expect(orders, "@max.parts.@count", is: 3)
    try expect(orders, "@sum.parts.@count", is: 4)
    try expect(orders, "@sum.parts.@sum.quantity", is: 9)
    #expect(try value(orders, "@unionOfObjects.parts.@count") as? [Int] == [3, 1, 0])
    try expect(items, "@max.name.@self", is: "tea")
    try expect(items, "@firstObject.offer.price.amount", is: 10)
    try expect(items, "@lastObject.name", is: "tea")
    try expect(orders, "@firstObject.parts.@lastObject.quantity", is: 2)
    try expect(orders, "@firstObject.parts.@count", is: 3)
    try expect(orders, "@self.@firstObject.parts[1].name", is: "coffee")
    try expect(orders, "@self.@self.@count", is: 3)
    try expect(orders, "parts.@count", is: 3)
  }

  @Test("OP.2 a right path is needed by all but @count, @firstObject, @lastObject and @self", arguments: builtIns)
  func missingRight(_ name: String) {
    let optional = ["count", "firstObject", "lastObject", "self"].contains(name)
    do throws(KVError) {
      _ = try value(items, "@\(name)")
      #expect(optional, "@\(name)")
    } catch {
      #expect(!optional)
      #expect(error.code == .operatorFailed)
      #expect(error.component == "@\(name)")
      #expect(error.keyPath == "@\(name)")
      #expect(
        error.message == """
          @\(name): it needs a key path to its right, as in @\(name).price; write @\(name).@self for the elements \
          themselves.
          """)
    }
  }

  @Test("OP.2 what is no collection to the left is an error that names it", arguments: builtIns.filter { $0 != "self" })
  func noCollection(_ name: String) {
    #expect(code(ShopItem(), "@\(name).name") == .operatorFailed)
    #expect(code(ShopItem(), "name.@\(name).name") == .operatorFailed)
    #expect(code(5, "@\(name).@self") == .operatorFailed)
    #expect(code((1, 2), "@\(name).@self") == .operatorFailed)
    let error = #expect(throws: KVError.self) { try value(ShopItem(), "quantity.@\(name).x") }
    #expect(error?.component == "@\(name)")
    #expect(error?.keyPath == "quantity.@\(name).x")
    #expect(error?.rootType == "ShopItem")
    #expect(error?.message == "@\(name): it needs a collection to its left, and found the Int 1.")
  }

  @Test("OP.2 an undefined key in the right path is an error naming that key")
  func undefinedRight() {
    let error = #expect(throws: KVError.self) { try value(items, "@sum.prise") }
    #expect(error?.code == .undefinedKey)
    #expect(error?.component == "prise")
    #expect(error?.suggestion == "price")
    #expect(error?.keyPath == "@sum.prise")
    #expect(code(items, "@unionOfObjects.nope") == .undefinedKey)
    #expect(code(items, "@max.offer.nope") == .undefinedKey)
  }

  @Test("OP.2 an operator computes: nothing can be written through it")
  func writing() {
    #expect {
      try items.first?.setValue(1, forKeyPath: "parts.@count")
    } throws: {
      ($0 as? KVError)?.code == .notSettable
    }
    let order = ShopItem()
    order.parts = items
    for path in ["parts.@firstObject.name", "parts.@self", "parts.@sum.price"] {
      let error = #expect(throws: KVError.self) { try order.setValue("x", forKeyPath: path) }
      #expect(error?.code == .notSettable)
    }
    #expect(items[0].name == "tea")
  }

  // MARK: OP.3

  @Test("OP.3 @sum of integers is an exact integer", arguments: [
    ([1, 2, 3], 6), ([-5, 5], 0), ([9_007_199_254_740_993, 1], 9_007_199_254_740_994), ([.max], .max), ([.max, -1, 1], .max),
    ([.max, 1, -1], .max), ([.min, .max], -1),
  ] as [([Int], Int)])
  func integerSum(_ numbers: [Int], _ sum: Int) throws {
    try expect(numbers, "@sum.@self", is: sum)
    try expect(numbers.map { ShopLine(count: $0, price: 0) }, "@sum.count", is: sum)
    try expect(numbers.map { ShopItem("", quantity: $0) }, "@sum.quantity", is: sum)
    try expect(numbers.map { ShopItem("", quantity: $0) } as [Any], "@sum.quantity", is: sum)
  }

  @Test("OP.3 an integer sum that overflows falls back to Double")
  func overflow() throws {
    try expect([Int.max, 1], "@sum.@self", is: 9_223_372_036_854_775_808.0)
    try expect([Int.max, Int.max], "@sum.@self", is: 18_446_744_073_709_551_614.0)
    try expect([Int.min, -1], "@sum.@self", is: -9_223_372_036_854_775_809.0)
    try expect([UInt64.max], "@sum.@self", is: 18_446_744_073_709_551_615.0)
    try expect([Int.max, 1].map { ShopItem("", quantity: $0) }, "@sum.quantity", is: 9_223_372_036_854_775_808.0)
  }

  @Test("OP.3 one floating-point number makes the sum a Double; integers and Bools of any width stay integers")
  func mixedSum() throws {
    try expect([1, 2.5] as [Any], "@sum.@self", is: 3.5)
    try expect([1, 2.0] as [Any], "@sum.@self", is: 3.0)
    try expect([Float(0.5), 1] as [Any], "@sum.@self", is: 1.5)
    try expect([Float(0.5)], "@sum.@self", is: 0.5)
    try expect([UInt8(200), Int16(100), 1] as [Any], "@sum.@self", is: 301)
    try expect([UInt8(200), UInt8(200)], "@sum.@self", is: 400)
    try expect([true, false, true], "@sum.@self", is: 2)
    try expect([0.1, 0.2, 0.3], "@sum.@self", is: 0.1 + 0.2 + 0.3)
    #expect((try value([1, Double.nan] as [Any], "@sum.@self") as? Double)?.isNaN == true)
    try expect([1, Double.infinity] as [Any], "@sum.@self", is: Double.infinity)
  }

  @Test("OP.3 nil counts as 0, and @avg divides by the full count")
  func nilNumbers() throws {
    let lines = [ShopLine(count: 1, price: 1, discount: 3), ShopLine(count: 1, price: 1, discount: nil)]
    try expect(lines, "@sum.discount", is: 3)
    try expect(lines, "@avg.discount", is: 1.5)
    try expect([nil, nil] as [Int?], "@sum.@self", is: 0)
    try expect([nil, nil] as [Int?], "@avg.@self", is: 0.0)
    try expect([nil, 4] as [Int?], "@avg.@self", is: 2.0)
    try expect([nil, 4.0] as [Double?], "@sum.@self", is: 4.0)
    try expect([items[0], nil], "@sum.quantity", is: 3)
    try expect([items[0], nil], "@avg.quantity", is: 1.5)
    try expect([items[0], nil], "@count", is: 2)
  }

  @Test("OP.3 empty: @sum 0, @avg 0, @min and @max nil, unions empty, @count 0")
  func empty() throws {
    for root in [[ShopItem]() as Any, [ShopLine](), [Any](), Set<Int>()] {
      try expect(root, "@count", is: 0)
      try expect(root, "@sum.price", is: 0)
      try expect(root, "@avg.price", is: 0.0)
      #expect(try value(root, "@min.price") == nil)
      #expect(try value(root, "@max.price") == nil)
      #expect((try value(root, "@unionOfObjects.price") as? [Any])?.isEmpty == true)
      #expect((try value(root, "@distinctUnionOfObjects.price") as? [Any])?.isEmpty == true)
      #expect((try value(root, "@unionOfArrays.parts") as? [Any])?.isEmpty == true)
      #expect((try value(root, "@distinctUnionOfArrays.parts") as? [Any])?.isEmpty == true)
      #expect((try value(root, "@unionOfSets.parts") as? Set<AnyHashable>)?.isEmpty == true)
      #expect((try value(root, "@distinctUnionOfSets.parts") as? Set<AnyHashable>)?.isEmpty == true)
      #expect(try value(root, "@firstObject") == nil)
      #expect(try value(root, "@lastObject.name") == nil)
    }
  }

  @Test("OP.3 @sum and @avg of what is no number is an error, not zero (≠GNUstep)")
  func noNumbers() {
    #expect(code(items, "@sum.name") == .operatorFailed)
    #expect(code(items, "@avg.name") == .operatorFailed)
    #expect(code([1, "2"] as [Any], "@sum.@self") == .operatorFailed)
    let error = #expect(throws: KVError.self) { try value(items, "@sum.name") }
    #expect(error?.message == "@sum: the String \"tea\" is no number.")
  }

  @Test("OP.3 numbers with an exact arithmetic of their own are summed and averaged by it")
  func exactNumbers() throws {
    try expect([ShopMoney(100), ShopMoney(50)], "@sum.@self", is: ShopMoney(150))
    try expect([ShopMoney(100), 1] as [Any], "@sum.@self", is: ShopMoney(200))
    try expect([2, ShopMoney(100), 0.5] as [Any], "@sum.@self", is: ShopMoney(350))
    try expect([ShopMoney(100), nil] as [ShopMoney?], "@avg.@self", is: ShopMoney(50))
    try expect([ShopMoney(100), ShopMoney(50)], "@min.@self", is: ShopMoney(50))
    try expect([2, ShopMoney(100)] as [Any], "@max.@self", is: 2)
  }

  // MARK: OP.4

  @Test("OP.4 @min and @max ignore nil and compare numbers across types")
  func extremes() throws {
    try expect([3, nil, 1, 2] as [Int?], "@min.@self", is: 1)
    try expect([3, nil, 1, 2] as [Int?], "@max.@self", is: 3)
    try expect([3, 2.5, UInt8(4)] as [Any], "@max.@self", is: UInt8(4))
    try expect([3, 2.5, UInt8(4)] as [Any], "@min.@self", is: 2.5)
    try expect([9_007_199_254_740_993, 9_007_199_254_740_992.0] as [Any], "@max.@self", is: 9_007_199_254_740_993)
    try expect([9_007_199_254_740_992.0, 9_007_199_254_740_993] as [Any], "@min.@self", is: 9_007_199_254_740_992.0)
    try expect([false, true], "@max.@self", is: true)
    #expect(try value([nil, nil] as [Int?], "@max.@self") == nil)
    try expect(["b", "a", "c"], "@max.@self", is: "c")
    try expect([5], "@min.@self", is: 5)
  }

  @Test("OP.4 of equal elements the first one is found")
  func ties() throws {
    try expect([1, 1.0] as [Any], "@max.@self", is: 1)
    try expect([1.0, 1] as [Any], "@min.@self", is: 1.0)
  }

  @Test("OP.4 incomparable elements are an error")
  func incomparable() {
    #expect(code([1, "a"] as [Any], "@max.@self") == .operatorFailed)
    #expect(code(["a", 1] as [Any], "@min.@self") == .operatorFailed)
    #expect(code([ShopPoint(), ShopPoint()], "@max.@self") == .operatorFailed)
    #expect(code([ShopPoint()], "@max.@self") == .operatorFailed)
    #expect(code(items, "@min.@self") == .operatorFailed)
    #expect(code([1, Double.nan] as [Any], "@min.@self") == .operatorFailed)
    let error = #expect(throws: KVError.self) { try value([1, "a"] as [Any], "@max.@self") }
    #expect(error?.message == "@max: the String \"a\" and the Int 1 cannot be compared.")
  }

  // MARK: OP.5

  @Test("OP.5 the unions throw on a nil leaf", arguments: [
    "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays", "distinctUnionOfArrays", "unionOfSets",
    "distinctUnionOfSets",
  ])
  func nilLeaves(_ name: String) {
    let lines = [ShopLine(count: 1, price: 1, discount: 3), ShopLine(count: 1, price: 1, discount: nil)]
    if name.hasSuffix("Objects") {
      let error = #expect(throws: KVError.self) { try value(lines, "@\(name).discount") }
      #expect(
        error?.message
          == "@\(name): element 1 has a nil value, which cannot be part of a union; filter such elements first.")
    } else {
      #expect(code([["a": [1]], [:]], "@\(name).a") == .operatorFailed)
      #expect(code([[1, nil]] as [[Int?]], "@\(name).@self") == .operatorFailed)
    }
    #expect(code([items[0], nil], "@\(name).parts") == .operatorFailed)
  }

  @Test("OP.5 distinct keeps first-seen order, and tells values apart as CO.7 does")
  func distinct() throws {
    #expect(try value([3, 1, 3, 2, 1], "@distinctUnionOfObjects.@self") as? [Int] == [3, 1, 2])
    let mixed = try #require(try value([1, 1.0, "1", 2] as [Any], "@distinctUnionOfObjects.@self") as? [Any])
    #expect(KVC.areEqual(mixed, [1, "1", 2] as [Any]))
    let truths = try #require(try value([1, true, 0, false] as [Any], "@distinctUnionOfObjects.@self") as? [Any])
    #expect(KVC.areEqual(truths, [1, 0]))
    let objects = try #require(
      try value([items[0], items[1], items[0]], "@distinctUnionOfObjects.@self") as? [ShopItem])
    #expect(objects.map(\.name) == ["tea", "coffee"])
    let nested = try value([[1], [1.0], [2]] as [Any], "@distinctUnionOfObjects.@self") as? [Any]
    #expect(nested?.count == 2)
    let structs = [ShopLine(count: 1, price: 1), ShopLine(count: 1, price: 1)]
    #expect((try value(structs, "@distinctUnionOfObjects.@self") as? [Any])?.count == 2)
  }

  @Test("OP.5 the Sets forms yield sets, and need hashable members")
  func setForms() throws {
    #expect(try value([[1, 2], [2]], "@unionOfSets.@self") is Set<AnyHashable>)
    #expect(try value([[1, 2], [2]], "@distinctUnionOfSets.@self") is Set<AnyHashable>)
    #expect(code([[ShopLine(count: 1, price: 1)]], "@unionOfSets.@self") == .operatorFailed)
  }

  @Test("OP.5 the Arrays and Sets forms need collections on the right", arguments: [
    "unionOfArrays", "distinctUnionOfArrays", "unionOfSets", "distinctUnionOfSets",
  ])
  func memberCollections(_ name: String) {
    #expect(code(items, "@\(name).name") == .operatorFailed)
    #expect(code([["a": ["x": 1]]], "@\(name).a") == .operatorFailed)
  }

  // MARK: OP.6

  @Test("OP.6 an unknown operator is an error that lists the known ones")
  func unknown() throws {
    let error = #expect(throws: KVError.self) { try value(items, "@summ.price") }
    #expect(error?.code == .unknownOperator)
    #expect(error?.component == "@summ")
    #expect(error?.suggestion == "@sum")
    #expect(Set(try #require(error).knownKeys).isSuperset(of: Self.builtIns.map { "@\($0)" }))
    #expect(error?.message.hasPrefix("unknown operator \"@summ\". Did you mean \"@sum\"? Known operators: ") == true)
    for name in Self.builtIns { #expect(error?.message.contains("@\(name)") == true) }
    #expect(code(items, "@bogus") == .unknownOperator)
    #expect(code(items, "@Sum.price") == .unknownOperator)
    #expect(code(ShopItem(), "@bogus") == .unknownOperator)
    #expect(Set(KVOperator.names).isSuperset(of: Self.builtIns))
  }

  @Test("OP.1 operators nested more deeply than the limit are refused, not followed into the ground")
  func depth() {
    var nested: [Any] = [1]
    for _ in 0..<300 { nested = [nested] }
    let path = (0..<300).map { _ in "@unionOfObjects" }.joined(separator: ".") + ".@self"
    #expect(code(nested, path) == .limitExceeded)
  }
}

/// Money, exact to the cent.
private struct ShopMoney: KVExactNumber, Equatable {
  var cents: Int

  init(_ cents: Int) { self.cents = cents }
  init?(number: KVNumber) {
    if case .exact(let value) = number, let money = value as? ShopMoney {
      self = money
    } else {
      cents = Int(number.double * 100)
    }
  }
  var number: KVNumber { .exact(self) }
  var double: Double { Double(cents) / 100 }
  var truncated: Int128? { Int128(cents / 100) }
  static func sum(of numbers: [KVNumber]) -> ShopMoney {
    ShopMoney(numbers.compactMap { ShopMoney(number: $0)?.cents }.reduce(0, +))
  }
  func divided(by count: Int) -> ShopMoney { ShopMoney(cents / count) }
  func isLess(than other: KVNumber) -> Bool { cents < ShopMoney(number: other)?.cents ?? .min }
  func isEqual(to other: KVNumber) -> Bool { cents == ShopMoney(number: other)?.cents }
}
