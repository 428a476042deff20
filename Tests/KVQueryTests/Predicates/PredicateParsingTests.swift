import KVCore
import KVQuery
import TestModels
import Testing

@Suite struct PredicateParsingTests {
  @Test(
    "FLT.3, FLT.4, FLT.13: a format and how it is printed",
    arguments: [
      ("year=2020", "year == 2020"),
      ("a = 1 or b = 2 and c = 3", "a == 1 OR b == 2 AND c == 3"),
      ("(a = 1 || b = 2) && c = 3", "(a == 1 OR b == 2) AND c == 3"),
      ("a = 1 AND (b = 2 AND c = 3)", "a == 1 AND b == 2 AND c == 3"),
      ("NOT a = 1 AND b = 2", "NOT a == 1 AND b == 2"),
      ("!(a = 1 AND b = 2)", "NOT (a == 1 AND b == 2)"),
      ("NOT NOT a = 1", "a == 1"),
      ("(((a))) = ((1))", "a == 1"),
      ("(a + b) > 3", "a + b > 3"),
      ("(a > 3)", "a > 3"),
      ("a <> 1 AND b =< 2 AND c => 3", "a != 1 AND b <= 2 AND c >= 3"),
      ("a+b*c**d-e/f > 0", "a + b * c ** d - e / f > 0"),
      ("(a+b)*c > a-(b-c)", "(a + b) * c > a - (b - c)"),
      ("a ** b ** c > (a ** b) ** c", "a ** b ** c > (a ** b) ** c"),
      ("a > -5 AND b > --5 AND c > -d", "a > -5 AND b > 5 AND c > 0 - d"),
      ("(-5) ** 2 > -5 ** 2", "(-5) ** 2 > 0 - 5 ** 2"),
      ("a == 0xff AND b == 0o17 AND c == 0b101", "a == 255 AND b == 15 AND c == 5"),
      (
        "a == 1.5e3 AND b == 1e-2 AND c == 9223372036854775808",
        "a == 1500.0 AND b == 0.01 AND c == 9223372036854775808"
      ),
      ("a == -9223372036854775808", "a == -9223372036854775808"),
      ("a == 'it''s'", ""),
      (#"a == 'it\'s' AND b == "\u00e9\n""#, #"a == "it's" AND b == "é\n""#),
      ("a == true AND b == NO AND c == null AND d == NIL", "a == TRUE AND b == FALSE AND c == NULL AND d == NULL"),
      ("TruePredicate or falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
      ("title contains[cd] 'x' and b beginswith[C] 'y'", "title CONTAINS[cd] \"x\" AND b BEGINSWITH[c] \"y\""),
      ("title LIKE '*.txt' AND b ENDSWITH 'a'", "title LIKE \"*.txt\" AND b ENDSWITH \"a\""),
      ("a IN {1, 'x', {2}}", "a IN {1, \"x\", {2}}"),
      ("a IN {1, b}", "a IN {1, b}"),
      ("a BETWEEN {1, 5}", "a BETWEEN {1, 5}"),
      (
        "some tags = 'x' AND all tags != 'y' AND none tags = 'z'",
        "ANY tags == \"x\" AND ALL tags != \"y\" AND NONE tags == \"z\""
      ),
      ("orders.@sum.total > 5 AND @count = 2", "orders.@sum.total > 5 AND @count == 2"),
      ("orders[0].total = x[\"a.b\"].c", "orders[0].total == x[\"a.b\"].c"),
      (
        "tags[FIRST] = tags[last] AND tags[size] > i AND tags[i + 1] = 'x'",
        "tags[FIRST] == tags[LAST] AND tags[SIZE] > i AND tags[i + 1] == \"x\""
      ),
      ("SELF = 5 AND SELF.name = 'x' AND SELF[0] = 1", "SELF == 5 AND name == \"x\" AND SELF[0] == 1"),
      (
        "#in = 1 AND #'my key' = 2 AND a.in = 3 AND #first = 4",
        "#in == 1 AND #\"my key\" == 2 AND a.in == 3 AND #first == 4"
      ),
      ("$x.name == $y", "$x.name == $y"),
      ("SUBQUERY(orders, $o, $o.total > 5).@count > 1", "SUBQUERY(orders, $o, $o.total > 5).@count > 1"),
      ("TERNARY(a > 1, 'x', b.c) = 'y'", "TERNARY(a > 1, \"x\", b.c) == \"y\""),
      ("CAST(a, 'Int') = 5", "CAST(a, \"Int\") == 5"),
      ("sum(a) = count:(b) AND from:subtract:(a, 1) = add:to:(1, 2)", "sum(a) == count(b) AND a - 1 == 1 + 2"),
      ("straße = 1 AND 名前 = 2", "straße == 1 AND 名前 == 2"),
      ("a\u{A0}=\u{3000}1\n\tAND b=2", "a == 1 AND b == 2"),
      ("abs(-5) > max(a, b)", "abs(-5) > max(a, b)"),
      (#"a MATCHES "\\d+\.x""#, #"a MATCHES "\\d+\\.x""#),
      ("pair.0 = 1", "pair.#\"0\" == 1"),
    ])
  func printing(format: String, printed: String) throws {
    guard !printed.isEmpty else {
      #expect(throws: KVError.self) { try KVPredicate(format: format) }
      return
    }
    let predicate = try KVPredicate(format: format)
    #expect(predicate.description == printed)
    #expect(try KVPredicate(format: printed) == predicate, "FLT.2")
  }

  @Test(
    "FLT.14: a malformed format says where, what was expected and what was found",
    arguments: [
      ("", 0, "an expression", "the end"), ("a", 1, "an operator such as ==", "the end"),
      ("a ==", 4, "an expression", "the end"),
      ("a == 1 b == 2", 7, "AND, OR or the end", "b"), ("(a == 1", 7, "\")\"", "the end"),
      ("a == 1)", 6, "AND, OR or the end", ")"),
      ("a = 1 AND", 9, "an expression", "the end"), ("é = 'x", 4, "never closed", "the end"),
      ("a = 1 = 2", 6, "AND, OR or the end", "="),
      ("a BETWEEN {1}", 10, "two bounds", "{"), ("a BETWEEN 1 AND 3", 10, "two bounds", "1"),
      ("a IN (1, 2)", 7, "A list has braces", ","), ("a % 2 = 0", 2, "modulus:by:", "%"),
      ("a MATCHES '('", 10, "regular expression", "'('"),
      ("a..b = 1", 2, "a key", "."),
      ("nope(a) = 1", 0, "a function", "nope"), ("abs(a, b) = 1", 0, "1 argument", "abs"),
      ("max() = 1", 0, "at least 1 argument", "max"),
      ("a = 1a", 5, "the end of the number", "a"),
      (#"a = "\é""#, 5, "a character to escape", "\\"), ("a = '\\\u{7F}'", 5, "a character to escape", "\\"),
      ("a = %", 4, "a specifier", "%"), ("CAST(a, 'Nope') = 1", 8, "one of the types", "'Nope'"),
      ("a = 0x", 4, "base 16", "0"),
      ("and = 1", 0, "#and", "and"), ("a = $", 5, "variable", "the end"), ("a = {1, }", 8, "an expression", "}"),
      ("\u{1} = 1", 0, "expected", "\u{1}"),
      ("name = “x”", 7, "a key or a value", "“"), ("name=«x»", 5, "stands between \" and \"", "«"),
      ("a is null", 2, "Write x == NULL or x != NULL.", "is"),
      ("(a IS NULL)", 3, "Write x == NULL or x != NULL.", "IS"),
      ("count not == 1", 6, "NOT stands before a comparison, as in NOT x IN {1, 2}; unequal is x != 1.", "not"),
      ("(a NOT IN {1})", 3, "NOT stands before a comparison", "NOT"),
      ("a = 1 AND b NOT LIKE 'x'", 12, "NOT stands before a comparison", "NOT"),
      ("ANY a NOT IN {1}", 6, "NOT stands before a comparison", "NOT"), ("a ! = 1", 2, "unequal is x != 1.", "!"),
      ("ANY a", 5, "A condition is a comparison, as in x == TRUE.", "the end"),
      ("min() = 1", 0, "at least 1 argument for min", "min"), ("length() = 1", 0, "1 argument for length", "length"),
      ("a == b OR (c)", 13, "an operator", "the end"), ("a = 1e999", 4, "a Double", "1"),
      ("(a = 1) = 2", 8, "AND, OR", "="),
      ("a[1.5] = 1 + (b = 2)", 13, "no predicate", "("),
      ("a = 1 AND #'' = 1", 11, "a key path", "''"),
      ("é = 1 OR @'a.b' = 1", 9, "a key path", "@"),
    ])
  func faults(format: String, offset: Int, expected: String, found: String) throws {
    let error = #expect(throws: KVError.self) { try KVPredicate(format: format) }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.offset == offset, "\(error?.message ?? "")")
    #expect(error?.component == found, "\(error?.message ?? "")")
    #expect(error?.keyPath == format)
    if !expected.hasPrefix("a specifier") {
      #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
  }

  @Test(
    "FLT.14: a malformed format of an expression is called an expression, and that of a predicate a predicate",
    arguments: [
      ("price *", "at offset 7, expected an expression, and found the end."),
      ("price > 2", "at offset 6, expected an operator or the end, and found \">\"."),
      ("\u{201C}a\u{201D}", "at offset 0, expected a key or a value, and found \"\u{201C}\"."),
    ])
  func subjects(format: String, fault: String) {
    let expression = #expect(throws: KVError.self) { try KVExpression(format: format) }
    #expect(expression?.message.hasPrefix("\"\(format)\" is not an expression: \(fault)") == true)
    let predicate = #expect(throws: KVError.self) { try KVPredicate(format: "a == 1 AND \(format) ==") }
    #expect(predicate?.message.hasPrefix("\"a == 1 AND \(format) ==\" is not a predicate: at offset ") == true)
  }

  @Test(
    "FLT.15: what is not supported is named",
    arguments: [
      ("a UTI-CONFORMS-TO 'x'", "UTI"), ("ANYKEY = 1", "ANYKEY"), ("FETCH(a) = 1", "FETCH"),
      ("FUNCTION(a, 'b') = 1", "FUNCTION"),
      ("a := 1", ":="), ("random() = 1", "random"), ("a ==[n] 'x'", "option n"), ("a LIKE[cl] 'x'", "option l"),
    ])
  func unsupported(format: String, name: String) throws {
    let error = #expect(throws: KVError.self) { try KVPredicate(format: format) }
    #expect(error?.code == .invalidPredicate && error?.message.contains(name) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("not supported") == true)
  }

  @Test("FLT.14: more than 200 levels throw, and a chain of any length does not")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a = 1" + String(repeating: ")", count: count)
    }
    _ = try KVPredicate(format: nested(200))
    for format in [
      nested(201), nested(100_000), String(repeating: "(", count: 1_000_000),
      String(repeating: "NOT ", count: 100_000) + "a = 1",
      String(repeating: "-", count: 100_000) + "1 = 1", "1" + String(repeating: " + 1", count: 10_000) + " = 1",
      "a = " + String(repeating: "{", count: 1_000), "a[" + String(repeating: "a[", count: 1_000),
      "2" + String(repeating: " ** 2", count: 10_000) + " = 1", String(repeating: "abs(", count: 5_000),
    ] {
      let error = #expect(throws: KVError.self) { try KVPredicate(format: format) }
      #expect(error?.code == .limitExceeded, "\(error?.message.prefix(200) ?? "")")
    }
    let chain = "a = 0" + (1...5_000).map { " OR a = \($0)" }.joined()
    #expect(try KVPredicate(format: chain).evaluate(with: ["a": 5_000]))
    var built = KVPredicate(true)
    for _ in 0..<300 { built = !(built && KVPredicate(true)) || KVPredicate(false) }
    let error = #expect(throws: KVError.self) { try built.evaluate(with: 1) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("FLT.14: seeded texts of tokens and of bytes never trap, and what parses is printed and parsed again")
  func fuzz() throws {
    var generator = SplitMix64(seed: 14)
    let tokens = [
      "a", "b.c", "1", "2.5", "'x'", "\"y", "\\", "(", ")", "{", "}", "[", "]", ",", ".", "@count", "@", "#", "$x", "$",
      "=", "==",
      "<", ">=", "!", "&&", "||", "AND", "or", "NOT", "ANY", "ALL", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS[cd]",
      "[c]",
      "SELF", "NULL", "TRUE", "TRUEPREDICATE", "SUBQUERY(", "CAST(", "TERNARY(", "sum(", "abs:(", "%@", "%K", "%d", "+",
      "-", "*",
      "**", "/", "0x1F", "1e5", "é", "\u{A0}", "FIRST", "#in", "SUBQUERY(a, $x, $x.b = 1)", ":=", "add:to:", "\n", "😀",
    ]
    var parsed = 0
    for _ in 0..<20_000 {
      let text: String
      if generator.below(4) == 0 {
        let bytes = (0..<generator.below(24)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        text = String(decoding: bytes, as: UTF8.self)
      } else {
        text = (0..<generator.below(14)).map { _ in tokens[generator.below(tokens.count)] }.joined(separator: " ")
      }
      guard let predicate = try? KVPredicate(format: text) else { continue }
      parsed += 1
      let again = try KVPredicate(format: predicate.description)
      #expect(again == predicate && again.description == predicate.description, "\(text)")
      _ = try? predicate.evaluate(with: ["a": 1])
    }
    #expect(parsed > 20)
  }
}
