import Foundation
import KVCore
import KVFoundation
import KVQuery
import Testing

/// Numbers of all types near each other: near the limits of types, and near what doubles and decimal numbers cannot tell apart.
private struct NumberSource {
  var random: RandomNumbers

  static let centers: [Double] = [
    0, 0.1, 1, 1.5, 1e15, 9_007_199_254_740_992, 9_223_372_036_854_775_808, 1.8446744073709552e19, 1e22, 1e23,
    1.7014118346046923e38, 3.4028236692093846e38, 1e100, 1e-100, 1e200, 1e-300, 1_125_899_906_842_624.25, 123456.789,
  ]

  mutating func next() -> Any {
    let center = Self.centers[random.below(Self.centers.count)] * (random.below(3) == 0 ? -1 : 1)
    let step = random.below(7) - 3
    switch random.below(9) {
    case 0: return Int128(exactly: center.rounded()).map { $0 &+ Int128(step) } as Any? ?? step
    case 1: return UInt128(exactly: center.magnitude.rounded()).map { $0 &+ UInt128(3 + step) } as Any? ?? UInt128.max
    case 2: return Int(exactly: center.rounded()).map { $0 &+ step } as Any? ?? Int.max &- 3 &+ step
    case 3: return UInt64(exactly: center.magnitude.rounded()).map { $0 &+ UInt64(3 + step) } as Any? ?? UInt64.max
    case 4: return Float(center)
    case 5: return step == 0
    case 6: return decimal(center, step)
    case 7: return wide(center, step)
    default: return near(center, step)
    }
  }

  private func near(_ center: Double, _ step: Int) -> Double { center + Double(step) * center.ulp }

  private mutating func decimal(_ center: Double, _ step: Int) -> Any {
    guard let decimal = Decimal(string: "\(near(center, step))"), !decimal.isNaN else { return Decimal(step) / 10 }
    let ulp = Decimal(sign: .plus, exponent: decimal.exponent - random.below(4), significand: Decimal(step))
    return (decimal + ulp).isNaN ? decimal : decimal + ulp
  }

  private mutating func wide(_ center: Double, _ step: Int) -> Any {
    #if arch(x86_64) && !os(Windows) && !os(Android)
      return Float80(near(center, step)) + Float80(random.below(2048) - 1024) * Float80(center).ulp
    #else
      return near(center, step)
    #endif
  }
}

private struct RandomNumbers {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}

@Suite("Numbers of all types have one order")
struct NumberOrderTests {
  /// The triples of one run; `.ci/nightly` tries a million.
  private static let count = ProcessInfo.processInfo.environment["KV_NUMBER_TRIPLES"].flatMap { Int($0) } ?? 2_000

  private func order(_ left: Any, _ right: Any) throws -> KVOrdering {
    try [KVSortDescriptor("self")].compare(left, right)
  }

