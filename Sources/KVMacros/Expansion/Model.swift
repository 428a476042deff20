import KVSyntax

/// A type with `@KVModel`.
struct Model {
  let syntax: HostMessage.Syntax
  let declaration: TypeDeclaration
  let properties: [ModelProperty]
  /// The options of the attribute: `root`, `observation`, `listedKeysOnly`.
  let options: Set<String>
  let attribute: Attribute?

  init(_ syntax: HostMessage.Syntax) {
    self.syntax = syntax
    declaration = TypeDeclaration(syntax.source)
    properties = declaration.properties.map { ModelProperty($0) }
    attribute = declaration.attributes.first { $0.isNamed("KVModel") }
    options = Set(Argument.list(attribute?.arguments).map(\.member))
  }

  var isClass: Bool { declaration.introducer == "class" }
  /// Whether the class gets storage for observers, rather than inheriting it.
  var isRoot: Bool { options.contains("root") }
  var isFinal: Bool { declaration.modifiers.contains("final") }

  /// Whether the type declares its table itself: it gets notifying properties and no table (MOD.6).
  var hasTable: Bool { properties.contains { $0.property.name == "keyTable" } }

  /// Whether lines by hand join the generated ones (MOD.6).
  var hasFurtherKeys: Bool {
    declaration.members.contains { member in
      guard case .function("furtherKeys", let modifiers) = member else { return false }
      return modifiers.contains("static") || modifiers.contains("class")
    }
  }

  /// Whether the table may have keys that the declaration does not show: inherited ones, or those of lines by hand.
  var hasUnseenKeys: Bool {
    let inherits = isClass && !isRoot && !(declaration.inheritedTypes.first?.hasSuffix("KVObject") ?? true)
    return inherits || hasFurtherKeys
  }

  /// The observed properties, whose order gives them their numbers.
  var observed: [ModelProperty] { isClass ? properties.filter(\.isObserved) : [] }

  /// The access of what the type has to show as far as itself.
  var access: String {
    if declaration.modifiers.contains("public") || declaration.modifiers.contains("open") { return "public " }
    return declaration.modifiers.contains("package") ? "package " : ""
  }

  /// The actor to which the type is isolated by its own attribute, as an attribute.
  var actor: String {
    declaration.attributes.first(where: \.isGlobalActor).map { "@\($0.name) " } ?? ""
  }
}
