import Foundation
import KVCore
import KVFoundation
import Testing

@Suite("Decimal takes part in key-value coding")
struct DecimalTests {
  final class Account: KVObject {
    var balance = Decimal(0)
    var limit: Decimal?
    var count = 0
    var ratio = 0.0
    var small: Int8 = 0
    var isOpen = false
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Account.self) { key in
        key("balance", \.balance)
        key("limit", \.limit)
        key("count", \.count)
        key("ratio", \.ratio)
        key("small", \.small)
        key("isOpen", \.isOpen)
      }
    }
  }

  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test("CO.2: every number becomes a Decimal, and a double the one that it is printed as")
  func toDecimal() throws {
    let account = Account()
    for (value, text) in [
      (12 as Any, "12"), (3.14, "3.14"), (0.1, "0.1"), (-1e20, "-100000000000000000000"), (true, "1"),
      (1e-7, "0.0000001"), (UInt64.max, "18446744073709551615"), (Float(0.5), "0.5"), (0.0, "0"),
      (123456.789, "123456.789"), (-0.0, "0"), (1e-300, "0"), (-Double.leastNonzeroMagnitude, "0"),
    ] {
      try account.setValue(value, forKey: "balance")
      #expect(try account.balance == decimal(text), "\(value)")
    }
    try account.setValue(5, forKey: "limit")
    #expect(account.limit == 5)
    try account.setValue(nil, forKey: "limit")
    #expect(account.limit == nil)
  }

  @Test("CO.2: Int128 is exact to its last digit")
  func wideIntegers() throws {
    for value in [Int128.max, .min, Int128.max - 1, 0, -1, Int128(Int64.min), Int128(1) << 64] {
      let decimal = try #require(Decimal(number: .integer(value)))
      #expect(decimal.description == value.description)
      #expect(decimal.number.truncated == value)
    }
  }

  @Test("CO.2: a fraction is cut off toward zero")
  func truncation() throws {
    let account = Account()
    for (text, expected) in [("3.99", 3), ("-3.99", -3), ("0.5", 0), ("-0.5", 0), ("1000", 1000), ("1e3", 1000)] {
      try account.setValue(decimal(text), forKey: "count")
      #expect(account.count == expected)
    }
    try account.setValue(decimal("0.1"), forKey: "ratio")
    #expect(account.ratio == 0.1)
    try account.setValue(decimal("0.001"), forKey: "isOpen")
    #expect(account.isOpen)
  }

  @Test(
    "CO.2: what is out of range is an error, and changes nothing",
    arguments: [("small", "128"), ("small", "-129"), ("count", "9223372036854775808"), ("count", "1e100")])
  func outOfRange(key: String, text: String) throws {
    let account = Account()
    let value = try decimal(text)
    #expect { try account.setValue(value, forKey: key) } throws: { ($0 as? KVError)?.code == .numberOutOfRange }
    #expect(try account.value(forKey: key, as: Int.self) == 0)
  }

  @Test("CO.2: a Decimal takes no NaN, no infinity and nothing out of its range", arguments: [.nan, .infinity, 1e300])
  func notNumbers(value: Double) {
    let account = Account()
    #expect { try account.setValue(value, forKey: "balance") } throws: {
      ($0 as? KVError)?.code == .numberOutOfRange
    }
    #expect(account.balance == 0)
    #expect(Decimal(number: .exact(Decimal.nan)) == nil)
    #expect(Decimal.nan.number.truncated == nil)
    #expect(Decimal.nan.double.isNaN)
  }

  @Test("CO.7: Decimals are equal to other numbers of the same value")
  func equality() throws {
    #expect(KVC.areEqual(try decimal("0.1"), 0.1))
    #expect(KVC.areEqual(0.1, try decimal("0.1")))
    #expect(KVC.areEqual(Decimal(3), 3))
    #expect(KVC.areEqual(UInt8(3), Decimal(3)))
    #expect(!KVC.areEqual(try decimal("9007199254740993"), 9_007_199_254_740_992))
    #expect(!KVC.areEqual(Decimal(0), 1e-200))
    #expect(!KVC.areEqual(Decimal(3), "3"))
    #expect(!KVC.areEqual(Decimal(3), Double.nan))
  }

  @Test("OP.4: a Decimal and NaN cannot be compared, in either order")
  func comparisonWithNaN() throws {
    for values in [[Decimal(1), Double.nan] as [Any], [Double.nan, Decimal(1)], [Decimal.nan, 1], [1, Decimal.nan]] {
      let error = #expect(throws: KVError.self) { try values.value(forKeyPath: "@max.self") }
      #expect(error?.code == .operatorFailed)
    }
    #expect(Bool(number: .exact(Decimal.nan)) == nil)
  }

  @Test("OP.3: @sum and @avg are exact")
  func sums() throws {
    let items: [[String: Any]] = try ["0.1", "0.2", "0.3"].map { ["price": try decimal($0)] }
    #expect(try items.value(forKeyPath: "@sum.price") as? Decimal == decimal("0.6"))
    #expect(try items.value(forKeyPath: "@avg.price") as? Decimal == decimal("0.2"))
    let mixed: [Any] = [try decimal("0.1"), 2, 0.2, true]
    #expect(try mixed.value(forKeyPath: "@sum.self") as? Decimal == decimal("3.3"))
    let many = try Array(repeating: decimal("0.01"), count: 1_000)
    #expect(try many.value(forKeyPath: "@sum.self") as? Decimal == 10)
    let third = try [Decimal(1), 0, 0].value(forKeyPath: "@avg.self", as: Decimal.self)
    #expect(third.description == "0." + String(repeating: "3", count: 38))
  }

  @Test("OP.3: nil counts as zero")
  func sumsWithNil() throws {
    let values: [Decimal?] = [1, nil, 2]
    #expect(try values.value(forKeyPath: "@sum.self") as? Decimal == 3)
    #expect(try values.value(forKeyPath: "@avg.self") as? Decimal == 1)
  }

  @Test("OP.4: @min and @max compare Decimals with other numbers")
  func extremes() throws {
    let values: [Any] = [2, try decimal("0.5"), 1.5, try decimal("2.5"), UInt8(1)]
    #expect(try values.value(forKeyPath: "@min.self") as? Decimal == decimal("0.5"))
    #expect(try values.value(forKeyPath: "@max.self") as? Decimal == decimal("2.5"))
    let doubles: [Any] = [Decimal(7), 1e200, -Double.infinity]
    #expect(try doubles.value(forKeyPath: "@max.self") as? Double == 1e200)
    #expect(try doubles.value(forKeyPath: "@min.self") as? Double == -Double.infinity)
  }

  @Test("OP.4: @min and @max work over dates")
  func dates() throws {
    let dates = [3.0, 1, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
    let events: [[String: Any]] = dates.map { ["start": $0] }
    #expect(try events.value(forKeyPath: "@min.start") as? Date == dates[1])
    #expect(try events.value(forKeyPath: "@max.start") as? Date == dates[0])
    #expect(try dates.value(forKeyPath: "@max.self") as? Date == dates[0])
  }
}
