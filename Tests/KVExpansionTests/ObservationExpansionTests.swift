import Testing

@testable import KVExpansion

/// The code that is generated for models that take part in Observation (OBV.1).
@Suite struct ObservationExpansionTests {
  private func syntax(_ source: String) -> HostMessage.Syntax {
    .init(source: source, location: .init(fileName: "f.swift", offset: 0))
  }

  private func members(_ source: String) -> PluginMessage.Expansion {
    let declaration = syntax(source)
    return Model(declaration).members(
      .init(
        macro: .init(moduleName: "KVMacros", typeName: "KVModel", name: "KVModel"), macroRole: "member",
        attributeSyntax: syntax("@KVModel"), declSyntax: declaration, parentDeclSyntax: nil, extendedTypeSyntax: nil,
        conformanceListSyntax: syntax(
          "struct Placeholder: \(source.contains(".root") ? "KVObservable, " : "")Encodable, Decodable {}"),
        lexicalContext: nil))
  }

  private func accessors(_ property: String, _ attribute: String) throws -> String {
    let expansion = HostMessage.AttachedExpansion(
      macro: .init(moduleName: "KVMacros", typeName: "KVStored", name: "_KVStored"), macroRole: "accessor",
      attributeSyntax: syntax(attribute), declSyntax: syntax(property), parentDeclSyntax: nil, extendedTypeSyntax: nil,
      conformanceListSyntax: nil, lexicalContext: nil)
    return try #require(StoredProperty(expansion).accessors().expandedSource)
  }

  @Test("OBV.1: the accessors tell Observation of reads and changes, before and after all else")
  func tracked() throws {
    let expanded = try accessors("var `default` = [1]", "@_KVStored(0, .observation)")
    let lines: [String] = expanded.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    let will = #"_$observationRegistrar.willSet(self, keyPath: \.`default`)"#
    let did = #"defer { _$observationRegistrar.didSet(self, keyPath: \.`default`) }"#
    let access = #"_$observationRegistrar.access(self, keyPath: \.`default`)"#
    #expect(lines.filter { $0.contains("bservation") } == [access, will, did, access, will, did])
    let set = try #require(lines.firstIndex { $0.hasPrefix("set {") })
    #expect(lines[set + 1] == will && lines[set + 2] == did)
  }

  @Test("MOD.2: the accessors test in place whether the property is observed, before they call what notifies")
  func accessors() throws {
    #expect(
      try accessors("var a = [1]", "@_KVStored(3)") == """
        @storageRestrictions(initializes: _a)
        init(initialValue) { _a = initialValue }
        get { _a }
        set {
          guard let observed = _KVObserved(self, 3, Self._kvKeys) else {
            var value = newValue
            Swift.swap(&_a, &value)
            return
          }
          observed.set(of: self, to: newValue) { _a } exchange: { Swift.swap(&_a, &$0) }
        }
        _modify {
          let change = _KVObserved(self, 3, Self._kvKeys)?.change(of: self) { _a }
          defer { change?.end(self) { _a } }
          yield &_a
        }
        """)
  }

  @Test("OBV.1: a model without the option has no trace of it")
  func untracked() throws {
    #expect(!(try accessors("var a = 1", "@_KVStored(0)")).contains("bservation"))
    let source = "@KVModel class C: KVObject { var a = 1 }"
    #expect(!(try #require(members(source).expandedSource)).contains("bservation"))
    let plain = Model(syntax(source))
    #expect(
      plain.attribute(for: .init(source: "var a = 1", location: .init(fileName: "f", offset: 29))).expandedSource
        == "@_KVStored(0)")
  }

  @Test(
    "OBV.1: a class takes part by the option, or because it is Observable",
    arguments: [
      "@KVModel(.observation) class C: Base { var a = 1 }",
      "@KVModel class C: KVObject, Observation.Observable { var a = 1 }",
      "@KVModel(.observation, .root) class C: Observable { var a = 1 }",
    ])
  func options(source: String) throws {
    let expanded = try #require(members(source).expandedSource)
    #expect(expanded.contains("nonisolated private let _$observationRegistrar = Observation.ObservationRegistrar()"))
  }

  @Test(
    "OBV.1: a class that declares the conformance warns of subclasses that are not tracked, unless it is final",
    arguments: [
      ("@KVModel class C: KVObject, Observable { var a = 1 }", true),
      ("@KVModel(.observation, .root) class C: Observable { var a = 1 }", true),
      ("@KVModel final class C: KVObject, Observable { var a = 1 }", false),
      ("@KVModel(.observation) class C: Base { var a = 1 }", false),
      ("@KVModel class C: KVObject { var a = 1 }", false),
    ])
  func warning(source: String, warns: Bool) throws {
    let expanded = try #require(members(source).expandedSource)
    #expect(expanded.contains("class func _untracked() {}") == warns)
  }

  @Test(
    "OBV.1: what cannot take part is an error with its cure",
    arguments: [
      (
        "@KVModel(.observation) class C: KVObject { var a = 1 }",
        #"C is not Observable: "import Observation", and write "class C: KVObject, Observable""#,
        "class C: KVObject, Observable {"
      ),
      (
        "@KVModel(.observation, .root) class C<T>: P { var a = 1 }",
        #"C is not Observable: "import Observation", and write "class C: P, Observable""#,
        "class C<T>: Observable, P {"
      ),
      (
        "@KVModel(.observation, .root) class C { var a = 1 }",
        #"C is not Observable: "import Observation", and write "class C: Observable""#, "class C: Observable {"
      ),
      (
        "@KVModel(.observation) struct S { var a = 1 }",
        #"".observation" is for classes: a struct is tracked by what stores it"#, nil
      ),
      (
        "@Observable @KVModel class C: KVObject { var a = 1 }",
        "@Observable and @KVModel both store the properties of C: "
          + #"write "@KVModel(.observation)" and ": Observable" instead of @Observable"#, nil
      ),
    ])
  func errors(source: String, message: String, cured: String?) throws {
    let error = try #require(members(source).diagnostics.first)
    #expect(error.message == message)
    guard let cured, let change = error.fixIts.first?.changes.first else {
      #expect(cured == nil && error.fixIts.isEmpty)
      return
    }
    var text = Array(source.utf8)
    text.replaceSubrange(change.range.startOffset..<change.range.endOffset, with: Array(change.newText.utf8))
    #expect(String(decoding: text, as: UTF8.self).contains(cured))
  }
}
