// The one place where a policy permits or denies a key (SEC.2): a hop asks it for the accessor that it may keep, and
// whatever has no accessor asks it for the key.

extension PathPolicy {
  /// Returns the accessor of a key for paths with the policy; nil if the key may not be read.
  ///
  /// - Parameters:
  ///   - accessor: The accessor of the key.
  ///   - type: The type of the owner.
  func permitted(_ accessor: Accessor, of type: Any.Type) -> Accessor? {
    guard rules != nil else { return accessor }
    let permission = permission(for: type)
    guard permission.reading.contains(accessor.key.name) else { return nil }
    return permission.writing.contains(accessor.key.name) ? accessor : accessor.withoutWriting
  }

  /// Throws if a path with the policy may not read, or write, a key of an owner.
  ///
  /// A key of the elements of a collection, or of the value in an optional, is checked when it is read of these.
  ///
  /// - Throws: ``KVError``: `notPermitted`, whether the owner has the key or not; `unlistedKey` for definitions.
  func check(_ key: String, of owner: Any, writing: Bool = false) throws(KVError) {
    guard rules != nil else { return try Failure.refuseReflected(key, of: owner) }
    let info = TypeInfo.of(owner)
    if info.kind == .optional || info.mapsKey(key, of: owner) { return }
    if key == "self", !writing, try Reader.isItself(owner) { return }
    let permission = permission(for: info.type)
    let names = writing ? permission.writing : permission.reading
    let hasEntries = info.kind == .keyed || info.kind == .record
    if let name = try info.accessor(key)?.key.name ?? (hasEntries ? key : nil), names.contains(name) { return }
    throw denied(key, of: info, names, writing: writing)
  }

  /// Throws if a path with the policy may not set a component of an owner.
  ///
  /// An element is set with the collection that contains it, whose key is checked then. A root has no key.
  func checkWriting(_ component: KVKeyPath.Component, at index: Int, of owner: Any) throws(KVError) {
    switch component {
    case .key(let key), .entry(let key): try check(key, of: owner, writing: true)
    case .index where index == 0 && rules != nil:
      throw denied(component.description, of: .of(owner), Names(), writing: true)
    case .index, .operator: return
    }
  }

  /// Throws if a path with the policy may not read an element of an owner: tuples are read by reflection.
  func checkElement(_ index: Int, of owner: Any) throws(KVError) {
    guard rules != nil, case let info = TypeInfo.of(owner), info.kind == .tuple else { return }
    throw denied("[\(index)]", of: info, Names(), writing: false)
  }

  /// The error for a key, which is the same whether the type has it or not.
  private func denied(_ key: String, of info: TypeInfo, _ names: Names, writing: Bool) -> KVError {
    let known = names.listed.sorted()
    let suggestion = Suggestion.nearest(to: key, among: known)
    let permitted = known.isEmpty ? "nothing" : Failure.list(known)
    return KVError(
      .notPermitted,
      """
      "\(key)" of \(info.name) may not be \(writing ? "written" : "read").\(Suggestion.question(suggestion)) The policy \
      "\(name)" permits \(writing ? "writing" : "reading") \(permitted) of it.
      """, component: key, knownKeys: known, suggestion: suggestion)
  }
}

extension KVKeyPath {
  /// Throws if the policy of the path does not permit reading one of its components of an owner.
  package func checkReading(at index: Int, of owner: Any) throws(KVError) {
    guard let policy else { return }
    switch components[index] {
    case .key(let key), .entry(let key): try policy.check(key, of: owner)
    case .index(let number): try policy.checkElement(number, of: owner)
    case .operator: return
    }
  }
}

extension KVC {
  /// Throws if the policy of a path does not permit its last key, to read or to write (SEC.2, DEF.5).
  ///
  /// Reading and writing ask the policy themselves; whatever is registered asks before.
  package static func checkPolicy(_ path: KVKeyPath, of root: AnyObject, writing: Bool = false) throws(KVError) {
    // A path with an operator is only read, which refuses such keys itself.
    guard let policy = path.policy, !path.hasOperator else { return }
    if let (resolver, rest) = path.resolver(from: root) {
      for owner in resolver.pathOwners where type(of: owner) is AnyClass {
        try checkPolicy(rest, of: owner as AnyObject, writing: writing)
      }
      return
    }
    let key: String
    switch path.last {
    case .key(let name), .entry(let name): key = name
    case .index, .operator: return
    }
    try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      do throws(KVError) {
        guard let owner = try Reader(path).owner(of: root) else { return }
        try check(key, of: owner, depth: 0) { owner throws(KVError) in
          try policy.check(key, of: owner, writing: writing)
        }
      } catch {
        if error.code != .indexOutOfRange { throw error }
      }
    }
  }

  /// Checks a key of an owner, or of all elements of a collection.
  private static func check(
    _ key: String, of owner: Any, depth: Int, by check: (Any) throws(KVError) -> Void
  ) throws(KVError) {
    guard let collection = owner as? any CollectionValue, TypeInfo.of(owner).isMapped else { return try check(owner) }
    guard depth < Limits.nesting else { throw Failure.tooDeep(key) }
    _ = try collection.mapElements { element throws(KVError) in
      if let element { try self.check(key, of: element, depth: depth + 1, by: check) }
      return nil
    }
  }
}
