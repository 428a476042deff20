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
    guard let context = expansion.lexicalContext?.first.map({ TypeDeclaration($0.source) }) else {
      return .init(expandedSource: "", diagnostics: [])
    }
    switch context.introducer {
    case "class", "struct":
      guard context.attributes.contains(where: { $0.isNamed("KVModel") }) else {
        return failure("\(name) is read by @KVModel, which \(context.name) does not have")
      }
    case "extension":
      return failure(
        "\(name) is not seen in an extension: add a line to \"static func furtherKeys\" of \(context.name)")
    case "enum", "actor", "protocol":
      return failure("\(name) belongs to a property of a class or a struct with @KVModel")
    default: return failure("\(name) belongs to a property of a type, not to a local variable")
    }
    return .init(expandedSource: "", diagnostics: [])
  }

  private func failure(_ message: String) -> PluginMessage.Expansion {
    .init(expandedSource: nil, diagnostics: [expansion.attributeSyntax.error(message)])
  }
}
