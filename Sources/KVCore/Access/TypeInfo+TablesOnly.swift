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
