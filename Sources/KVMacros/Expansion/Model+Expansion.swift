import KVSyntax

extension Model {
  /// Returns the attribute that makes a member notify, if it is a property that does.
  func attribute(for member: HostMessage.Syntax) -> PluginMessage.Expansion {
    let offset = member.location.offset - syntax.location.offset
    let range = offset..<offset + member.source.utf8.count
    let isVariable = TypeDeclaration(member.source).introducer == "var"
    let number = !isVariable ? nil : observed.firstIndex { range.contains($0.property.nameRange.lowerBound) }
    return .init(expandedSource: number.map { "@_KVStored(\($0))" } ?? "", diagnostics: [])
  }

  /// Returns the members of the type: its table, the keys of its properties, and the storage for observers.
  func members() -> PluginMessage.Expansion {
    let errors = errors()
    guard errors.isEmpty else { return .init(expandedSource: nil, diagnostics: errors) }
    var members: [String] = []
    if isRoot { members.append("\(access)let registrarSlot = KVRegistrarSlot()") }
    if !observed.isEmpty { members.append(keys) }
    if !hasTable { members.append(table) }
    return .init(expandedSource: members.joined(separator: "\n\n"), diagnostics: [])
  }

  /// Returns the conformances that the type lacks.
  func conformance(_ expansion: HostMessage.AttachedExpansion) -> PluginMessage.Expansion {
    let none = PluginMessage.Expansion(expandedSource: "", diagnostics: [])
    guard errors().isEmpty, !isClass || isRoot, let type = expansion.extendedTypeSyntax?.source else { return none }
    // The compiler passes those that are missing as a type that has them.
    let missing = expansion.conformanceListSyntax.map { TypeDeclaration($0.source).inheritedTypes } ?? []
    let wanted = isClass ? ["KeyValueCoding", "KVObservable"] : ["KeyValueCoding"]
    let protocols = missing.filter { name in wanted.contains { name == $0 || name.hasSuffix("." + $0) } }
    guard !protocols.isEmpty else { return none }
    return .init(
      expandedSource: "extension \(type.filter { !$0.isWhitespace }): \(protocols.joined(separator: ", ")) {}",
      diagnostics: [])
  }

  /// The keys of the observed properties, by number: a setter need not look up its own.
  private var keys: String {
    let names = observed.map { "\"\($0.key)\"" }.joined(separator: ", ")
    return declaration.isGeneric
      ? "nonisolated private static var _kvKeys: _KVKeys { _KVKeys.of(Self.self, [\(names)]) }"
      : "nonisolated private static let _kvKeys = _KVKeys([\(names)])"
  }
}
