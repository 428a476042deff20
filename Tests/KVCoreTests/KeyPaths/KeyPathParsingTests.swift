import KVCore
import Testing

@Suite("Key paths: parsing")
struct KeyPathParsingTests {
  typealias Component = KVKeyPath.Component

  @Test(
    "KP.2: the grammar: keys, operators with arguments, indexes and quoted entries",
    arguments: [
      ("name", [.key("name")]),
      ("orders[0].total", [.key("orders"), .index(0), .key("total")]),
      (#"users["jane.doe"].name"#, [.key("users"), .entry("jane.doe"), .key("name")]),
      ("items.@sum.price", [.key("items"), .operator("sum", argument: nil), .key("price")]),
      (
        "@superviewWithTag[12].dataObject.name",
        [.operator("superviewWithTag", argument: "12"), .key("dataObject"), .key("name")]
      ),
      (#"a["\"\\"]"#, [.key("a"), .entry("\"\\")]),
      (#"a[""]"#, [.key("a"), .entry("")]),
      (#"a["[]. @"]"#, [.key("a"), .entry("[]. @")]),
      ("[0]", [.index(0)]),
      (#"["k"].x"#, [.entry("k"), .key("x")]),
      ("a[0][1]", [.key("a"), .index(0), .index(1)]),
      (#"@op["x]"].y"#, [.operator("op", argument: "x]"), .key("y")]),
      ("@op[a.b]", [.operator("op", argument: "a.b")]),
      ("@op[1][2]", [.operator("op", argument: "1"), .index(2)]),
      ("a[007]", [.key("a"), .index(7)]),
      ("[9223372036854775807]", [.index(.max)]),
    ] as [(String, [Component])])
  func grammar(text: String, components: [Component]) throws {
    #expect(try KVKeyPath(text).components == components)
  }

  @Test(
    "KP.3: keys are any text without dots and brackets that does not begin with @",
    arguments: ["größe", "日本語", "a b", "a@b", "\"", "\\", "0", "🏳️‍🌈", "\n", "\0", "_", "e\u{301}"])
  func keysAreAnyText(key: String) throws {
    #expect(try KVKeyPath(key).components == [.key(key)])
    #expect(try KVKeyPath(components: [.key(key)]).description == key)
  }

  @Test("KP.3: keys are case sensitive")
  func keysAreCaseSensitive() throws {
    #expect(("Name" as KVKeyPath) != "name")
    #expect(failure { () throws(KVError) in try Author().value(forKey: "Name") }?.code == .undefinedKey)
  }

  @Test("KP.3: a key from components follows the same rule", arguments: ["", "a.b", "a[", "]", "@a"])
  func componentsFollowTheRule(key: String) {
    #expect(failure { () throws(KVError) in try KVKeyPath(components: [.key(key)]) }?.code == .invalidKeyPath)
  }

  /// Text, offset of the fault, what was expected.
  static let malformed: [(text: String, offset: Int, expected: String)] = [
    ("", 0, "a key path is never empty; expected a key"),
    ("a..b", 2, "expected a key"),
    (".a", 0, "expected a key"),
    ("a.", 2, "expected a key"),
    ("a.[0]", 2, "expected a key"),
    ("]", 0, #"unexpected "]" without a "[" before it"#),
    ("a]b", 1, #"unexpected "]" without a "[" before it"#),
    ("a[0", 1, #"the bracket opened here is never closed; expected "]""#),
    ("a[", 1, #"the bracket opened here is never closed; expected "]""#),
    (#"a["k""#, 1, #"the bracket opened here is never closed; expected "]""#),
    (#"a["k"#, 2, #"the quote opened here is never closed; expected ""#),
    (#"a["k"x]"#, 5, #"expected "]""#),
    (#"a["\n"]"#, 3, #"expected \" or \\ : no other escape exists"#),
    (#"a["\"#, 3, #"expected \" or \\ : no other escape exists"#),
    ("a[]", 2, #"expected an index that is not negative, or a quoted key, after "[""#),
    ("a[-1]", 2, #"expected an index that is not negative, or a quoted key, after "[""#),
    ("a[+1]", 2, #"expected an index that is not negative, or a quoted key, after "[""#),
    ("a[x]", 2, #"expected an index that is not negative, or a quoted key, after "[""#),
    ("a[1x]", 3, #"expected "]""#),
    ("a[1 ]", 3, #"expected "]""#),
    ("a[9223372036854775808]", 2, "expected an integer that fits in 64 bits"),
    ("a[0]b", 4, #"expected ".", "[" or the end after "]""#),
    ("@op[1]b", 6, #"expected ".", "[" or the end after "]""#),
    ("@", 1, #"expected the name of an operator after "@""#),
    ("a.@.b", 3, #"expected the name of an operator after "@""#),
    ("@@a", 1, #"expected the name of an operator after "@""#),
    ("@op[]", 4, #"expected an argument between "[" and "]""#),
    ("@op[a", 3, #"the bracket opened here is never closed; expected "]""#),
    ("@op[a[b]", 5, #"expected "]"; quote an argument that holds brackets or quotes"#),
    ("größe..x", 6, "expected a key"),
  ]

  @Test(
    "KP.4: a malformed path is refused with the text, the offset in characters, and what was expected",
    arguments: malformed)
  func malformedPaths(text: String, offset: Int, expected: String) throws {
    let error = try #require(failure { () throws(KVError) in try KVKeyPath(text) })
    #expect(error.code == .invalidKeyPath)
    #expect(error.keyPath == text)
    #expect(error.offset == offset)
    #expect(error.message == "\"\(text)\" is not a key path: at offset \(offset), \(expected).")
  }

  @Test("KP.4: the sentence about a very long text is short, and the error still carries all of it")
  func longTextIsCut() throws {
    let text = String(repeating: "a", count: 100_000) + ".."
    let error = try #require(failure { () throws(KVError) in try KVKeyPath(text) })
    #expect(error.message.count < 200)
    #expect(error.keyPath == text)
    #expect(error.offset == 100_001)
  }

  @Test("KP.5: 4,096 components are a path; 4,097 are refused", arguments: ["a", "@op[1]", "é"])
  func maximumCount(component: String) throws {
    let longest = Array(repeating: component, count: KVKeyPath.maximumCount).joined(separator: ".")
    #expect(KVKeyPath.maximumCount == 4_096)
    #expect(try KVKeyPath(longest).count == 4_096)
    let error = try #require(failure { () throws(KVError) in try KVKeyPath(longest + ".a") })
    #expect(error.code == .invalidKeyPath)
    #expect(error.message == "A key path has at most 4096 components; this one has 4097 or more. Split it.")
    #expect(failure { () throws(KVError) in try KVKeyPath(longest + "[0]") }?.code == .invalidKeyPath)
  }

  @Test("KP.5: the bound holds for paths that are composed, too")
  func maximumCountOfComposedPaths() throws {
    let longest = try KVKeyPath(components: Array(repeating: .key("a"), count: KVKeyPath.maximumCount))
    #expect(failure { () throws(KVError) in try longest.appending(.key("b")) }?.code == .invalidKeyPath)
    #expect(failure { () throws(KVError) in try longest.appending("b") }?.code == .invalidKeyPath)
    let tooMany = longest.components + [.key("b")]
    #expect(failure { () throws(KVError) in try KVKeyPath(components: tooMany) }?.code == .invalidKeyPath)
    #expect(failure { () throws(KVError) in try KVKeyPath(components: []) }?.code == .invalidKeyPath)
  }

  @Test("KP.5: parsing is linear: a text of millions of characters is parsed like any other")
  func longTexts() throws {
    let path = try KVKeyPath("[\"" + String(repeating: #"\""#, count: 2_000_000) + "\"].name")
    #expect(path.components == [.entry(String(repeating: "\"", count: 2_000_000)), .key("name")])
  }

  @Test("KP.6: a literal is a key path wherever one is wanted; a string at run time throws")
  func literals() throws {
    let path: KVKeyPath = "orders[0].total"
    #expect(path.count == 3)
    let text = "orders..total"
    #expect(failure { () throws(KVError) in try text.keyPath() }?.code == .invalidKeyPath)
    #expect(failure { () throws(KVError) in try Author().value(forKeyPath: text) }?.code == .invalidKeyPath)
    #expect(try "a.b".dropFirst(2).keyPath() == "b")
  }

  @Test("KP.6: a malformed literal traps with the parser's sentence")
  func malformedLiteralTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let path: KVKeyPath = "orders..total"
      print(path)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(#""orders..total" is not a key path: at offset 7, expected a key."#))
    #expect(output.contains("It is the text of a literal of type KVKeyPath: search for it in the program"))
  }
}
