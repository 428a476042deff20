import KVSyntax

/// The keys on which the computed properties of a model depend: those that their getters mention (MOD.4).
struct AffectingKeys {
  private let model: Model
  /// The properties of each name: several, if they are compiled under conditions.
  private let byName: [String: [ModelProperty]]
  /// The names that getters mention, by the places of their properties.
  private let mentions: [Int: [String]]

  init(_ model: Model) {
    self.model = model
    byName = Dictionary(grouping: model.properties.filter { !$0.property.isStatic }, by: \.property.name)
    let names = Set(byName.keys)
    let mentions = model.properties.compactMap { property -> (Int, [String])? in
      guard let getter = property.property.accessors.getter else { return nil }
      // What the type declares counts whatever its name; another name, if it can be that of an inherited property.
      let mentions =
        Mentions.of(names, in: getter, of: model.declaration.tokens)
        + Mentions.of(nil, in: getter, of: model.declaration.tokens)
      return (property.property.nameRange.lowerBound, mentions.map(\.name))
    }
    self.mentions = Dictionary(mentions, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the keys that affect a property, and the names that may be further keys.
  ///
  /// Further keys are those of which the declaration does not tell: inherited ones, those of lines by hand, and those of
  /// properties that are compiled under conditions. There are none of both if the property says itself what affects it.
  func keys(of property: ModelProperty) -> (own: [String], further: [String]) {
    guard property.option("affected") == nil, property.option("independent") == nil else { return ([], []) }
    var seen: Set<String> = [property.property.name]
    var keys: [String] = []
    var further: [String] = []
    // The last one is the next.
    var pending: [String] = mentions(of: property).reversed()
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      guard let candidates = byName[name] else {
        further.append(name)
        continue
      }
      for mentioned in candidates.reversed() {
        guard mentioned.isListed || (model.isClass && mentioned.isObserved) else {
          // A computed property without a line depends on what it mentions itself.
          pending += mentions(of: mentioned).reversed()
          continue
        }
        guard mayChange(mentioned) else { continue }
        if !model.isConditional(mentioned) {
          keys.append(mentioned.key)
        } else if further.last != name {
          further.append(name)
        }
      }
    }
    return (keys, further)
  }

  /// Whether a property with a line can notify: not a `let`, nor one that is computed of nothing that can.
  private func mayChange(_ property: ModelProperty) -> Bool {
    var seen: Set<Int> = []
    var pending = [property]
    while let next = pending.popLast() {
      guard !next.property.isConstant, seen.insert(next.property.nameRange.lowerBound).inserted else { continue }
      let accessors = next.property.accessors
      if next.isListed || (model.isClass && next.isObserved) {
        let isGiven = next.option("affected") != nil || next.option("notifiesManually") != nil
        if isGiven || accessors.getter == nil || accessors.hasSetter { return true }
        if next.option("independent") != nil { continue }
      }
      for name in mentions(of: next) {
        guard let candidates = byName[name] else { return true }
        pending += candidates
      }
    }
    return false
  }

  private func mentions(of property: ModelProperty) -> [String] {
    mentions[property.property.nameRange.lowerBound] ?? []
  }
}
