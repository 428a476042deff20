import Testing

@testable import KVExpansion

/// The storage of properties with `willSet` and `didSet` (MOD.2).
@Suite struct ObserverExpansionTests {
  private func syntax(_ source: String) -> HostMessage.Syntax {
    .init(source: source, location: .init(fileName: "f.swift", offset: 0))
  }

  private func expansion(_ property: String) -> HostMessage.AttachedExpansion {
    .init(
      macro: .init(moduleName: "KVMacros", typeName: "KVStored", name: "_KVStored"), macroRole: "peer",
      attributeSyntax: syntax("@_KVStored(0)"), declSyntax: syntax(property), parentDeclSyntax: nil,
      extendedTypeSyntax: nil, conformanceListSyntax: nil, lexicalContext: nil)
  }

  private func storage(_ property: String) -> String? {
    StoredProperty(expansion(property)).storage().expandedSource
  }

  @Test(
    "MOD.2: an observer reads and sets the storage, as in plain Swift: closures and nested functions call the setter",
    arguments: [
      ("name = a; self.name = b", "_name = a; self._name = b"),
      ("if a { name = b } else { name = c }", "if a { _name = b } else { _name = c }"),
      ("f { name = a }", "f { name = a }"), ("f { self.name = a }\n name = b", "f { self.name = a }\n _name = b"),
      ("func g() { name = a }", "func g() { name = a }"),
      ("f { [name] in name }", "f { [name = _name] in name }"),
      ("f { [weak name] in name }", "f { [weak name = _name] in name }"),
      ("if let name { g(name) }", "if let name = _name { g(name) }"),
      ("guard let name else { return }; g(name)", "guard let name = _name else { return }; g(name)"),
    ])
  func observers(body: String, expected: String) {
    for observer in ["didSet", "willSet", "didSet(old)"] {
      #expect(
        storage("var name: A? = nil { \(observer) { \(body) } }")
          == "private var _name: A? = nil { \(observer) { \(expected) } }")
    }
  }

  @Test(
    "MOD.3: a change in place is a get and a set if a copy costs nothing, also of an optional, and happens in place else",
    arguments: [("Int", false), ("Int?", false), ("String", true), ("String?", true), ("[Int]", true)])
  func inPlace(type: String, isInPlace: Bool) throws {
    let accessors = StoredProperty(expansion("var name: \(type)")).accessors().expandedSource
    #expect(try #require(accessors).contains("_modify") == isInPlace)
  }

  @Test("MOD.2: a parameter of an observer hides the property")
  func parameter() {
    #expect(
      storage("var name = 1 { didSet(name) { f { name }; g(name, self.name) } willSet { name } }")
        == "private var _name = 1 { didSet(name) { f { name }; g(name, self._name) } willSet { _name } }")
  }
}
