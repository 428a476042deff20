import KVSyntax

/// A stored property that notifies: its accessors, and the property behind them that stores the value.
struct StoredProperty {
  private let syntax: HostMessage.Syntax
  private let declaration: TypeDeclaration
  private let property: Property?
  private let number: String

  init(_ expansion: HostMessage.AttachedExpansion) {
    syntax = expansion.declSyntax
    // A property alone is read as the member of a type.
    declaration = TypeDeclaration("class _ {\n" + syntax.source + "\n}")
    property = declaration.properties.first
    number =
      Argument.list(TypeDeclaration(expansion.attributeSyntax.source).attributes.first?.arguments).first?.text ?? "0"
  }

  func accessors() -> PluginMessage.Expansion {
    guard let property else { return .init(expandedSource: nil, diagnostics: [syntax.error("no property")]) }
    let storage = "_\(property.name)"
    // What `willSet` and `didSet` make of a value is known after they have run.
    let set = property.accessors.hasObservers ? "setAndRead" : "set"
    return .init(
      expandedSource: """
        @storageRestrictions(initializes: \(storage))
        init(initialValue) { \(storage) = initialValue }
        get { \(storage) }
        set {
          guard let observed = _KVObserved(self) else {
            \(storage) = newValue
            return
          }
          observed.\(set)(Self._kvKeys[\(number)], of: self, to: newValue) { \(storage) } exchange: { Swift.swap(&\(storage), &$0) }
        }
        _modify {
          let change = _KVObserved(self)?.change(Self._kvKeys[\(number)], of: self) { \(storage) }
          defer { change?.end(self, \(storage)) }
          yield &\(storage)
        }
        """, diagnostics: [])
  }

  /// Returns the storage: the declaration under another name, without its attributes.
  func storage() -> PluginMessage.Expansion {
    guard let property else { return .init(expandedSource: nil, diagnostics: []) }
    let modifiers = property.modifiers.filter {
      $0.hasPrefix("weak") || $0.hasPrefix("unowned") || $0.hasPrefix("nonisolated")
    }
    var source = (["private"] + modifiers + ["var _\(property.name)"]).joined(separator: " ")
    if let type = property.type { source += ": \(type)" }
    if let value = property.initialValue { source += " = \(value)" }
    if let braces = property.accessors.braces { source += " " + observers(braces, of: property) }
    return .init(expandedSource: source, diagnostics: [])
  }

  /// Returns `willSet` and `didSet` with the name of the storage in place of the property's: an observer that sets its
  /// own property sets the storage and is not called again, as in plain Swift (MOD.2).
  private func observers(_ braces: Range<Int>, of property: Property) -> String {
    let tokens = declaration.tokens
    var text = ""
    var end = tokens.tokens[braces.lowerBound].range.lowerBound
    for mention in Mentions.of([property.name], in: braces, of: tokens) {
      let range = tokens.tokens[mention.token].range
      text += String(decoding: tokens.source[end..<range.lowerBound], as: UTF8.self) + "_\(property.name)"
      end = range.upperBound
    }
    return text
      + String(decoding: tokens.source[end..<tokens.tokens[braces.upperBound - 1].range.upperBound], as: UTF8.self)
  }
}
