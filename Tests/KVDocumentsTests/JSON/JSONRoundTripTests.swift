import Foundation
import KVBinding
import KVDocuments
import TestModels
import Testing

@Suite("Numbers survive a document")
struct JSONRoundTripTests {
  private func again(_ value: Any) throws -> Any? {
    try KVDocument(data: try KVDocument(value).data(), format: .json).root
  }

  private func expectSame(_ value: Double) throws {
    let read = try #require(try again([value]) as? [Any])[0]
    #expect(type(of: read) == Double.self)
    #expect((read as? Double)?.bitPattern == value.bitPattern, "\(value)")
  }

  @Test("DOC.2: every finite Double comes back with its bits, and as a Double")
  func doubles() throws {
    for value in [
      0, -0.0, 1, -1, 4.5, 0.1, 1e16, 1e22, 1e23, 0x1p53, 0x1p53 + 2, -0x1p53 - 2, 0x1p63, -0x1p63, 0x1p64, 0x1p127,
      1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude, .pi, 12345678901234567168, 0x1p53 * 10,
    ] as [Double] {
      try expectSame(value)
    }
    var random = SplitMix64(seed: 56)
    for _ in 0..<20_000 {
      let any = Double(bitPattern: random.next())
      if any.isFinite { try expectSame(any) }
      try expectSame(Double(Int64(bitPattern: random.next())))
      try expectSame(Double(random.below(1 << 60)) * 1_024)
    }
  }

  @Test("DOC.2: every integer comes back equal, and as an integer")
  func integers() throws {
    var random = SplitMix64(seed: 57)
    var values: [Int] = [0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, 1 << 53 + 1, 999_999_999_999_999_999]
    for _ in 0..<20_000 { values.append(Int(truncatingIfNeeded: random.next()) >> random.below(64)) }
    let read = try #require(try again(values) as? [Any])
    #expect(read.allSatisfy { type(of: $0) == Int.self })
    #expect(read.map { $0 as? Int } == values)
    #expect(try again(UInt64.max) as? UInt64 == .max)
    #expect(try again(Int128.max) as? Int128 == .max)
    #expect(try again(Int128.min) as? Int128 == .min)
    let digits = "123456789012345678901234567890"
    let root = try KVDocument(data: Data(digits.utf8)).root
    #expect(root as? Int128 == Int128(digits))
    #expect(try KVC.value(of: ["n": root as Any], forKeyPath: "n.self") as? Int128 == Int128(digits))
  }

  @Test("DOC.2: an integer that a format cannot hold is refused, and never written as a double")
  func largeIntegers() throws {
    for value in [UInt128.max, UInt128(Int128.max) + 2] {
      let error = #expect(throws: KVError.self) { try KVDocument(["n": value], format: .json).data() }
      #expect(
        error?.message == """
          cannot be written as JSON: at n, the integer \(value) does not fit in 128 bits with a sign; make it a string.
          """)
    }
    let large = try #require(Decimal(string: "123456789012345678901"))
    for value in [UInt128.max, large, Decimal(sign: .plus, exponent: 60, significand: 1)] as [Any] {
      for format in [KVDocument.Format.xml, .binary] {
        let error = #expect(throws: KVError.self) { try KVDocument(["n": value], format: format).data() }
        #expect(
          error?.message == """
            cannot be written as a property list: at n, the integer \(value) does not fit in 64 bits; make it a string.
            """)
      }
    }
    // A double is between the neighbours of this one.
    for value in [Decimal(9_007_199_254_740_993), 5, Decimal(string: "0.1") ?? 0] {
      let data = try KVDocument(["n": value], format: .binary).data()
      let root = try #require(try KVDocument(data: data).root as? [String: Any])
      #expect(KVC.areEqual(root["n"], value))
    }
    #expect(try again(large) as? Int128 == 123_456_789_012_345_678_901)
  }

  @Test(
    "DOC.2: a number is an integer if it is written as one", arguments: [("1", true), ("1.0", false), ("1e0", false)])
  func kinds(text: String, isInteger: Bool) throws {
    let root = try KVDocument(data: Data(text.utf8), format: .json).root
    #expect((root is Int && type(of: root) != Double.self) == isInteger)
    #expect(KVC.areEqual(root, 1))
    #expect(try ["n": root as Any].value(forKey: "n", as: Int.self) == 1)
  }
}
