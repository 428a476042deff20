// The one place where a policy permits or denies a key (SEC.2): a hop asks it for the accessor that it may keep, and
// whatever has no accessor asks it for the key. It never decides for a collection: each element decides.

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

  /// Throws if a path with the policy may not read, or write, a key of an owner: of each element of a collection, at any
  /// depth, and of the value in an optional.
  ///
  /// - Throws: ``KVError``: `notPermitted`, whether the owner has the key or not; `unlistedKey` for definitions;
  ///   `limitExceeded` for collections that are nested too deeply, or have too many elements.
  func check(_ key: String, of owner: Any, writing: Bool = false, nesting: Nesting = Nesting()) throws(KVError) {
    guard let owner = unwrappingOptionals(owner) else { return }
    let info = TypeInfo.of(owner)
    if key == "self", !writing, try Reader.isItself(owner, self) { return }
    guard info.mapsKey(key, of: owner), let collection = collectionValue(owner) else {
      return try check(key, of: owner, info, writing: writing)
    }
    try Failure.checkNesting(nesting.depth, at: key)
    try nesting.counting(collection.elementCount, at: key, limit: elementLimit) { nesting throws(KVError) in
      _ = try collection.mapElements { element throws(KVError) in
        if let element { try check(key, of: element, writing: writing, nesting: nesting.inner) }
        return nil
      }
    }
  }

  private func check(_ key: String, of owner: Any, _ info: TypeInfo, writing: Bool) throws(KVError) {
    guard rules != nil else { return try Failure.refuseReflected(key, of: owner) }
    if try permits(key, of: info, writing: writing) { return }
    throw denied(key, of: info.type, names(of: info, writing: writing), writing: writing)
  }

  /// Whether the rules permit to read, or to write, a key of values of a type.
  func permits(_ key: String, of info: TypeInfo, writing: Bool = false) throws(KVError) -> Bool {
    guard rules != nil else { return true }
    let hasEntries = info.kind == .keyed || info.kind == .record
    guard let name = try info.accessor(key)?.key.name ?? (hasEntries ? key : nil) else { return false }
    return names(of: info, writing: writing).contains(name)
  }

  /// Throws if a path with the policy may not read a key of a type, of which there is no value yet.
  ///
  /// - Parameters:
  ///   - key: The key of the path.
  ///   - name: The name of the key in the table; nil if that does not list it.
  ///   - type: The type.
  func check(_ key: String, named name: String?, of type: Any.Type) throws(KVError) {
    guard rules != nil, case let names = permission(for: type).reading else { return }
    if let name, names.contains(name) { return }
    throw denied(key, of: type, names, writing: false)
  }

  private func names(of info: TypeInfo, writing: Bool) -> Names {
    let permission = permission(for: info.type)
    return writing ? permission.writing : permission.reading
  }

  /// Throws if a path with the policy may not read, or write, a component of an owner.
  ///
  /// An element is set with the collection that contains it, whose key is checked then. A root has no key.
  func check(
    _ component: KVKeyPath.Component, at index: Int, of owner: Any, writing: Bool = false
  ) throws(KVError) {
    switch component {
    case .key(let key), .entry(let key): try check(key, of: owner, writing: writing)
    case .index where writing && index == 0 && rules != nil:
      throw denied(component.description, of: Swift.type(of: owner), Names(), writing: true)
    case .index(let number) where !writing: try checkElement(number, of: owner)
    case .index, .operator: return
    }
  }

  /// Throws if a path with the policy may not read an element of an owner: tuples are read by reflection.
  package func checkElement(_ index: Int, of owner: Any) throws(KVError) {
    guard rules != nil, case let info = TypeInfo.of(owner), info.kind == .tuple else { return }
    throw denied("[\(index)]", of: info.type, Names(), writing: false)
  }

  /// The error for a key, which is the same whether the type has it or not.
  private func denied(_ key: String, of type: Any.Type, _ names: Names, writing: Bool) -> KVError {
    let known = names.listed.sorted()
    let suggestion = Suggestion.nearest(to: key, among: known)
    let permitted = known.isEmpty ? "nothing" : Failure.list(known)
    return KVError(
      .notPermitted,
      """
      "\(key)" of \(typeName(type)) may not be \(writing ? "written" : "read").\(Suggestion.question(suggestion)) The policy \
      "\(name)" permits \(writing ? "writing" : "reading") \(permitted) of it.
      """, component: key, knownKeys: known, suggestion: suggestion)
  }
}

extension KVKeyPath {
  /// Throws if the policy of the path does not permit reading, or writing, one of its components of an owner.
  package func check(at index: Int, of owner: Any, writing: Bool = false) throws(KVError) {
    try policy?.check(components[index], at: index, of: owner, writing: writing)
  }

  /// Whether a component is the key `self` and means the owner itself (KVC.1, SEC.2).
  package func isReceiver(at index: Int, of owner: Any) throws(KVError) -> Bool {
    guard components[index] == .key("self") else { return false }
    return try Reader.isItself(owner, policy)
  }
}

extension KVC {
  /// Throws if the policy of a path does not permit its last key, to read or to write (SEC.2, DEF.5).
  ///
  /// Reading and writing ask the policy themselves; whatever is registered asks before, and so does a control, which is
  /// read and set by its own functions.
  package static func checkPolicy(_ path: KVKeyPath, of root: AnyObject, writing: Bool = false) throws(KVError) {
    guard path.policy != nil else { return }
    try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      do throws(KVError) {
        try PathCursor.withLastOwner(path, of: root) { owner, _ throws(KVError) in
          try path.check(at: path.count - 1, of: owner, writing: writing)
        }
      } catch {
        if error.code != .indexOutOfRange { throw error }
      }
    }
  }
}
