import Foundation
import KVSyntax
import Testing

/// What the scanner reads of a type's declaration (MOD.9).
@Suite struct ScannerTests {
  /// A line for each property: modifiers, name, type, initial value, kind.
  private func properties(_ source: String) -> [String] {
    TypeDeclaration(source).properties.map { property in
      let kind =
        property.accessors.getter != nil
        ? (property.accessors.hasSetter ? "get set" : "get") : property.accessors.hasObservers ? "observers" : "stored"
      let words = property.modifiers + [property.isConstant ? "let" : "var", property.writtenName]
      let type = property.type.map { ": \($0)" } ?? ""
      let value = property.initialValue.map { " = \($0)" } ?? ""
      return words.joined(separator: " ") + type + value + " { \(kind) }"
    }
  }

  @Test("MOD.1: the head of a declaration: attributes, modifiers, name, parameters and inherited types")
  func head() {
    let declaration = TypeDeclaration(
      """
      @KVModel(.root, .listedKeysOnly) @MainActor
      public final class `Order`<Item: Hashable, let count: Int>: Base<[Item]>, P & Q, @unchecked Sendable where Item: R {
      }
      """)
    #expect(declaration.introducer == "class")
    #expect(declaration.name == "Order")
    #expect(declaration.isGeneric)
    #expect(declaration.modifiers == ["public", "final"])
    #expect(declaration.attributes.map(\.name) == ["KVModel", "MainActor"])
    #expect(declaration.attributes.map(\.arguments) == ["(.root, .listedKeysOnly)", nil])
    #expect(declaration.inheritedTypes == ["Base<[Item]>", "P & Q", "@unchecked Sendable"])
  }

  @Test("MOD.9: the property after a case or another member of one line is read with its first word")
  func neighbours() {
    let source = """
      enum E {
        case a, b
        var x: Int { 1 }
        case c; static let y = 2
        prefix operator +++
        var z: Int { 3 }
      }
      """
    #expect(properties(source) == ["var x: Int { get }", "static let y = 2 { stored }", "var z: Int { get }"])
  }

