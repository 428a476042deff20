import KVCore
import Testing

@Suite("OP collection operators")
struct OperatorTests: OperatorSuite {
  private let items = operatorItems()

  static let builtIns = [
    "count", "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays",
    "distinctUnionOfArrays", "unionOfSets", "distinctUnionOfSets", "firstObject", "lastObject", "self",
  ]

  // MARK: OP.1

  @Test("OP.1: every operator works on an array of objects")
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

  @Test("OP.1: the array and set unions flatten one level")
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

  @Test("OP.1: the operators work on sets")
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

  @Test("OP.1: a dictionary can be counted, and is no collection to other operators")
  func dictionaries() throws {
    try expect(["a": 1, "b": 2], "@count", is: 2)
    try expect(["list": [1, 2]], "list.@sum.@self", is: 3)
    for name in Self.builtIns where name != "count" && name != "self" {
      #expect(code(["a": 1], "@\(name).@self") == .operatorFailed, "@\(name)")
    }
  }

  @Test("OP.1: an array in a slice, a contiguous array and an ordered proxy's elements count too")
  func otherArrays() throws {
    try expect(ContiguousArray(items), "@sum.quantity", is: 6)
    try expect(items[1...], "@sum.quantity", is: 3)
    try expect(items[1...], "@firstObject.name", is: "coffee")
    try expect(items[..<2], "@lastObject.name", is: "coffee")
    try expect(items as [Any], "@sum.quantity", is: 6)
  }

  // MARK: OP.2

  @Test("OP.2: left may be empty, a key, or a longer path; a nil to the left reads as nil")
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

  @Test("OP.2: right may contain keys and further operators")
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

  @Test("OP.2: a right path is needed by all but @count, @firstObject, @lastObject and @self", arguments: builtIns)
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

  @Test(
    "OP.2: what is no collection to the left is an error that names it", arguments: builtIns.filter { $0 != "self" })
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

  @Test("OP.2: an undefined key in the right path is an error naming that key")
  func undefinedRight() {
    let error = #expect(throws: KVError.self) { try value(items, "@sum.prise") }
    #expect(error?.code == .undefinedKey)
    #expect(error?.component == "prise")
    #expect(error?.suggestion == "price")
    #expect(error?.keyPath == "@sum.prise")
    #expect(code(items, "@unionOfObjects.nope") == .undefinedKey)
    #expect(code(items, "@max.offer.nope") == .undefinedKey)
  }

  @Test("OP.2: an operator computes: nothing can be written through it")
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

  // MARK: OP.6

  @Test("OP.6: an unknown operator is an error that lists the known ones")
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

  @Test("OP.1: operators nested more deeply than the limit are refused, not followed into the ground")
  func depth() {
    var nested: [Any] = [1]
    for _ in 0..<300 { nested = [nested] }
    let path = (0..<300).map { _ in "@unionOfObjects" }.joined(separator: ".") + ".@self"
    #expect(code(nested, path) == .limitExceeded)
  }
}
