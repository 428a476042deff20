import KVSyntax

extension Model {
  /// Returns what makes a model of the type impossible (MOD.7).
  func errors() -> [Diagnostic] {
    guard let place = attribute?.range else { return [] }
    switch declaration.introducer {
    case "struct":
      return isRoot ? [syntax.error(at: place, "\".root\" is for classes: a struct has no observers")] : keyErrors
    case "class": return superclassErrors(place) + keyErrors
    case "extension":
      return [
        syntax.error(
          at: place,
          "@KVModel belongs to the declaration of \(declaration.name): an extension does not see its properties")
      ]
    default:
      return [
        syntax.error(
          at: place,
          "@KVModel belongs to a class or a struct; \(Self.article(declaration.introducer)) has no properties with keys"
        )
      ]
    }
  }

  private static func article(_ introducer: String) -> String {
    switch introducer {
    case "enum", "actor": "an \(introducer)"
    default: "a \(introducer)"
    }
  }

  private func superclassErrors(_ place: Range<Int>) -> [Diagnostic] {
    guard declaration.inheritedTypes.isEmpty, !isRoot else { return [] }
    let name = "class \(declaration.name)"
    let end = declaration.nameEnd
    return [
      syntax.error(
        at: place, "\(declaration.name) has no superclass: write \"\(name): KVObject\", or \"@KVModel(.root)\"",
        fixIts: [
          syntax.fix("inherit from KVObject", replacing: end..<end, with: ": KVObject"),
          syntax.fix("store the observers in \(declaration.name)", replacing: place, with: "@KVModel(.root)"),
        ])
    ]
  }

  private var keyErrors: [Diagnostic] {
    var errors: [Diagnostic] = []
    var names: [String: String] = [:]
    for property in properties where property.isListed {
      if isClass, property.property.sharesDeclaration, !property.property.isConstant, property.property.isStored {
        errors.append(
          syntax.error(
            at: property.property.nameRange,
            "\"\(property.property.name)\" needs a \"var\" of its own to notify: declare one property a line"))
      }
      if property.property.accessors.getterHasEffects {
        errors.append(
          syntax.error(
            at: property.property.nameRange,
            "\"\(property.property.name)\" is async or throws, so that it cannot be read by key: add @KVIgnored"))
      }
      for key in [property.key] + property.options.filter({ $0.member == "alias" }).flatMap(\.names) {
        if let other = names.updateValue(property.property.name, forKey: key), !hasConditions {
          errors.append(
            syntax.error(
              at: property.property.nameRange,
              "the key \"\(key)\" of \"\(property.property.name)\" is also a key of \"\(other)\": give one of them another name"
            ))
        }
      }
    }
    return errors
  }

  /// Whether some members are compiled under conditions, so that two of a name may exclude each other.
  private var hasConditions: Bool {
    declaration.members.contains { if case .condition = $0 { true } else { false } }
  }
}
