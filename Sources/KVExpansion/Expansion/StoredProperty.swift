import KVSyntax

/// A stored property that notifies: its accessors, and the property behind them that stores the value.
struct StoredProperty {
  private let syntax: HostMessage.Syntax
  private let declaration: TypeDeclaration
  private let property: Property?
  private let number: String
  /// Whether Swift's Observation knows of reads and changes (OBV.1).
  private let isTracked: Bool

  init(_ expansion: HostMessage.AttachedExpansion) {
    syntax = expansion.declSyntax
    // A property alone is read as the member of a type.
    declaration = TypeDeclaration("class _ {\n" + syntax.source + "\n}")
    property = declaration.properties.first
    let arguments = Argument.list(TypeDeclaration(expansion.attributeSyntax.source).attributes.first?.arguments)
    number = arguments.first?.text ?? "0"
    isTracked = arguments.contains { $0.member == "observation" }
  }

  func accessors() -> PluginMessage.Expansion {
    guard let property else { return .init(expandedSource: nil, diagnostics: [syntax.error("no property")]) }
    let storage = property.storageName
    let observed = "_KVObserved(self, \(number), Self._kvKeys)"
    if property.has("override") {
      let set = """
        get { \(storage) }
        set {
          guard let observed = \(observed) else {
            return _KVObserved.setSilently(of: self, \(number), Self._kvKeys) { \(storage) = newValue }
          }
          observed.setOverridden(of: self, to: newValue) { \(storage) } write: { \(storage) = $0 }
        }
        """
      return .init(expandedSource: set, diagnostics: [])
    }
    // What `willSet` and `didSet` make of a value is known after they have run.
    let hasObservers = property.accessors.hasObservers
    let set =
      hasObservers
      ? "observed.set(of: self, to: newValue) { \(storage) } write: { \(storage) = $0 }"
      : "observed.set(of: self, to: newValue) { \(storage) } exchange: { Swift.swap(&\(storage), &$0) }"
    // The old value is released after the access: its end may be notified of, to handlers that read the property.
    let isReference = property.has("weak") || property.has("unowned")
    let unobserved =
      hasObservers || isReference || property.isTrivial
      ? "\(storage) = newValue" : "var value = newValue\n    Swift.swap(&\(storage), &value)"
    let keyPath = "(self, keyPath: \\.\(property.writtenName))"
    let access = isTracked ? "\n  _$observationRegistrar.access\(keyPath)\n  return" : ""
    let mutation =
      isTracked
      ? "\n  _$observationRegistrar.willSet\(keyPath)\n  defer { _$observationRegistrar.didSet\(keyPath) }" : ""
    let modification = isTracked ? "\n  _$observationRegistrar.access\(keyPath)" + mutation : ""
    var accessors = """
      @storageRestrictions(initializes: \(storage))
      init(initialValue) { \(storage) = initialValue }
      get {\(access) \(storage) }
      set {\(mutation)
        guard let observed = \(observed) else {
          \(unobserved)
          return
        }
        \(set)
      }
      """
    if !property.isTrivial, !isReference {
      accessors += """

        _modify {\(modification)
          let change = \(observed)?.change(of: self) { \(storage) }
          defer { change?.end(self) { \(storage) } }
          yield &\(storage)
        }
        """
    }
    return .init(expandedSource: accessors, diagnostics: [])
  }

  /// Returns the storage: the declaration under another name, without its attributes.
  func storage() -> PluginMessage.Expansion {
    guard let property else { return .init(expandedSource: nil, diagnostics: []) }
    if property.has("override") { return .init(expandedSource: overridden(property), diagnostics: []) }
    let modifiers = property.modifiers.filter {
      $0.hasPrefix("weak") || $0.hasPrefix("unowned") || $0.hasPrefix("nonisolated")
    }
    var source = (["private"] + modifiers + ["var \(property.storageName)"]).joined(separator: " ")
    if let type = property.type { source += ": \(type)" }
    if let value = property.initialValue { source += " = \(value)" }
    if let braces = property.accessors.braces { source += " " + observers(braces, of: property) }
    return .init(expandedSource: source, diagnostics: [])
  }

