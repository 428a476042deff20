extension KVKeyPath {
  /// Throws if values of a type do not have a key of the path, as far as types with a table lead.
  ///
  /// - Parameters:
  ///   - type: The type that the path begins at.
  ///   - isCertain: Whether only those keys are refused that no value can have: of types that have no subclasses, and whose
  ///     table lists all keys. Otherwise also those that only reflection, a hook or a subclass may have.
  /// - Throws: ``KVError``: `undefinedKey` with the known keys and the nearest of them; `notPermitted` (SEC.2).
  package func check(for type: Any.Type, isCertain: Bool = false) throws(KVError) {
    try Self.check(components[...], of: type, policy, isCertain: isCertain)
  }

  private static func check(
    _ components: ArraySlice<KVKeyPath.Component>, of type: Any.Type, _ policy: PathPolicy?, isCertain: Bool
  ) throws(KVError) {
    let type = innermostType(type)
    guard let component = components.first else { return }
    let remainder = components.dropFirst()
    if let element = elementType(of: type) {
      switch component {
      // An operator's right path, and the keys of a collection, are read from the elements.
      case .index, .operator: return try check(remainder, of: element, policy, isCertain: isCertain)
      case .key("self"): return try check(remainder, of: type, policy, isCertain: isCertain)
      case .key where (type as? any CollectionValue.Type)?.isKeyed == true,
        .entry where (type as? any CollectionValue.Type)?.isKeyed == true:
        return try check(remainder, of: element, policy, isCertain: isCertain)
      case .key, .entry: return try check(components, of: element, policy, isCertain: isCertain)
      }
    }
    guard let coding = type as? any KeyValueCoding.Type, coding.keyTable !== KVTable.empty else { return }
    switch component {
    case .key("self"): return try check(remainder, of: type, policy, isCertain: isCertain)
    case .key(let key), .entry(let key):
      let table = coding.keyTable
      let declarations = table.merged
      let found = declarations.last { $0.name == key || $0.aliases.contains(key) }
      try policy?.check(key, named: found?.name ?? (type is KVRecord.Type ? key : nil), of: type)
      if let found {
        return try check(remainder, of: found.value.type, policy, isCertain: isCertain)
      }
      if type is KVRecord.Type || isCertain && (type is AnyClass || !table.listsAllKeys) { return }
      let known = declarations.map(\.name).sorted()
      let suggestion = Suggestion.nearest(to: key, among: known)
      throw KVError(
        .undefinedKey,
        """
        undefined key "\(key)" of \(typeName(type)).\(Suggestion.question(suggestion)) Known keys: \(Failure.list(known)).
        """,
        component: key, knownKeys: known, suggestion: suggestion)
    case .index, .operator: return
    }
  }
}
