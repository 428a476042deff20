import Foundation
import Testing

@testable import KVExpansion

/// The code that the macros generate.
@Suite struct ExpansionTests {
  private func syntax(_ source: String) -> HostMessage.Syntax {
    .init(source: source, location: .init(fileName: "f.swift", offset: 100))
  }

  private func members(
    _ source: String, missing: String = "Encodable, Decodable", context: [String] = []
  ) -> PluginMessage.Expansion {
    let declaration = syntax(source)
    return Model(declaration).members(
      .init(
        macro: .init(moduleName: "KVMacros", typeName: "KVModel", name: "KVModel"), macroRole: "member",
        attributeSyntax: syntax("@KVModel"), declSyntax: declaration, parentDeclSyntax: nil, extendedTypeSyntax: nil,
        conformanceListSyntax: missing.isEmpty ? nil : syntax("struct Placeholder: \(missing) {}"),
        lexicalContext: context.map(syntax)))
  }

  @Test("MOD.4: inherited keys and those of the class affect a key, in whichever order the getter mentions them")
  func inheritedFirst() throws {
    for getter in ["base + other + number", "number + base + other"] {
      let source = "@KVModel final class Order: Base {\nvar number = 1\nvar total: Int { \(getter) }\n}"
      let table = try #require(members(source).expandedSource)
      #expect(table.contains(#"\.total).affected(by: "number")._affected(byKeysAmong: "base", "other")"#))
    }
  }

  @Test("MOD.10, BND.3: a property keeps what is set, unless it has observers, is weak, or can be overridden")
  func keptValues() throws {
    let body = "{ var a = 1\nvar b = 1 { didSet { } }\nweak var c: Order? }"
    let final = try #require(members("@KVModel final class Order: Base \(body)").expandedSource)
    #expect(final.contains(#"key._stored("a", \.a, keepsValues: true)"#))
    #expect(final.contains(#"key._stored("b", \.b) {"#) && final.contains(#"key._stored("c", \.c) {"#))
    let other = try #require(members("@KVModel class Order: Base \(body)").expandedSource)
    #expect(other.contains(#"key._stored("a", \.a) {"#))
  }

  @Test("MOD.4: a line follows an empty condition")
  func emptyCondition() throws {
    let source = "@KVModel final class Order: Base {\n#if DEBUG\nfunc nothing() {}\n#endif\nvar number = 1\n}"
    let table = try #require(members(source).expandedSource)
    #expect(!table.contains("#if") && table.contains(#"key._stored("number", \.number, keepsValues: true)"#))
  }

