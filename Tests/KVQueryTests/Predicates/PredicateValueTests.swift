import KVCore
import KVQuery
import Testing

@Suite struct PredicateValueTests {
  private enum Red: Int, Sendable { case one = 1, two }
  private enum Blue: Int, Sendable { case one = 1, two }

  @Test("FLT.16, SRT.8: numbers keep their types in results, groups and the functions of the program")
  func types() throws {
    let row: [String: Any] = ["byte": UInt8(7), "float": Float(0.1), "bytes": [UInt8(1), 1, 2] as [UInt8]]
    #expect(try KVExpression.key("byte").value(of: row) is UInt8)
    #expect(try KVExpression.key("float").value(of: row) as? Float == 0.1)
    #expect(try KVExpression(format: "bytes[FIRST]").value(of: row) is UInt8)
    #expect(try KVExpression(format: "max(bytes)").value(of: row) is UInt8)
    let mode = try KVExpression(format: "mode(bytes)").value(of: row) as? [Any?]
    #expect(mode?.first as? UInt8 == 1)
    #expect(try [row].grouped(by: "byte").first?.key is UInt8)
    #expect(try [row].grouped(by: "float").first?.key is Float)
    try KVPredicate.registerFunction("testType") { "\(type(of: $0[0] ?? 0))" }
    defer { KVPredicate.unregisterFunction("testType") }
    #expect(try KVPredicate(format: "testType(byte) == 'UInt8' AND testType(float) == 'Float'").evaluate(with: row))
    #expect(try KVPredicate(format: "byte IN {7, 8} AND byte + 1 == 8 AND byte == 7 AND byte < 8").evaluate(with: row))
    let byType = try KVComparison.register("test types") { left, right in
      #expect(left is UInt8 && right is UInt8)
      return .same
    }
    defer { KVComparison.unregister("test types") }
    #expect(try [UInt8(2), 1].sorted(by: [.ascending("self", byType)]) == [2, 1])
    #expect(try [UInt8(2), 1].sorted(by: ["self"]) == [1, 2])
  }

  @Test("FLT.11: integers that no Int has stay exact")
  func wide() throws {
    let row: [String: Any] = ["big": UInt64.max]
    for format in [
      "big - 1 == 18446744073709551614", "big * 2 == 36893488147419103230", "big / 2 == 9223372036854775807",
      "abs(0 - big) == 18446744073709551615", "floor(big) == 18446744073709551615",
      "9223372036854775807 * 3 == 27670116110564327421", "big - big == 0", "modulus:by:(big, 10) == 5",
    ] {
      #expect(try KVPredicate(format: format).evaluate(with: row), "\(format)")
    }
    #expect(try KVExpression(format: "big - big").value(of: row) is Int)
    #expect(try KVExpression(format: "big * big * big").value(of: row) is Double)
  }

