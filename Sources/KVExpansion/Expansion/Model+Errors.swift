import KVSyntax

extension Model {
  /// Returns what makes a model of the type impossible (MOD.7).
  ///
  /// - Parameter missing: The protocols to which the type does not conform.
  func errors(missing: Set<String>) -> [Diagnostic] {
    guard let attribute, let location = self.attribute?.range else { return [] }
    let options =
      optionErrors(
        arguments, of: attribute, known: ["isolated", "listedKeysOnly", "observation", "root"], name: "@KVModel")
      + isolationErrors(location)
    switch declaration.introducer {
    case "struct":
      return options
        + (isRoot ? [syntax.error(at: location, "\".root\" is for classes: a struct has no observers")] : [])
        + observationErrors + memberErrors
    case "class": return options + superclassErrors(location, missing) + observationErrors + memberErrors
    default:
      return [
        syntax.error(
          at: location,
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

  /// Returns the error of `.isolated(to:)` for a type that is not isolated; a subclass may inherit its actor.
  private func isolationErrors(_ location: Range<Int>) -> [Diagnostic] {
    guard options.contains("isolated"), let actorName, isStruct || isRoot || inheritsFromKVObject,
      !declaration.attributes.contains(where: { $0.isNamed(actorName) })
    else { return [] }
    return [
      syntax.error(
        at: location,
        "\".isolated(to:)\" names the actor of a type, and \(declaration.name) has none: write \"@\(actorName)\" before it, or remove the option"
      )
    ]
  }

  private func superclassErrors(_ location: Range<Int>, _ missing: Set<String>) -> [Diagnostic] {
    if options.contains("root"), inheritsFromKVObject {
      let fixIts = options.count == 1 ? [syntax.fix("remove \".root\"", replacing: location, with: "@KVModel")] : []
      let message =
        "\".root\" is for classes without a superclass: KVObject stores the observers of \(declaration.name)"
      return [syntax.error(at: location, message, fixIts: fixIts)]
    }
    // The compiler says what the class does not conform to yet, by itself or by its superclass.
    if isRoot, let superclass = declaration.inheritedTypes.first, !declaration.inheritedTypes.contains("KVObservable"),
      !missing.contains("KVObservable")
    {
      return [
        syntax.error(
          at: location,
          "\".root\" is for classes without a superclass that can be observed: \(superclass) stores the observers of \(declaration.name); remove \".root\""
        )
      ]
    }
    guard lacksSuperclass(missing) else { return [] }
    let (start, name) = (declaration.inheritedStart, declaration.name)
    let insertion = declaration.inheritedTypes.isEmpty ? ": KVObject" : "KVObject, "
    let fixIts = [
      syntax.fix("inherit from KVObject", replacing: start..<start, with: insertion),
      syntax.fix("store the observers in \(name)", replacing: location, with: "@KVModel(.root)"),
    ]
    let cure = "let it inherit from KVObject, or write \"@KVModel(.root)\""
    return [syntax.error(at: location, "\(name) has no superclass that can be observed: \(cure)", fixIts: fixIts)]
  }

  // MARK: Members

  private var memberErrors: [Diagnostic] {
    properties.flatMap { propertyErrors($0) + attributeErrors($0) } + duplicateKeys + hiddenKeys + hookErrors
  }

  private func propertyErrors(_ property: ModelProperty) -> [Diagnostic] {
    let (name, location) = (property.property.name, property.property.nameRange)
    var errors: [Diagnostic] = []
    if isClass, property.mayBeObserved, property.property.sharesDeclaration {
      errors.append(
        syntax.error(at: location, "\"\(name)\" needs a \"var\" of its own to notify: declare one property a line"))
    }
    if property.mayBeListed, property.property.accessors.getterHasEffects {
      errors.append(
        syntax.error(
          at: location, "\"\(name)\" is async or throws, so that it cannot be read by key: add @KVIgnored",
          fixIts: [ignoring(property)]))
    }
    if property.mayBeListed, property.isUnavailable {
      errors.append(
        syntax.error(
          at: location, "\"\(name)\" is unavailable, so that it cannot be read by key: add @KVIgnored",
          fixIts: [ignoring(property)]))
    }
    if property.mayBeListed, let type = property.property.type, type.hasPrefix("some ") {
      errors.append(
        syntax.error(
          at: location,
          "\"\(name)\" has a type that only its getter knows, and a key needs one with a name: write \"any\" instead of \"some\", or add @KVIgnored",
          fixIts: [ignoring(property)]))
    }
    let key = property.key
    if property.mayBeListed, !key.isKey {
      // A raw identifier may be no key either: `` var `a.b` = 1 ``.
      let rule =
        property.arguments.first?.literal == nil
        ? "a key has no periods, brackets and quotation marks, and does not begin with \"@\": add @KVKey(\"name\") or @KVIgnored"
        : Self.keyRule
      let fixIts = property.keyAttribute == nil ? [ignoring(property)] : []
      errors.append(
        syntax.error(
          at: property.keyAttribute?.range ?? location, "\"\(key)\" is not a key: \(rule)", fixIts: fixIts))
    }
    let storage = "_" + name
    if isClass, hasStorageOfOthers(property) {
      errors.append(
        syntax.error(
          at: location,
          "\"\(name)\" is stored in \"\(storage)\", which \(declaration.name) declares, too: rename one of them, or add @KVIgnored",
          fixIts: [ignoring(property)]))
    }
    return errors
  }

  static let keyRule = "a key has no periods and brackets, does not begin with \"@\", and is not empty"

  private func ignoring(_ property: ModelProperty) -> Diagnostic.FixIt {
    let start = property.property.start
    return syntax.fix("leave \"\(property.property.name)\" out", replacing: start..<start, with: "@KVIgnored ")
  }

  /// Returns errors in the arguments of `@KVKey`.
  private func attributeErrors(_ property: ModelProperty) -> [Diagnostic] {
    guard let attribute = property.keyAttribute else { return [] }
    if property.isIgnored {
      let message = "\"\(property.property.name)\" has @KVKey and @KVIgnored: remove one of them"
      return [syntax.error(at: attribute.range, message)]
    }
    var options = property.arguments
    var errors: [Diagnostic] = []
    if options.first?.literal != nil { options.removeFirst() }
    if hasTable, !options.isEmpty {
      let message =
        "the options of \"\(property.property.name)\" are not read: \(declaration.name) declares \"keyTable\" itself"
      errors.append(syntax.error(at: attribute.range, message))
    }
    if property.property.isStored, options.contains(where: { $0.member == "independent" }) {
      let message =
        "\".independent\" is for computed properties: \"\(property.property.name)\" is stored, and depends on nothing"
      errors.append(syntax.error(at: attribute.range, message))
    }
    return errors + aliasErrors(options, of: attribute) + methodErrors(options, of: attribute)
      + optionErrors(options, of: attribute, known: ModelProperty.knownOptions, name: "@KVKey")
  }

  /// Returns errors for options that do not exist, or that are not written in place.
  private func optionErrors(
    _ options: [Argument], of attribute: Attribute, known: [String], name: String
  ) -> [Diagnostic] {
    let start = attribute.range.upperBound - (attribute.arguments?.utf8.count ?? 0)
    return options.compactMap { option in
      let location = start + option.offset..<start + option.offset + option.text.utf8.count
      guard !option.member.isEmpty else {
        let key = name == "@KVKey" ? "a name is a string literal without escapes, and " : ""
        return syntax.error(
          at: location,
          "\(name) is read before the program is compiled: \(key)options are written in place, as \".\(known[0])\"")
      }
      guard !known.contains(option.member) else { return nil }
      let member = start + option.offset + 1..<start + option.offset + 1 + option.member.utf8.count
      let near = option.member.nearest(among: known)
      let cure =
        near.map { "did you mean \".\($0)\"?" } ?? "there are \(known.map { "." + $0 }.joined(separator: ", "))"
      return syntax.error(
        at: location, "\(name) has no option \".\(option.member)\": \(cure)",
        fixIts: near.map { [syntax.fix("write \".\($0)\"", replacing: member, with: $0)] } ?? [])
    }
  }

  private var duplicateKeys: [Diagnostic] {
    guard !hasConditions else { return [] }
    var errors: [Diagnostic] = []
    var names: [String: String] = [:]
    for property in properties where property.isListed {
      for key in [property.key] + property.options.filter({ $0.member == "alias" }).flatMap(\.names) {
        guard let other = names.updateValue(property.property.name, forKey: key) else { continue }
        errors.append(
          syntax.error(
            at: property.property.nameRange,
            "the key \"\(key)\" of \"\(property.property.name)\" is also a key of \"\(other)\": give one of them another name"
          ))
      }
    }
    return errors
  }

  /// Returns errors for keys that depend on properties which nothing can observe.
  private var hiddenKeys: [Diagnostic] {
    guard options.contains("listedKeysOnly") else { return [] }
    let listed = Set(properties.filter(\.isListed).map(\.key))
    let affecting = AffectingKeys(self)
    return properties.filter(\.isListed).compactMap { property in
      guard let hidden = affecting.keys(of: property).own.first(where: { !listed.contains($0) }) else { return nil }
      let name = property.property.name
      return syntax.error(
        at: property.property.nameRange,
        "\"\(name)\" depends on \"\(hidden)\", which is not a key where only listed keys are accessible: add @KVKey to \"\(hidden)\", or @KVKey(.affected(by: …)) to \"\(name)\""
      )
    }
  }
}

extension String {
  /// Whether it can be a key.
  var isKey: Bool { !isEmpty && !hasPrefix("@") && !contains { ".[]\"".contains($0) } }

  /// Returns the name that differs least, if it resembles this one.
  func nearest(among names: [String]) -> String? {
    let distances = names.map { (name: $0, distance: distance(to: $0)) }
    return distances.min { $0.distance < $1.distance }.flatMap { $0.distance <= max(2, count / 3) ? $0.name : nil }
  }

  /// Returns how many characters have to be inserted, removed or replaced.
  private func distance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, otherCharacter) in other.enumerated() {
        let replaced = diagonal + (character == otherCharacter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
