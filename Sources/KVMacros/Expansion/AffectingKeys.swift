import KVSyntax

/// The keys on which the computed properties of a model depend: those that their getters mention (MOD.4).
struct AffectingKeys {
  private let model: Model
  private let byName: [String: ModelProperty]

  init(_ model: Model) {
    self.model = model
    byName = Dictionary(
      model.properties.filter { !$0.property.isStatic }.map { ($0.property.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the keys that affect a property, and the names that may be further keys.
  ///
  /// Further keys are those of which the declaration does not tell: inherited ones, and those of lines by hand. There
  /// are none of both if the property says itself what affects it.
  func keys(of property: ModelProperty) -> (own: [String], further: [String]) {
    keys(of: property, within: [])
  }

  /// - Parameter outer: The properties whose keys are being found, and which mention this one.
  private func keys(of property: ModelProperty, within outer: Set<String>) -> (own: [String], further: [String]) {
    guard property.option("affected") == nil, property.option("independent") == nil else { return ([], []) }
    var seen = outer.union([property.property.name])
    var keys: [String] = []
    var further: [String] = []
    // The last one is the next.
    var pending: [String] = mentions(of: property).reversed()
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      guard let mentioned = byName[name] else {
        further.append(name)
        continue
      }
      if mentioned.isListed || (model.isClass && mentioned.isObserved) {
        if mayChange(mentioned, within: seen) { keys.append(mentioned.key) }
      } else {
        // A computed property without a line depends on what it mentions itself.
        pending += mentions(of: mentioned).reversed()
      }
    }
    return (keys, further)
  }

  /// Whether a property with a line can notify: not a `let`, nor one that is computed of nothing that can.
  private func mayChange(_ property: ModelProperty, within outer: Set<String>) -> Bool {
    if property.property.isConstant { return false }
    let isGiven = property.option("affected") != nil || property.option("notifiesManually") != nil
    guard !isGiven, property.property.accessors.getter != nil, !property.property.accessors.hasSetter else {
      return true
    }
    let keys = keys(of: property, within: outer)
    return !(keys.own.isEmpty && keys.further.isEmpty)
  }

  private func mentions(of property: ModelProperty) -> [String] {
    guard let getter = property.property.accessors.getter else { return [] }
    return Mentions.of(nil, in: getter, of: model.declaration.tokens).map(\.name)
  }
}