  @Test("MOD.1, MOD.4, MOD.5: a class gets the keys of its notifying properties and a table, as one would type it")
  func table() throws {
    let source = """
      @KVModel public final class Order: KVObject {
        var number = 1
        @KVKey("sum", .lenient, .alias("a", "b"), .metadata("unit", "kg")) var total = 0.0
        @KVKey(.validated(by: check)) var code = ""
        @KVKey(.validated(by: check, nil: noCode)) var name = ""
        @KVKey(.validated(by: { (size: Int) in .valid }), .counted(by: count, element: line(at:))) var size = 1
        @KVIgnored var cache = 0
        var lines: [Line] = []
        var names: [String: Int] = [:]
        @KVKey(.indexed(insert: insert(_:at:), remove: remove)) var rows: [Line] = []
        @KVKey(.unordered(add: add(tags:), remove: remove(tags:)), .validated(by: Order.isTag)) var tags: Set<String> = []
        private var secret = 1
        private var hidden: Int { secret + number }
        static var shared = 1
        lazy var late = 1
        let id = 7
        private(set) var state = ""
        @Wrapped var wrapped = 1
        var shown: Int { hidden + id + total }
        @KVKey(.independent) var alone: Int { number }
        @KVKey(.affected(by: "other.path")) var told: Int { number }
        #if DEBUG
        var debugged = 1
        #else
        func nothing() {}
        #endif
        func check(_ code: String) throws -> KVValidation { .valid }
      }
      """
    #expect(
      members(source).expandedSource == """
        nonisolated private static let _kvKeys = _KVKeys(["number", "sum", "code", "name", "size", "lines", "names", "rows", "tags", "secret", "state", "debugged"])

        nonisolated override public class var keyTable: KVTable {
          super.keyTable.extended(for: Order.self) { key in
            key._notify("number", "sum", "code", "name", "size", "lines", "names", "rows", "tags", "secret", "state")
            key._stored("number", \\.number, keepsValues: true) { $0.number = $1 }
            key._stored("sum", \\.total, keepsValues: true) { $0.total = $1 }.lenient().alias("a", "b").metadata("unit", "kg")._property("total")
            key._stored("code", \\.code, keepsValues: true) { $0.code = $1 }.validated { model, value in
              let result = try KVValidation._result(model.check(value))
              return result
            }
            key._stored("name", \\.name, keepsValues: true) { $0.name = $1 }.validated({ model, value in
              let result = try KVValidation._result(model.check(value))
              return result
            }, nil: { model in try ._result(model.noCode()) })
            key._stored("size", \\.size, keepsValues: true) { $0.size = $1 }.validated({ (size: Int) in .valid }).counted(by: { $0.count() }, element: { $0.line(at: $1) })
            key._array("lines", \\.lines) { model, edit in edit(&model.lines) }
            key._stored("names", \\.names, keepsValues: true) { $0.names = $1 }
            key._stored("rows", \\.rows, keepsValues: true) { $0.rows = $1 }.indexed(insert: { $0.insert($1, at: $2) }, remove: { $0.remove($1) })
            key._stored("tags", \\.tags, keepsValues: true) { $0.tags = $1 }.unordered(add: { $0.add(tags: $1) }, remove: { $0.remove(tags: $1) }).validated { value in
              let result = try KVValidation._result(Order.isTag(value))
              return result
            }
            key("id", \\.id)
            key("state", \\.state).readOnly()
            key("wrapped", \\.wrapped)
            key("shown", \\.shown).affected(by: "secret", "number", "sum")
            key("alone", \\.alone)
            key("told", \\.told).affected(by: "other.path")
        #if DEBUG
            key._notify("debugged")
            key._stored("debugged", \\.debugged, keepsValues: true) { $0.debugged = $1 }
        #else
        #endif
            furtherKeys(key)
          }
        }
        """)
  }

  @Test(
    "MOD.4: properties whose names resemble types, functions or words affect as others do",
    arguments: [
      ("var ID = 1", "ID", "ID"), ("var 名前 = 1", "名前", "名前"), ("var format: (Int) -> Int", "format(3)", "format"),
      ("var `default` = 1", "self.default", "default"), ("var first = 1", "[a: 1, first: 2]", "first"),
    ])
  func names(declaration: String, getter: String, key: String) {
    let source = "@KVModel class C: KVObject {\n \(declaration)\n var shown: Int { \(getter) }\n}"
    #expect(members(source).expandedSource?.contains(#"\.shown).affected(by: "\#(key)""#) == true)
  }

  @Test("MOD.4: a property that is compiled under a condition affects a key if the table has it")
  func conditions() {
    let source = """
      @KVModel class C: KVObject {
        var a = 1
        #if X
        @KVKey("first") var b = 1
        #else
        @KVKey("second") var b = 1
        let c = 1
        #endif
        var sum: Int { a + b + c }
      }
      """
    #expect(
      members(source).expandedSource?.contains(
        #"key("sum", \.sum).affected(by: "a")._affected(byKeysAmong: "b")"#) == true)
  }

  @Test("MOD.4: each inherited key that a getter mentions affects the key, also behind a property without a line")
  func severalInherited() {
    for getter in ["first + second", "hidden + second"] {
      let source = """
        @KVModel class C: Base {
          @KVIgnored var hidden: Int { first }
          var sum: Int { \(getter) }
        }
        """
      let table = members(source).expandedSource ?? ""
      #expect(table.contains(#"key("sum", \.sum)._affected(byKeysAmong: "first", "second")"#), "\(table)")
    }
  }

  @Test("MOD.9: properties that mention the two before are read in little time")
  func chains() {
    let lines = (2..<45).map { "var p\($0): Int { p\($0 - 1) + p\($0 - 2) }" }
    let expand = { (first: String) in
      self.members("@KVModel class C: KVObject {\n \(([first] + lines).joined(separator: "\n"))\n}").expandedSource
    }
    #expect(expand("let p0 = 1; let p1 = 1")?.contains("affected") == false)
    #expect(expand("let p0 = 1\n var p1 = 1")?.contains(#"\.p44).affected(by: "p43", "p42")"#) == true)
  }

  @Test("MOD.1: a struct gets a table; isolated, generic and root types get theirs")
  func kinds() {
    #expect(
      members("@KVModel struct S { var a = 1 }").expandedSource == """
        nonisolated static var keyTable: KVTable {
          KVTable(S.self) { key in
            key("a", \\.a)
            furtherKeys(key)
          }
        }
        """)
    #expect(
      members("@KVModel(.root, .listedKeysOnly) @MainActor class C<T> { var a: T }").expandedSource == """
        nonisolated let registrarSlot = KVRegistrarSlot()

        nonisolated private static var _kvKeys: _KVKeys { _KVKeys.of(C.self, ["a"]) }

        nonisolated class var keyTable: KVTable {
          KVTable(C.self, listedKeysOnly: true) { @MainActor key in
            key._notify(_kvKeys)
            key._stored("a", \\.a) { $0.a = $1 }
            furtherKeys(key)
          }
        }
        """)
    let disk = members("@KVModel(.isolated(to: Disk.self)) @Disk open class C: KVObject { @Disk var a = 1 }")
    #expect(
      disk.expandedSource == """
        nonisolated private static let _kvKeys = _KVKeys(["a"])

        nonisolated override open class var keyTable: KVTable {
          super.keyTable.extended(for: C.self) { @Disk key in
            key._notify(_kvKeys)
            key._stored("a", \\.a) { $0.a = $1 }
            furtherKeys(key)
          }
        }
        """)
  }

  @Test(
    "MOD.1, MOD.8: the keys of a class in a generic type, or in an extension, are not stored",
    arguments: ["class A<T> {}", "extension A {}"])
  func nested(context: String) {
    let source = "@KVModel class C: KVObject { var a = 1 }"
    #expect(members(source, context: ["func f() {}", context]).expandedSource?.contains("static var _kvKeys") == true)
    #expect(members(source, context: ["struct A {}"]).expandedSource?.contains("static let _kvKeys") == true)
  }

  @Test("MOD.2: the storage of properties is coded under their names")
  func coding() {
    let source = """
      @KVModel class C: KVObject, Codable {
        var a = 1
        @KVIgnored var b = 2
        lazy var c = 3
        static var d = 4
        let `default`: Int
        var computed: Int { 1 }
        #if DEBUG
        var e = 5
        #endif
      }
      """
    #expect(
      members(source, missing: "").expandedSource?.components(separatedBy: "\n\n").last == """
        private enum CodingKeys: String, CodingKey {
          case _a = "a"
          case b
          case `default`
        #if DEBUG
          case _e = "e"
        #endif
        }
        """)
    #expect(members(source, missing: "Swift.Encodable, Decodable").expandedSource?.contains("CodingKeys") == false)
    let own = "@KVModel class C: KVObject, Codable { var a = 1; enum CodingKeys: CodingKey { case _a } }"
    #expect(members(own, missing: "").expandedSource?.contains("CodingKeys") == false)
  }

  @Test("MOD.6: a model with a table of its own gets the keys of its properties only")
  func ownTable() {
    let source = "@KVModel class C: KVObject { var a = 1; override class var keyTable: KVTable { .empty } }"
    #expect(members(source).expandedSource == #"nonisolated private static let _kvKeys = _KVKeys(["a"])"#)
  }

  @Test(
    "MOD.7: what cannot work is an error with its cure, at its place",
    arguments: [
      (
        "@KVModel protocol P {}", "@KVModel belongs to a class or a struct; a protocol has no properties with keys", 100
      ),
      (
        "@KVModel class C {}",
        #"C has no superclass that can be observed: let it inherit from KVObject, or write "@KVModel(.root)""#, 100
      ),
      (
        "@KVModel class C: KVObject { var a = 1, b = 2 }",
        #""a" needs a "var" of its own to notify: declare one property a line"#, 133
      ),
      (
        "@KVModel struct S { var a: Int { get async { 1 } } }",
        #""a" is async or throws, so that it cannot be read by key: add @KVIgnored"#, 124
      ),
      (
        #"@KVModel struct S { var a = 1; @KVKey(.alias("a")) var b = 1 }"#,
        #"the key "a" of "b" is also a key of "a": give one of them another name"#, 155
      ),
      (
        "@KVModel struct S { var `a.b` = 1 }",
        #""a.b" is not a key: a key has no periods, brackets and quotation marks, and does not begin with "@": add @KVKey("name") or @KVIgnored"#,
        124
      ),
      (
        #"@KVModel struct S { @KVKey("a.b") var ab = 1 }"#,
        #""a.b" is not a key: a key has no periods and brackets, does not begin with "@", and is not empty"#, 120
      ),
      ("@KVModel(.root) struct S {}", #"".root" is for classes: a struct has no observers"#, 100),
      (
        "@KVModel(.root) class C: Base {}",
        #"".root" is for classes without a superclass that can be observed: Base stores the observers of C; remove ".root""#,
        100
      ),
      (
        "@KVModel(.isolated(to: Disk.self)) class C: KVObject {}",
        #"".isolated(to:)" names the actor of a type, and C has none: write "@Disk" before it, or remove the option"#,
        100
      ),
      (
        "@KVModel struct S { var a: some P { 1 } }",
        #""a" has a type that only its getter knows, and a key needs one with a name: write "any" instead of "some", or add @KVIgnored"#,
        124
      ),
      (
        "@KVModel struct S { @KVKey(.independent) var a = 1 }",
        #"".independent" is for computed properties: "a" is stored, and depends on nothing"#, 120
      ),
      (
        "@KVModel struct S { @KVKey( .lenent) var a = 1 }",
        #"@KVKey has no option ".lenent": did you mean ".lenient"?"#, 128
      ),
    ])
  func errors(source: String, message: String, offset: Int) {
    let expansion = members(source)
    #expect(expansion.diagnostics.first?.message == message)
    #expect(expansion.diagnostics.first?.position.offset == offset)
  }

  @Test("MOD.7: what lacks a superclass is read as a root, so that one error stands for it")
  func recovery() {
    let expansion = members("@KVModel class C: Codable { var a = 1 }", missing: "KVObservable")
    #expect(expansion.diagnostics.count == 1)
    #expect(expansion.expandedSource?.contains("registrarSlot") == true)
  }

  @Test("MOD.7: the cures of a class without superclass are edits")
  func fixIts() throws {
    let fixes = try #require(members("@KVModel class C<T> {}").diagnostics.first?.fixIts)
    #expect(fixes.map(\.message) == ["inherit from KVObject", "store the observers in C"])
    #expect(fixes.map { $0.changes[0].range.startOffset } == [119, 100])
    #expect(fixes.map { $0.changes[0].newText } == [": KVObject", "@KVModel(.root)"])
    let more = try #require(members("@KVModel class C: Codable {}", missing: "KVCore.KVObservable").diagnostics.first)
    #expect(
      more.fixIts[0].changes == [
        .init(range: .init(fileName: "f.swift", startOffset: 118, endOffset: 118), newText: "KVObject, ")
      ])
  }
}