  @Test("CO.7: the order of numbers of all types is transitive, and equal numbers have equal hashes")
  func transitivity() throws {
    var source = NumberSource(random: RandomNumbers(state: 14))
    for _ in 0..<Self.count {
      let triple = [source.next(), source.next(), source.next()]
      let (first, second, third) = (triple[0], triple[1], triple[2])
      let (left, right, outer) = (try order(first, second), try order(second, third), try order(first, third))
      let names = "\(triple.map { "\(type(of: $0)) \($0)" })"
      #expect(try order(second, first) == left.mirrored, "\(names)")
      if left == right || right == .same { #expect(outer == left, "\(names)") }
      if left == .same { #expect(outer == right, "\(names)") }
      #expect(KVC.areEqual(first, second) == (left == .same), "\(names)")
      // Distinct values are found by hashing.
      let pairs = [left, right, outer].count { $0 == .same }
      #expect(try triple.uniqued(by: "self").count == (pairs == 3 ? 1 : 3 - pairs), "\(names)")
    }
  }

  @Test("SRT.3: a sort of numbers of all types does not depend on their order")
  func sorts() throws {
    var source = NumberSource(random: RandomNumbers(state: 3))
    let numbers = (0..<300).map { _ in source.next() }
    let sorted = try numbers.sorted(by: ["self"])
    let reversed = try Array(numbers.reversed()).sorted(by: ["self"])
    for (one, other) in zip(sorted, reversed) { #expect(KVC.areEqual(one, other), "\(one) \(other)") }
  }

  @Test("CO.7: numbers compare exactly, whatever their types are")
  func examples() throws {
    let big = UInt128(1) << 127
    #expect(try order(big, big + 1) == .less)
    #expect(KVC.areEqual(big, Decimal(string: "170141183460469231731687303715884105728")))
    #expect(KVC.areEqual(big, 0x1p127))
    #expect(!KVC.areEqual(big + 1, 0x1p127))
    #expect(KVC.areEqual(0x1p60, Decimal(string: "1152921504606846976")))
    #expect(try order(Decimal(string: "1152921504606846977")!, 0x1p60) == .greater)
    #expect(KVC.areEqual(0.1, Decimal(string: "0.1")))
    #if arch(x86_64) && !os(Windows) && !os(Android)
      #expect(try order(Float80(0.1 as Double).nextUp, 0.1) == .greater)
      #expect(KVC.areEqual(Float80(sign: .plus, exponent: 63, significand: 1) + 1, 9_223_372_036_854_775_809 as UInt64))
      #expect(try KVC.convert(Float80(sign: .plus, exponent: 63, significand: 1) + 1, to: Double.self) == 0x1p63)
    #endif
    #expect(try KVC.convert(big + 1, to: Decimal.self).description == "170141183460469231731687303715884105729")
    #expect(try KVC.convert(Decimal(string: "170141183460469231731687303715884105729")!, to: UInt128.self) == big + 1)
  }

  final class Sets: KVObject {
    var integers: Set<Int> = [1, 2]
    var doubles: Set<Double> = [0.1, 1]
    var decimals: Set<Decimal> = [1, Decimal(string: "0.1")!]
    var any: Set<AnyHashable> = [1, "a"]
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Sets.self) { key in
        key("integers", \.integers)
        key("doubles", \.doubles)
        key("decimals", \.decimals)
        key("any", \.any)
      }
    }
  }

  @Test("COL.5: a view of a set finds a number of any type", arguments: ["integers", "doubles", "decimals", "any"])
  func sets(key: String) throws {
    let sets = Sets()
    let view = sets.mutableSet(forKey: key)
    for number in [1, 1.0, true, UInt8(1), Decimal(1), Float(1)] as [Any] {
      #expect(try view.contains(number), "\(number)")
      #expect(try !view.contains(3))
    }
    #expect(try view.contains(Decimal(string: "0.1")!) == (key == "doubles" || key == "decimals"))
    #expect(try view.contains(0.1) == (key == "doubles" || key == "decimals"))
    #expect(try !view.contains(1.5))
    try view.remove(Decimal(1))
    #expect(try !view.contains(1))
    #expect(view.count == 1)
    try view.add(true)
    try view.add(1)
    try view.formUnion([Decimal(1), 1.0])
    #expect(view.count == 2)
  }

  @Test("FLT.11: the median of integers is exact")
  func median() throws {
    let big = Int.max
    #expect(try KVPredicate(format: "median(SELF) == %@", big - 1).evaluate(with: [big, 1, big - 1]))
    #expect(try KVPredicate(format: "median(SELF) == %@", big - 1).evaluate(with: [big, big - 2]))
    #expect(try !KVPredicate(format: "median(SELF) == %@", Double(big)).evaluate(with: [big, 1, big - 1]))
    #expect(try KVPredicate(format: "median(SELF) == 3").evaluate(with: [0.5, 3, 4.5]))
    let tenths = [Decimal(string: "0.1")!, Decimal(string: "0.2")!]
    #expect(try KVPredicate(format: "median(SELF) == %@", Decimal(string: "0.15")!).evaluate(with: tenths))
    #expect(try KVPredicate(format: "median(SELF) == median({1, 2})").evaluate(with: [1, Double.nan]) == false)
  }
}

extension KVOrdering {
  fileprivate var mirrored: KVOrdering { self == .less ? .greater : self == .greater ? .less : .same }
}
