import KVCore
import Testing

@Suite("OP.3 and OP.4: sums, averages and extremes")
struct OperatorNumberTests: OperatorSuite {
  private let items = operatorItems()

  @Test(
    "OP.3: @sum of integers is an exact integer",
    arguments: [
      ([1, 2, 3], 6), ([-5, 5], 0), ([9_007_199_254_740_993, 1], 9_007_199_254_740_994), ([.max], .max),
      ([.max, -1, 1], .max),
      ([.max, 1, -1], .max), ([.min, .max], -1),
    ] as [([Int], Int)])
  func integerSum(_ numbers: [Int], _ sum: Int) throws {
    try expect(numbers, "@sum.@self", is: sum)
    try expect(numbers.map { ShopLine(count: $0, price: 0) }, "@sum.count", is: sum)
    try expect(numbers.map { ShopItem("", quantity: $0) }, "@sum.quantity", is: sum)
    try expect(numbers.map { ShopItem("", quantity: $0) } as [Any], "@sum.quantity", is: sum)
  }

  @Test("OP.3: a sum of integers of any size does not depend on their order")
  func wideSums() throws {
    let numbers: [Any] = [Int128.max, Int128(1), Int128.min, Int128(-1), UInt128(1) << 127 + 1, -(Int128(1) << 126)]
    for shift in numbers.indices {
      let rotated = Array(numbers[shift...] + numbers[..<shift]) + [-(Int128(1) << 126)]
      try expect(rotated, "@sum.@self", is: 0)
      try expect(rotated.reversed() as [Any], "@sum.@self", is: 0)
    }
    try expect([UInt128.max, UInt128(1)] as [Any], "@sum.@self", is: 0x1p128)
  }

  #if arch(x86_64) && !os(Windows) && !os(Android)
    @Test("CO.2, CO.7: a Float80 is out of range for a Double, or found as the integer that it is")
    func extended() throws {
      let (huge, odd) = (Float80.greatestFiniteMagnitude, Float80(9_007_199_254_740_993))
      #expect(throws: KVError.self) { try KVC.convert(huge, to: Double.self) }
      #expect(throws: KVError.self) { try KVC.convert(huge, to: Float.self) }
      #expect(try KVC.convert(Float80.infinity, to: Double.self) == .infinity)
      let union = try KVC.value(of: [odd, 9_007_199_254_740_993] as [Any], forKeyPath: "@distinctUnionOfObjects.@self")
      #expect((union as? [Any?])?.count == 1)
    }
  #endif

  @Test("OP.3: an integer sum that overflows falls back to Double")
  func overflow() throws {
    try expect([Int.max, 1], "@sum.@self", is: 9_223_372_036_854_775_808.0)
    try expect([Int.max, Int.max], "@sum.@self", is: 18_446_744_073_709_551_614.0)
    try expect([Int.min, -1], "@sum.@self", is: -9_223_372_036_854_775_809.0)
    try expect([UInt64.max], "@sum.@self", is: 18_446_744_073_709_551_615.0)
    try expect([Int.max, 1].map { ShopItem("", quantity: $0) }, "@sum.quantity", is: 9_223_372_036_854_775_808.0)
  }

  @Test("OP.3: one floating-point number makes the sum a Double; integers and Bools of any width stay integers")
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

  @Test("OP.3: nil counts as 0, and @avg divides by the full count")
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

  @Test("OP.3: empty: @sum 0, @avg 0, @min and @max nil, unions empty, @count 0")
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

  @Test("OP.3: @sum and @avg of what is no number is an error, not zero (≠GNUstep)")
  func noNumbers() {
    #expect(code(items, "@sum.name") == .operatorFailed)
    #expect(code(items, "@avg.name") == .operatorFailed)
    #expect(code([1, "2"] as [Any], "@sum.@self") == .operatorFailed)
    let error = #expect(throws: KVError.self) { try value(items, "@sum.name") }
    #expect(error?.message == "@sum: element 0: the String \"tea\" is not a number.")
  }

  @Test("OP.3: numbers with an exact arithmetic of their own are summed and averaged by it")
  func exactNumbers() throws {
    try expect([ShopMoney(100), ShopMoney(50)], "@sum.@self", is: ShopMoney(150))
    try expect([ShopMoney(100), 1] as [Any], "@sum.@self", is: ShopMoney(200))
    try expect([2, ShopMoney(100), 0.5] as [Any], "@sum.@self", is: ShopMoney(350))
    try expect([ShopMoney(100), nil] as [ShopMoney?], "@avg.@self", is: ShopMoney(50))
    try expect([ShopMoney(100), ShopMoney(50)], "@min.@self", is: ShopMoney(50))
    try expect([2, ShopMoney(100)] as [Any], "@max.@self", is: 2)
  }

