// Paths by which reflection is not used (DEF.5).

extension TypeInfo {
  /// Whether only reflection finds a key of a value of the type, which its table does not list.
  func hasReflected(_ key: String, of owner: Any) -> Bool {
    switch kind {
    case .ordered, .unordered, .keyed, .record, .optional: false
    case .tuple: true
    case .enumeration: !table.listsAllKeys && ReflectedValue.childNames(of: owner).contains(key)
    default: fields(of: owner).field(key) != nil
    }
  }
}

extension Failure {
  /// Throws if only reflection finds a key of an owner.
  static func refuseReflected(_ key: String, of owner: Any) throws(KVError) {
    let info = TypeInfo.of(owner)
    if try info.accessor(key) == nil, info.hasReflected(key, of: owner) { throw unlistedKey(key, of: owner) }
  }

  static func unlistedKey(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let table = info.isCoding ? "add it to the keyTable" : "give the type a keyTable that lists it"
    return KVError(
      .unlistedKey,
      """
      key "\(key)" of \(info.name) is in no table, and definitions and bindTo reach keys of tables only: \(table), as \
      key("\(key)", \\.\(key)), or allow reflection with the option allowsReflection.
      """, component: key)
  }
}

extension KVC {
  /// Refuses a path of ``KVKeyPath/tablesOnly`` whose last key only reflection finds (DEF.5).
  package static func checkTablesOnly(_ path: KVKeyPath, of root: AnyObject) throws(KVError) {
    // A path with an operator is only read, which refuses such keys itself.
    guard path.isTablesOnly, !path.hasOperator else { return }
    if let (resolver, rest) = path.resolver(from: root) {
      for owner in resolver.pathOwners where type(of: owner) is AnyClass {
        try checkTablesOnly(rest, of: owner as AnyObject)
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
        if let owner = try Reader(path).owner(of: root) { try check(key, of: owner, depth: 0) }
      } catch {
        if error.code != .indexOutOfRange { throw error }
      }
    }
  }

  private static func check(_ key: String, of owner: Any, depth: Int) throws(KVError) {
    guard let collection = owner as? any CollectionValue, TypeInfo.of(owner).isMapped else {
      return try Failure.refuseReflected(key, of: owner)
    }
    guard depth < Limits.nesting else { throw Failure.tooDeep(key) }
    _ = try collection.mapElements { element throws(KVError) in
      if let element { try check(key, of: element, depth: depth + 1) }
      return nil
    }
  }
}
