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
    guard property.option("affected") == nil, property.option("independent") == nil else { return ([], []) }
    var seen: Set<String> = [property.property.name]
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
        if !mentioned.property.isConstant { keys.append(mentioned.key) }
      } else {
        // A computed property without a line depends on what it mentions itself.
        pending += mentions(of: mentioned).reversed()
      }
    }
    return (keys, further)
  }

  private func mentions(of property: ModelProperty) -> [String] {
    guard let getter = property.property.accessors.getter else { return [] }
    return Mentions.of(nil, in: getter, of: model.declaration.tokens).map(\.name)
  }
}
