import KVCore

extension PathChain {
  /// The effect of the deallocation of an object on the path (LIF.3).
  enum DeallocationEffect {
    /// Part of a change that is being made, which notifies of the path at its end.
    case partOfChange
    /// A change; the path can be read.
    case readable
    /// A change to nil. Which object is there now may not be read: a property that leads to it may be what is being set.
    case unreadable
    /// No change: the path ended before the object already.
    case none
  }

  /// Resolves the path again after the deallocation of the object of a link, as far as it can be read.
  func resolveAfterDeallocation(of link: PathLink, _ registration: Registration) -> DeallocationEffect {
    let effect = effect(after: link, before: link.depth)
    switch effect {
    case .readable: restart(registration)
    case .unreadable: if let last = links(before: link).last, !detach(after: last) { return .none }
    case .partOfChange, .none: break
    }
    return effect
  }

  /// Returns what a deallocation is to the path if it changes what the path leads to at a component.
  ///
  /// - Parameter link: The link of the component; nil if what operators read of elements changes.
  func effect(after link: PathLink?, before depth: Int) -> DeallocationEffect {
    let known = links(before: link)
    if known.contains(where: \.isChanging) { return .partOfChange }
    guard let barrier = barrier(in: known, before: depth), barrier == 0 || value(before: known[barrier]) != nil else {
      return .readable
    }
    return .unreadable
  }

  /// Returns the index of the first of some links whose key may be what is being set; nil if there is none.
  ///
  /// In `a.b.c.d`, whose object behind `c` has ended, that is `a` if it is a plain property or is being changed by hand,
  /// since Swift may be setting it. It is also `a` if its object has no registrar, so that `b` has no link: then `b` may
  /// be what is being set.
  private func barrier(in links: [PathLink], before depth: Int) -> Int? {
    links.indices.first { index in
      let link = links[index]
      let next = index + 1 < links.count ? links[index + 1].depth : depth
      guard let registrar = link.registrar, registrar.canReadAtRelease(link.key) else { return true }
      // An object without links, which does not notify of its changes.
      return next > link.depth + 1 && registrar.leadsToObject(link.key)
    }
  }

  /// Returns the object of a link, read from the root.
  private func value(before link: PathLink) -> Any? {
    guard let root, let left = link.depth > 0 ? link.depth - 1 : nil else { return nil }
    return (try? Reader(path, to: left).value(of: root, from: 0)) ?? nil
  }
}

extension PathLink {
  /// Whether a change of the key has begun and is not made yet: one that the link takes part in, or a manual change.
  var isChanging: Bool { changes.isChanging || registrar?.manualChange(of: key) == .observed }
}

extension Registration {
  /// Whether a change of a key of the path has begun and is not made yet, as far as the path knows.
  var isChanging: Bool {
    if let chain { return chain.links().contains(where: \.isChanging) }
    return changes.isChanging || registrar?.manualChange(of: key) == .observed
  }
}

extension ObserverRegistrar {
  /// Whether a manual change of a key has begun, and whether observers wait for its end.
  enum ManualState {
    case none, unobserved, observed
  }

  func manualChange(of key: InternedKey) -> ManualState {
    withExistingRareState { rareState in
      rareState.brackets[key].map { $0.contains { $0.run != nil } ? .observed : .unobserved }
    } ?? .none
  }

  /// Returns whether a key can be read when an object that it referenced is deallocated.
  func canReadAtRelease(_ key: InternedKey) -> Bool {
    TypeInfo.canReadAtRelease(objectType, key.name) && manualChange(of: key) == .none
  }

  /// Returns whether the value of a key is an object.
  func leadsToObject(_ key: InternedKey) -> Bool { TypeInfo.isReference(key.name, of: objectType) }
}
