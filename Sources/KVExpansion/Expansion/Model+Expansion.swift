import KVSyntax

extension Model {
  /// Returns the attribute that makes a member notify, if it is a property that does.
  func attribute(for member: HostMessage.Syntax) -> PluginMessage.Expansion {
    let offset = member.location.offset - syntax.location.offset
    let range = offset..<offset + member.source.utf8.count
    let isVariable = TypeDeclaration(member.source).introducer == "var" && !hasObservableMacro
    let number = !isVariable ? nil : observed.firstIndex { range.contains($0.property.nameRange.lowerBound) }
    return .init(
      expandedSource: number.map { "@_KVStored(\($0)\(isTracked ? ", .observation" : ""))" } ?? "", diagnostics: [])
  }

  /// Returns the members of the type: its table, the keys of its properties, and the storage for observers.
  func members(_ expansion: HostMessage.AttachedExpansion) -> PluginMessage.Expansion {
    let missing = expansion.missingConformances
    let errors = errors(missing: missing)
    // The compiler asks for the extension of an enum or an actor in any case, and for its members sometimes.
    guard isClass || isStruct else { return .init(expandedSource: "", diagnostics: isProtocol ? errors : []) }
    if lacksSuperclass(missing) {
      // The class is read as a root, so that one error stands for what it lacks.
      var root = self
      root.options.insert("root")
      return .init(expandedSource: root.members(expansion).expandedSource, diagnostics: errors)
    }
    var members: [String] = []
    if isRoot, isClass { members.append("nonisolated \(access)let registrarSlot = KVRegistrarSlot()") }
    if !observed.isEmpty { members.append(keys(isGeneric: declaration.isGeneric || expansion.isInGenericContext)) }
    if isTracked, !observed.isEmpty { members.append(observationRegistrar) }
    if let untrackedWarning { members.append(untrackedWarning) }
    if !hasTable { members.append(table) }
    let isCodable = !missing.isSuperset(of: ["Encodable", "Decodable"])
    if isCodable, !observed.isEmpty, !declaration.members.contains(.type("CodingKeys")) { members.append(codingKeys) }
    return .init(expandedSource: members.joined(separator: "\n\n"), diagnostics: errors)
  }

  /// Returns the conformances that the type lacks.
  func conformance(_ expansion: HostMessage.AttachedExpansion) -> PluginMessage.Expansion {
    let none = PluginMessage.Expansion(expandedSource: "", diagnostics: [])
    let missing = expansion.missingConformances
    guard isClass || isStruct else {
      return .init(expandedSource: "", diagnostics: isProtocol ? [] : errors(missing: missing))
    }
    guard isStruct || isRoot || lacksSuperclass(missing), let type = expansion.extendedTypeSyntax?.source
    else { return none }
    let wanted = isClass ? ["KeyValueCoding", "KVObservable"] : ["KeyValueCoding"]
    let protocols = wanted.filter(missing.contains)
    guard !protocols.isEmpty else { return none }
    return .init(
      expandedSource: "extension \(type.filter { !$0.isWhitespace }): \(protocols.joined(separator: ", ")) {}",
      diagnostics: [])
  }

  /// The keys of the observed properties, by number: a setter need not look up its own.
  private func keys(isGeneric: Bool) -> String {
    let names = observed.map { "\"\($0.key)\"" }.joined(separator: ", ")
    // `Self` may be a subclass, which has keys of its own.
    let name = declaration.tokens.name(declaration.name)
    return isGeneric
      ? "nonisolated private static var _kvKeys: _KVKeys { _KVKeys.of(\(name).self, [\(names)]) }"
      : "nonisolated private static let _kvKeys = _KVKeys([\(names)])"
  }

  /// The coding keys, under which each storage has the name of its property.
  private var codingKeys: String {
    let observed = Set(observed.map(\.property.nameRange.lowerBound))
    let lines = declaration.members.compactMap { member -> String? in
      switch member {
      case .condition(let condition): return condition
      case .property(let property):
        guard property.isStored, !property.isStatic, !property.has("lazy"), !property.has("override") else {
          return nil
        }
        return observed.contains(property.nameRange.lowerBound)
          ? "  case \(property.storageName) = \"\(property.name)\"" : "  case \(property.writtenName)"
      case .function, .type: return nil
      }
    }
    return "private enum CodingKeys: String, CodingKey {\n"
      + Self.withoutEmptyConditions(lines).joined(separator: "\n") + "\n}"
  }
}

extension Property {
  /// The name of the property that stores the value of this one.
  var storageName: String {
    let name = "_" + name
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0.isSymbol } ? name : "`\(name)`"
  }
}

extension HostMessage.AttachedExpansion {
  /// The names of the protocols to which the type does not conform, of those for which the macro asks.
  ///
  /// The compiler passes them as a type that conforms to them, and nothing if there are none.
  var missingConformances: Set<String> {
    let list = conformanceListSyntax.map { TypeDeclaration($0.source).inheritedTypes } ?? []
    return Set(list.map { String($0.split(separator: ".").last ?? "") })
  }

  /// Whether the declaration is in a generic type, or in an extension, of whose type that is not known.
  var isInGenericContext: Bool {
    lexicalContext?.contains { context in
      let outer = TypeDeclaration(context.source)
      return outer.isGeneric || outer.introducer == "extension"
    } ?? false
  }
}