  @Test("SRT.3, FLT.5: values of two enums have no order, also if their raw values are numbers")
  func enums() throws {
    let mixed: [Any] = [Red.one, Blue.two]
    #expect(#expect(throws: KVError.self) { try mixed.sorted(by: ["self"]) }?.code == .typeMismatch)
    let row: [String: Any] = ["red": Red.one, "blue": Blue.one]
    #expect(
      #expect(throws: KVError.self) { try KVPredicate(format: "red < blue").evaluate(with: row) }?.code == .typeMismatch
    )
    #expect(try KVPredicate(format: "red != blue AND red == 1 AND red < 2").evaluate(with: row))
  }

  @Test("FLT.6: in LIKE, ? is one character of the text before it is folded")
  func wildcards() throws {
    for (format, expected) in [
      ("'Straße' LIKE[c] 'Stra?e'", true), ("'Straße' LIKE[c] 'Stra??e'", false), ("'Straße' LIKE[c] 'STRASSE'", true),
      ("'ßß' LIKE[c] '??'", true), ("'ßs' LIKE[c] '*?'", true), ("'aßb' LIKE[c] 'a*S?'", true),
      ("'Été' LIKE[cd] '?t?'", true), ("'İ' LIKE[c] '?'", true), ("'xßy' LIKE[c] 'xs?'", false),
    ] {
      #expect(try KVPredicate(format: format).evaluate(with: 1) == expected, "\(format)")
    }
  }

  @Test("FLT.20: each getter on a path is called once for an element")
  func reads() throws {
    for (format, other) in [
      ("owner.plain == 1", 1), ("owner.entries.a == 1", 1), ("owner.half == 1", 1), ("ANY owner.numbers.self == 1", 1),
      ("ANY owner.rows.a == 1", 1), ("owner.none == NULL", 1), ("owner.plain IN {1, 2}", 1),
    ] {
      let root = CountingRoot()
      _ = try [root].filter(KVPredicate(format: format))
      #expect(root.reads == other, "\(format)")
    }
    let root = CountingRoot()
    _ = try [root].sorted(by: ["owner.entries.a"])
    #expect(root.reads == 1)
  }

  @Test(
    "FLT.9, FLT.20: ANY calls the getter of each element once, whatever it compares numbers with",
    arguments: [
      ("ANY items.half == 1", false), ("ANY items.half < 1", true), ("ANY items.half IN {0.5, 2}", true),
      ("ANY items.half BETWEEN {0, 1}", true), ("ANY items.half == 9007199254740993", false),
      ("ANY items.half != 'a'", true),
      ("ANY items.count == 3", true), ("ANY items.count == 3.5", false), ("ANY items.count < 3.5", true),
      ("ANY items.count IN {3}", true), ("ANY items.count == NULL", false), ("ALL items.half >= 0.5", true),
      ("NONE items.count > 3", true), ("ANY items.half == $wanted", true),
    ])
  func quantifiedReads(_ format: String, _ expected: Bool) throws {
    let root = CountingList()
    #expect(try KVPredicate(format: format).evaluate(with: root, variables: ["wanted": 0.5]) == expected)
    #expect(root.items.allSatisfy { $0.reads <= 1 } && root.items[0].reads == 1)
  }

  @Test(
    "KVC.18: a word on the right of a comparison that is no key is answered with quotes, unless it is a slip",
    arguments: [
      ("name == Ada", "Write a text in quotes: 'Ada'."), ("SELF IN hours", ""),
      ("name CONTAINS da", "Write a text in quotes: 'da'."),
      ("name == nam", "Did you mean \"name\"?"), ("name == age.name", ""),
      ("Ada == name", ""),
    ])
  func unquoted(format: String, hint: String) {
    struct Person { let name = "Ada", age = 36 }
    let error = #expect(throws: KVError.self) { try KVPredicate(format: format).evaluate(with: Person()) }
    #expect(error?.code == .undefinedKey)
    #expect(error?.message.contains("in quotes") == hint.contains("in quotes"))
    #expect(error?.message.contains(hint) == true || hint.isEmpty)
  }

  @Test(
    "FLT.20: ANY stops at the first match, and reads its right side once, whatever holds the elements",
    arguments: ["items", "contiguous", "slice", "rows"])
  func matches(in key: String) throws {
    let root = CountingList()
    #expect(try KVPredicate(format: "ANY \(key).half == limit").evaluate(with: root))
    #expect(root.limits.reads == 1)
    if key != "rows" { #expect(root.items.map(\.reads) == [1, 0]) }
  }
}

private final class CountingList: KVObject {
  struct Row { let half = 0.5 }

  let items = [CountedNumbers(), CountedNumbers()]
  let limits = CountedNumbers()
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountingList.self) { key in
      key("items", \.items)
      key("contiguous") { ContiguousArray($0.items) }
      key("slice") { $0.items[...] }
      key("rows") { _ in [Row(), Row()] }
      key("limit") { $0.limits.read(0.5) }
    }
  }
}

private final class CountedNumbers: KVObject {
  private(set) var reads = 0
  func read<Number>(_ number: Number) -> Number {
    reads += 1
    return number
  }
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedNumbers.self) { key in
      key("half") { $0.read(0.5) }
      key("count") { $0.read(3) }
    }
  }
}

private final class CountingRoot: KVObject {
  private(set) var reads = 0
  private let child = CountedChild()
  var owner: CountedChild {
    reads += 1
    return child
  }
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountingRoot.self) { key in key("owner") { $0.owner } }
  }
}

private final class CountedChild: KVObject {
  var plain = 1
  var half = 0.5
  var entries: [String: Int] = ["a": 1]
  var numbers = [1, 2]
  var rows = [["a": 1], ["a": 2]]
  var none: String?
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedChild.self) { key in
      key("plain", \.plain)
      key("half", \.half)
      key("entries", \.entries)
      key("numbers", \.numbers)
      key("rows", \.rows)
      key("none", \.none)
    }
  }
}