  // MARK: OP.4

  @Test("OP.4: @min and @max ignore nil and compare numbers across types")
  func extremes() throws {
    try expect([3, nil, 1, 2] as [Int?], "@min.@self", is: 1)
    try expect([3, nil, 1, 2] as [Int?], "@max.@self", is: 3)
    let mixed = [Whole(1), Fraction(2.5), Whole(2)] as [KVObject]
    try expect(mixed, "@max.size", is: 2.5)
    try expect(mixed.reversed() as [KVObject], "@max.size", is: 2.5)
    try expect([Fraction(0.5), Whole(1)] as [KVObject], "@min.size", is: 0.5)
    try expect([3, 2.5, UInt8(4)] as [Any], "@max.@self", is: UInt8(4))
    try expect([3, 2.5, UInt8(4)] as [Any], "@min.@self", is: 2.5)
    try expect([9_007_199_254_740_993, 9_007_199_254_740_992.0] as [Any], "@max.@self", is: 9_007_199_254_740_993)
    try expect([9_007_199_254_740_992.0, 9_007_199_254_740_993] as [Any], "@min.@self", is: 9_007_199_254_740_992.0)
    try expect([false, true], "@max.@self", is: true)
    #expect(try value([nil, nil] as [Int?], "@max.@self") == nil)
    try expect(["b", "a", "c"], "@max.@self", is: "c")
    try expect([5], "@min.@self", is: 5)
  }

  @Test("OP.2: the right path is read once for each element", arguments: ["@sum", "@avg", "@min", "@max"])
  func reads(name: String) throws {
    let (integers, fractions) = ([Counted(1), Counted(2)], [Counted(1.5), Counted(2.5)])
    _ = try value(integers, "\(name).size")
    _ = try value(fractions, "\(name).size")
    #expect(integers.map(\.reads) == [1, 1] && fractions.map(\.reads) == [1, 1])
  }

  @Test("OP.4: of equal elements the first one is found")
  func ties() throws {
    try expect([1, 1.0] as [Any], "@max.@self", is: 1)
    try expect([1.0, 1] as [Any], "@min.@self", is: 1.0)
  }

  @Test("OP.4: incomparable elements are an error")
  func incomparable() {
    #expect(code([1, "a"] as [Any], "@max.@self") == .operatorFailed)
    #expect(code(["a", 1] as [Any], "@min.@self") == .operatorFailed)
    #expect(code([ShopPoint(), ShopPoint()], "@max.@self") == .operatorFailed)
    #expect(code([ShopPoint()], "@max.@self") == .operatorFailed)
    #expect(code(items, "@min.@self") == .operatorFailed)
    #expect(code([1, Double.nan] as [Any], "@min.@self") == .operatorFailed)
    let error = #expect(throws: KVError.self) { try value([1, "a"] as [Any], "@max.@self") }
    #expect(error?.message == "@max: element 1: the String \"a\" and the Int 1 cannot be compared.")
  }
}

/// Money, exact to the cent.
private struct ShopMoney: ExactNumber {
  var cents: Int

  init(_ cents: Int) { self.cents = cents }
  init?(number: AnyNumber) {
    if case .exact(let value) = number, let money = value as? ShopMoney {
      self = money
    } else {
      cents = Int(number.double * 100)
    }
  }
  var number: AnyNumber { .exact(self) }
  var double: Double { Double(cents) / 100 }
  var isNaN: Bool { false }
  var value: NumberValue? { NumberValue(isNegative: cents < 0, digits: UInt128(cents.magnitude), tens: -2) }
  static func sum(of numbers: [AnyNumber]) -> ShopMoney {
    ShopMoney(numbers.compactMap { ShopMoney(number: $0)?.cents }.reduce(0, +))
  }
  func divided(by count: Int) -> ShopMoney { ShopMoney(cents / count) }
  static func < (left: ShopMoney, right: ShopMoney) -> Bool { left.cents < right.cents }
}

/// Counts how often its size is read.
private final class Counted<Size>: KVObject {
  private(set) var reads = 0
  private let size: Size

  init(_ size: Size) { self.size = size }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Counted<Size>.self) { key in
      key("size") { counted in
        counted.reads += 1
        return counted.size
      }
    }
  }
}

private final class Whole: KVObject {
  let size: Int

  init(_ size: Int) { self.size = size }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Whole.self) { key in key("size", \.size) }
  }
}

private final class Fraction: KVObject {
  let size: Double

  init(_ size: Double) { self.size = size }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Fraction.self) { key in key("size", \.size) }
  }
}