  /// Returns a computed property in place of the storage of an overridden one, which is that of the superclass: it sets
  /// that, between what `willSet` and `didSet` do.
  private func overridden(_ property: Property) -> String {
    let tokens = declaration.tokens
    let inherited = "super.\(property.writtenName)"
    let type = property.type.map { ": \($0)" } ?? ""
    var (before, after) = ("", "")
    for body in property.accessors.observers {
      let hasParameter = tokens[body.lowerBound - 2] == ")"
      let isBefore = tokens[body.lowerBound - (hasParameter ? 5 : 2)] == "willSet"
      let name = hasParameter ? tokens[body.lowerBound - 3] : isBefore ? "newValue" : "oldValue"
      let text = renamed(body, property, to: inherited)
      let call = "\n    ({ (\(name)\(type)) -> Void in \(text)\n    })(\(isBefore ? "newValue" : "oldValue"))"
      if isBefore { before += call } else { after += call }
    }
    let old = after.isEmpty ? "" : "\n    let oldValue = \(inherited)"
    return """
      private var \(property.storageName)\(type) {
        get { \(inherited) }
        set {\(before)\(old)
          \(inherited) = newValue\(after)
        }
      }
      """
  }

  /// Returns the body of an observer with another name in place of the property's.
  private func renamed(_ body: Range<Int>, _ property: Property, to name: String) -> String {
    let tokens = declaration.tokens
    var text = ""
    var end = tokens.tokens[body.lowerBound - 1].range.upperBound
    // `didSet(name)` declares the name.
    let isParameter = tokens[body.lowerBound - 2] == ")" && tokens[body.lowerBound - 3] == property.writtenName
    for mention in Mentions.of([property.name], in: body, of: tokens) where !mention.isInClosure {
      let isMember = tokens[mention.token - 1] == "."
      guard !isParameter || isMember else { continue }
      // `self.x` is `super.x`.
      let first = isMember && tokens[mention.token - 2] == "self" ? mention.token - 2 : mention.token
      text += String(decoding: tokens.source[end..<tokens.tokens[first].range.lowerBound], as: UTF8.self)
      text += (mention.isShorthand ? "\(property.writtenName) = " : "") + name
      end = tokens.tokens[mention.token].range.upperBound
    }
    return text
      + String(decoding: tokens.source[end..<tokens.tokens[body.upperBound].range.lowerBound], as: UTF8.self)
  }

  /// Returns `willSet` and `didSet` with the name of the storage in place of the property's: an observer that sets its
  /// own property sets the storage and is not called again, as in plain Swift (MOD.2), where closures and nested
  /// functions call the setter.
  private func observers(_ braces: Range<Int>, of property: Property) -> String {
    let tokens = declaration.tokens
    var text = ""
    var end = tokens.tokens[braces.lowerBound].range.lowerBound
    for body in property.accessors.observers {
      // `didSet(name)` declares the name.
      let isParameter = tokens[body.lowerBound - 2] == ")" && tokens[body.lowerBound - 3] == property.writtenName
      for mention in Mentions.of([property.name], in: body, of: tokens) where !mention.isInClosure {
        guard !isParameter || tokens[mention.token - 1] == "." else { continue }
        let range = tokens.tokens[mention.token].range
        text += String(decoding: tokens.source[end..<range.lowerBound], as: UTF8.self)
        text += (mention.isShorthand ? "\(property.writtenName) = " : "") + property.storageName
        end = range.upperBound
      }
    }
    return text
      + String(decoding: tokens.source[end..<tokens.tokens[braces.upperBound - 1].range.upperBound], as: UTF8.self)
  }
}

extension Property {
  /// Whether the type, as far as it is written, is one whose values are copied at no cost: a change in place is a get
  /// and a set then.
  fileprivate var isTrivial: Bool {
    let trivial: Set<Substring> = [
      "Bool", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
      "UInt64",
    ]
    if let type { return trivial.contains(type.hasSuffix("?") ? type.dropLast() : type[...]) }
    guard let initialValue else { return false }
    let tokens = TokenList(initialValue).tokens
    return initialValue == "true" || initialValue == "false" || tokens.map(\.kind) == [.number]
  }
}