  @Test("MOD.1, MOD.9: the property after a body and a semicolon is read")
  func semicolons() {
    let source = """
      class C {
        func f() {}; var a = 1; init(x: Int) { g() }; var b = 2
        struct In {};; var c = 3; deinit {}; @KVKey(.lenient) private var d = 4; var e: Int { 5 }; var f = 6
        subscript(i: Int) -> Int { i };
        let g = 7
      }
      """
    #expect(
      properties(source) == [
        "var a = 1 { stored }", "var b = 2 { stored }", "var c = 3 { stored }", "private var d = 4 { stored }",
        "var e: Int { get }", "var f = 6 { stored }", "let g = 7 { stored }",
      ])
  }

  @Test("MOD.9: a regular expression may have groups, and a division in parentheses is none")
  func groups() {
    let source = """
      struct S {
        var pattern = /(}|a)(b)x/
        var part = (1 / two) + (three / 4)
        var last: Int
      }
      """
    #expect(
      properties(source) == [
        "var pattern = /(}|a)(b)x/ { stored }", "var part = (1 / two) + (three / 4) { stored }",
        "var last: Int { stored }",
      ])
  }

  @Test("MOD.9: a regular expression ends on its line, also behind a backslash", arguments: ["\n", "\r"])
  func regularExpressionOfOneLine(end: String) {
    #expect(TokenList("a = /\\/b/").tokens.map(\.kind) == [.identifier, .operator, .regex])
    #expect(!TokenList("a = /\\\(end)b/").tokens.contains { $0.kind == .regex })
    #expect(TokenList("a = #/\\\(end)b/#").tokens.map(\.kind) == [.identifier, .operator, .regex])
  }

  @Test("MOD.9: an operator of periods ends before the bracket behind it")
  func ranges() {
    let source = """
      struct S {
        var tail = list[1...]
        var ends = (list[...2], 0..<3, ...)
        var last: Int
      }
      """
    #expect(
      properties(source) == [
        "var tail = list[1...] { stored }", "var ends = (list[...2], 0..<3, ...) { stored }",
        "var last: Int { stored }",
      ])
  }

  @Test("MOD.1: patterns, types and initial values, over as many lines as they take")
  func patterns() {
    let source = #"""
      struct S {
        var a = 1, b: [String: Int] = [:], c: Int? // , d
        let (x, y: (z, _)) = (1, (2, 3)); static var s = 1
        var e: (Int) async throws(E) -> Dictionary<String, [Int]>? = nil
        var f =
          first
          + second ? 1
          : 2
        var g = Set<Int>(), h = a < b, i = c > d
        weak var j: S?, k: Int!
        public private(set) unowned(unsafe) var `default` = """
        } var no = 1
        """
        var l = call { $0 + 1 } then: { var no = 1 }
        @Wrapper(x: { var no = 1 }) var m: some P & Q = make()
          .chained()
          #if DEBUG
          .more { }
          #endif
        var n = if a { 1 } else { 2 }
        var o = "\(call("}") { "\(1)" }) var no"
        var p = #/ } var no /#, q = /} var no/
        func f() { var no = 1 }
        var r: Int
      }
      """#
    #expect(
      properties(source).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } == [
        "var a = 1 { stored }", "var b: [String: Int] = [:] { stored }", "var c: Int? { stored }",
        "let x = (1, (2, 3)) { stored }", "let z = (1, (2, 3)) { stored }", "static var s = 1 { stored }",
        "var e: (Int) async throws(E) -> Dictionary<String, [Int]>? = nil { stored }",
        "var f = first + second ? 1 : 2 { stored }", "var g = Set<Int>() { stored }", "var h = a < b { stored }",
        "var i = c > d { stored }", "weak var j: S? { stored }", "weak var k: Int! { stored }",
        #"public private(set) unowned(unsafe) var `default` = """ } var no = 1 """ { stored }"#,
        "var l = call { $0 + 1 } then: { var no = 1 } { stored }",
        "var m: some P & Q = make() .chained() #if DEBUG .more { } #endif { stored }",
        "var n = if a { 1 } else { 2 } { stored }", #"var o = "\(call("}") { "\(1)" }) var no" { stored }"#,
        "var p = #/ } var no /# { stored }", "var q = /} var no/ { stored }", "var r: Int { stored }",
      ])
  }

  @Test("MOD.1, MOD.2, MOD.7: accessors: what is computed, what is stored and observed, and what has effects")
  func accessors() {
    let source = """
      class C {
        var a: Int { b + 1 }
        var b: Int { get { 1 } set(new) { } }
        var c = 1 { willSet { } didSet(old) { get { 1 } } }
        var d: Int { get async throws(E) { 1 } }
        var e: Int { @storageRestrictions(initializes: _e) init(x) { _e = x } get { _e } nonmutating set { } }
        var f: Int { _read { yield x } _modify { yield &x } }
        var g: Int { getter() }
        var h = make { 1 }
        var i: Int = 3 { didSet { } }
        protocol P { var no: Int { get } }
        lazy var j = { 1 }()
        var k: String { read ? "yes" : "no" }
        var l: Int { modify + mutate }
        var m: Int { yielding.borrow }
        var n: Int { read { yield x } modify { yield &x } }
        var o: Int { yielding borrow { yield x } yielding mutate { yield &x } }
        var p = make { set("a", 1) }
        var q = make { get { 1 } }
        var r = 1 { init(x) { _r = x } get { _r } }
      }
      """
    #expect(
      properties(source) == [
        "var a: Int { get }", "var b: Int { get set }", "var c = 1 { observers }", "var d: Int { get }",
        "var e: Int { get set }", "var f: Int { get set }", "var g: Int { get }", "var h = make { 1 } { stored }",
        "var i: Int = 3 { observers }", "lazy var j = { 1 }() { stored }", "var k: String { get }",
        "var l: Int { get }", "var m: Int { get }", "var n: Int { get set }", "var o: Int { get set }",
        #"var p = make { set("a", 1) } { stored }"#, "var q = make { get { 1 } } { stored }", "var r = 1 { get }",
      ])
    #expect(TypeDeclaration(source).properties.map(\.accessors.getterHasEffects).filter { $0 }.count == 1)
    #expect(TypeDeclaration(source).properties[4].accessors.hasInitAccessor)
  }

  @Test("MOD.4, MOD.5: conditions and functions are reported in their order")
  func conditions() {
    let declaration = TypeDeclaration(
      """
      class C {
        #if DEBUG && canImport(Foundation)
        var a = 1
        #elseif X
        static func f<T>(_ x: T) -> T where T: P { x }
        #else
        var b = 1
        #endif
        init?() { nil }
        subscript(i: Int) -> Int { i }
        typealias T = Int
        case no
        #warning("x")
      }
      """)
    #expect(
      declaration.members.map { member in
        switch member {
        case .condition(let text): text
        case .property(let property): property.name
        case .type(let name): "type " + name
        case .function(let name, let modifiers, let signature):
          modifiers.joined() + " " + name
            + String(decoding: declaration.tokens.source[signature], as: UTF8.self)
        }
      } == [
        "#if DEBUG && canImport(Foundation)", "a", "#elseif X", "static f<T>(_ x: T)", "#else", "b", "#endif", "type T",
      ])
  }

  @Test(
    "MOD.9: a carriage return ends a line as a line feed does",
    arguments: [
      "#\"\"\"\n\"#", "class C { var a = `b\nvar c = d` }", "x = /a\nb/ + c", "x = /\\\nb/ + c", "/*\n*/ x",
      "// a\nvar b", "\"a\n\" b",
    ])
  func lineEnds(source: String) {
    let bytes = source.utf8.map { $0 == 0x0A ? 0x0D : $0 }
    #expect(TokenList(String(decoding: bytes, as: UTF8.self)).tokens == TokenList(source).tokens)
  }

  @Test("MOD.9: any text is read: what is not Swift declares nothing")
  func anyText() {
    for text in [
      "", "class", "class {", "}", "@", "@KVModel", "class C { var", "class C { var a: = }", "\"\\(", "\"\"\"", "#\"",
      "/*", "`",
      "class C { var (", "class C<", "class C: ", "class C { @A(", "struct S { var a: Int {", "#if",
      "\u{FEFF}class C {}",
    ] {
      let declaration = TypeDeclaration(text)
      #expect(declaration.properties.allSatisfy { !$0.name.isEmpty })
    }
  }

  @Test("MOD.9: mutated declarations are read to their end")
  func mutations() {
    var random = SplitMix(seed: 7)
    let seeds = Self.seeds.map { Array($0.utf8) }
    for _ in 0..<Self.mutationCount {
      var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0...random.next() % 3 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(Self.characters[Int(random.next() % UInt64(Self.characters.count))], at: place)
        case 2: bytes[place] = Self.characters[Int(random.next() % UInt64(Self.characters.count))]
        default: bytes.removeSubrange(place..<min(place + 5, bytes.count))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let declaration = TypeDeclaration(String(decoding: bytes, as: UTF8.self))
      let names = Set(declaration.properties.map(\.name))
      for property in declaration.properties {
        if let getter = property.accessors.getter { _ = Mentions.of(names, in: getter, of: declaration.tokens) }
        #expect(property.nameRange.upperBound <= declaration.tokens.source.count)
      }
    }
  }

  /// The mutations of a run; `KV_MUTATIONS=1000000` asks for a million.
  private static let mutationCount = Int(ProcessInfo.processInfo.environment["KV_MUTATIONS"] ?? "") ?? 20_000
  private static let characters = Array("{}()[]<>\"'`#@/*\\.,:;=?!&|+- \n\taZ_0é→".utf8)
  private static let seeds = [
    "@KVModel class A: B<C> { var a = 1 { didSet { a = \"\\(b)\" } }; weak var b: [A?]? ; let (x, y) = f { $0 } }",
    "struct S { @KVKey(.alias(\"x\")) var a: Int { get throws { if let b, case .c(let d) = e { for f in g { d } } } set {} } }",
    "class C { #if X\nvar a = /re[x]/, b = #\"raw \\#(1)\"#\n#else\nlazy var c = { [weak self] x in self?.x }()\n#endif\n}",
    "final class D: KVObject { var t = \"\"\"\n a \\(b + \"\\(c)\")\n \"\"\" /* x /* y */ */ ; var u: Int { switch a { case .b(let c): c default: 1 } } }",
  ]

  #if DEBUG
    @Test(
      "MOD.9: reading is linear: a text of twice the length takes no more than twice the steps",
      arguments: [
        ("(", ")"), ("{", "}"), ("\"\\(", ")\""), ("/*", "*/"), ("a<", ">"), ("@a ", ""), ("#/ ", ""), ("open ", ""),
        ("\\/", ""), ("/x)", ""), ("`", ""), ("#\"\"\" ", ""), ("let a = ", ""), ("if case ", ""), ("{ a, ", ""),
        ("{ [a] ", ""), ("{ (a ", ""), ("guard let a = a, ", ""), ("func f(", ""), ("struct a ", ""),
        ("switch { case ", ""),
        ("a: ", ""), ("#if X\n", "\n#endif"), ("for a in ", ""), ("\"", ""), ("###\"", ""), ("a.b ? ", ""), ("<", ""),
      ])
    func linear(open: String, close: String) {
      func steps(_ count: Int) -> Int {
        let text =
          "class C { var a: Int { " + String(repeating: open, count: count) + String(repeating: close, count: count)
          + " }\n var b = " + String(repeating: open, count: count) + "\n var c = 1 }"
        return StepCount.of {
          let declaration = TypeDeclaration(text)
          _ = Mentions.of(nil, in: 0..<declaration.tokens.count, of: declaration.tokens)
        }
      }
      let (once, twice) = (steps(2_000), steps(4_000))
      #expect(Double(twice) < Double(once) * 2.05 + 500)
    }
  #endif
}

/// A generator of numbers that are the same in each run.
private struct SplitMix {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
