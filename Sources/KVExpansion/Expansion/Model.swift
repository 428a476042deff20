import KVSyntax

/// A type with `@KVModel`.
struct Model {
  let syntax: HostMessage.Syntax
  let declaration: TypeDeclaration
  let properties: [ModelProperty]
  /// The names of the options of the attribute: `root`, `observation`, `listedKeysOnly`.
  var options: Set<String>
  let attribute: Attribute?
  /// The global actor to which the type is isolated.
  let actorName: String?

  /// The arguments of the attribute.
  let arguments: [Argument]

  /// The observed properties, whose order gives them their numbers.
  let observed: [ModelProperty]

  /// Whether some members are compiled under conditions, so that two of a name may exclude each other.
  let hasConditions: Bool

  /// The places of the names of the properties that are compiled under conditions.
  private let conditional: Set<Int>

  /// The names of the properties.
  private let names: Set<String>

  init(_ syntax: HostMessage.Syntax) {
    self.syntax = syntax
    let declaration = TypeDeclaration(syntax.source)
    self.declaration = declaration
    attribute = declaration.attributes.first { $0.isNamed("KVModel") }
    let arguments = Argument.list(attribute?.arguments)
    self.arguments = arguments
    options = Set(arguments.map(\.member))
    let isolated = arguments.first { $0.member == "isolated" }?.labeledValues.first?.value
    let actor =
      isolated.map { $0.hasSuffix(".self") ? String($0.dropLast(5)) : $0 }
      ?? declaration.attributes.first(where: \.isGlobalActor)?.name
    actorName = actor
    let properties = declaration.properties.map { ModelProperty($0, actor: actor) }
    let hasConditions = declaration.members.contains { if case .condition = $0 { true } else { false } }
    let names = Set(properties.map(\.property.name))
    self.properties = properties
    self.hasConditions = hasConditions
    self.names = names
    conditional = declaration.conditionalNames
    observed =
      declaration.introducer != "class"
      ? [] : properties.filter { $0.isObserved && (hasConditions || !$0.hasStorage(in: names)) }
  }

  var isClass: Bool { declaration.introducer == "class" }
  var isStruct: Bool { declaration.introducer == "struct" }
  var isProtocol: Bool { declaration.introducer == "protocol" }
  /// Whether the class gets storage for observers, rather than inheriting it.
  var isRoot: Bool { options.contains("root") && !inheritsFromKVObject }
  /// Whether the class names `KVObject` as its superclass.
  var inheritsFromKVObject: Bool { declaration.inheritedTypes.first == "KVObject" }
  var isFinal: Bool { declaration.modifiers.contains("final") }

  /// Whether the type declares its table itself: it gets notifying properties and no table (MOD.6).
  var hasTable: Bool { properties.contains { $0.property.name == "keyTable" && $0.property.isStatic } }

  /// Whether a property is compiled under a condition, so that the table may not know it.
  func isConditional(_ property: ModelProperty) -> Bool { conditional.contains(property.property.nameRange.lowerBound) }

  /// Whether the class declares a property of the name that the storage of a property has, or the macro does.
  func hasStorageOfOthers(_ property: ModelProperty) -> Bool {
    property.isObserved && !hasConditions && property.hasStorage(in: names)
  }

  /// Whether the class inherits from none that can be observed, and is no root.
  func lacksSuperclass(_ missing: Set<String>) -> Bool {
    isClass && !isRoot && (declaration.inheritedTypes.isEmpty || missing.contains("KVObservable"))
  }

  /// The access of what the type has to show as far as itself.
  var access: String {
    if declaration.modifiers.contains("public") || declaration.modifiers.contains("open") { return "public " }
    return declaration.modifiers.contains("package") ? "package " : ""
  }

  /// The access of the table, which subclasses in other modules override.
  var tableAccess: String { declaration.modifiers.contains("open") ? "open " : access }

  /// The actor to which the type is isolated, as an attribute.
  var actor: String { actorName.map { "@\($0) " } ?? "" }
}

extension TypeDeclaration {
  /// The places of the names of the properties between lines of conditional compilation.
  fileprivate var conditionalNames: Set<Int> {
    var depth = 0
    var offsets: Set<Int> = []
    for member in members {
      switch member {
      case .condition(let line): depth += line.hasPrefix("#if") ? 1 : line.hasPrefix("#endif") ? -1 : 0
      case .property(let property): if depth > 0 { offsets.insert(property.nameRange.lowerBound) }
      case .function, .type: break
      }
    }
    return offsets
  }
}

extension ModelProperty {
  /// Returns whether names that are declared, or the macro's own, have that of the storage of this property.
  fileprivate func hasStorage(in names: Set<String>) -> Bool {
    let storage = "_" + property.name
    return storage == "_kvKeys" || names.contains(storage)
  }
}

extension TypeMember {
  /// Returns whether the member is a function of a name.
  func isFunction(_ name: String, isStatic: Bool) -> Bool {
    guard case .function(name, let modifiers, _) = self else { return false }
    return isStatic == (modifiers.contains("static") || modifiers.contains("class"))
  }
}
