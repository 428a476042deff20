import KVSyntax

/// `@KVKey` and `@KVIgnored`, which expand to nothing: `@KVModel` reads them.
struct MemberAttribute {
  private let expansion: HostMessage.AttachedExpansion

  init(_ expansion: HostMessage.AttachedExpansion) { self.expansion = expansion }

  /// Returns errors for declarations of which no key can be made (MOD.7).
  func check() -> PluginMessage.Expansion {
    let name = "@" + expansion.macro.typeName
    let member = TypeDeclaration("class _ {\n" + expansion.declSyntax.source + "\n}")
    guard let property = member.properties.first else {
      return failure("\(name) belongs to a property; for a computed key, declare a computed property")
    }
    if property.isStatic {
      return failure("\(name) belongs to a property of the instances; a static property has no key")
    }
    let context = expansion.lexicalContext?.first.map { TypeDeclaration($0.source).introducer } ?? "class"
    guard ["class", "struct", "extension", "actor", "enum"].contains(context) else {
      return failure("\(name) belongs to a property of a type, not to a local variable")
    }
    return .init(expandedSource: "", diagnostics: [])
  }

  private func failure(_ message: String) -> PluginMessage.Expansion {
    .init(expandedSource: nil, diagnostics: [expansion.attributeSyntax.error(message)])
  }
}
