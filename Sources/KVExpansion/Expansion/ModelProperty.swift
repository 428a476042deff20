import KVSyntax

/// A property of a model, with what the macro makes of it.
struct ModelProperty: Equatable {
  let property: Property
  /// The options of its `@KVKey`, without the name.
  let options: [Argument]
  /// The key.
  let key: String
  /// The attribute `@KVKey`, and its arguments.
  let keyAttribute: Attribute?
  let arguments: [Argument]
  let isIgnored: Bool
  /// The global actor of the type, whose name is no property wrapper.
  private let actor: String?

  init(_ property: Property, actor: String?) {
    self.property = property
    self.actor = actor
    keyAttribute = property.attributes.first { $0.isNamed("KVKey") }
    arguments = Argument.list(keyAttribute?.arguments)
    key = arguments.first?.literal ?? property.name
    options = arguments.filter { !$0.member.isEmpty }
    isIgnored = property.attributes.contains { $0.isNamed("KVIgnored") }
  }

  /// The options of `@KVKey`.
  static let knownOptions = [
    "lenient", "affected", "alias", "converted", "counted", "independent", "indexed", "indexedInBulk", "metadata",
    "notifiesManually", "readOnly", "unordered", "validated",
  ]

  /// Whether the table has a line for the property (MOD.1).
  var isListed: Bool { mayBeListed && !property.accessors.getterHasEffects && !isUnavailable }

  /// Whether the table has a line for the property if it can be read by key.
  var mayBeListed: Bool {
    guard !property.isStatic, !isIgnored else { return false }
    return keyAttribute != nil || !(isPrivate || property.has("lazy"))
  }

  /// Whether the macro makes the property notify (MOD.2): it is stored, and nothing else gives it accessors.
  var isObserved: Bool { mayBeObserved && !property.sharesDeclaration }

  /// Whether the property would notify if it had a declaration of its own.
  var mayBeObserved: Bool {
    property.isStored && !property.isConstant && !property.isStatic && !isIgnored && !property.has("lazy")
      && (!property.has("override") || property.accessors.hasObservers) && !hasWrapper
  }

  /// Whether nothing can use the property, the table neither.
  var isUnavailable: Bool {
    property.attributes.contains { attribute in
      attribute.isNamed("available")
        && TokenList(attribute.arguments ?? "").words.prefix(4) == ["(", "*", ",", "unavailable"]
    }
  }

  private var isPrivate: Bool { property.modifiers.contains("private") || property.modifiers.contains("fileprivate") }

  /// Whether only the type itself sets the property, so that it cannot be written by key.
  var hasPrivateSetter: Bool {
    property.modifiers.contains("private(set)") || property.modifiers.contains("fileprivate(set)")
  }

  /// Whether the property has a wrapper or a macro of its own: an attribute whose name begins like that of a type and is
  /// no actor's.
  var hasWrapper: Bool {
    property.attributes.contains { attribute in
      let name = attribute.baseName
      return (name.first?.isUppercase ?? false) && !attribute.isGlobalActor && attribute.name != actor
        && name != "KVKey" && name != "KVIgnored"
    }
  }

  /// Whether the property is an array that changes in place, as far as its type is written.
  var isArray: Bool {
    guard isObserved, !property.accessors.hasObservers, let type = property.type else { return false }
    let tokens = TokenList(type)
    return tokens[0] == "[" && tokens.tokens[0].partner == tokens.count - 1
      && tokens.split(1..<tokens.count - 1, by: ":").count == 1
  }

  func option(_ member: String) -> Argument? { options.first { $0.member == member } }
}

extension Attribute {
  /// The name without its module.
  var baseName: Substring { name.split(separator: ".").last ?? "" }

  func isNamed(_ name: String) -> Bool { baseName == name }

  /// Whether the attribute isolates a declaration: `@MainActor`, and by custom names of actors, `@DiskActor`.
  var isGlobalActor: Bool { baseName.hasSuffix("Actor") }
}
