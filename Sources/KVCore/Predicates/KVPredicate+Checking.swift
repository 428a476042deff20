extension KVPredicate {
  /// Throws if the predicate reads a key that a type does not have, without a value of it (FLT.17).
  ///
  /// A path is followed as far as types with a table lead: through objects, structs, optionals and the elements of
  /// collections. Keys that only reflection or a hook finds count as undefined.
  ///
  /// - Parameter type: The type of the values. A type without a table is not checked.
  /// - Throws: ``KVError``: `undefinedKey` with the known keys and the nearest of them.
  /// - Complexity: O(*n*) in the components of the paths.
  public func check(for type: Any.Type) throws(KVError) {
    for path in keyPaths.sorted() {
      do throws(KVError) { try Self.check(path.components[...], of: type) } catch {
        throw error.located(path: path.description, root: typeName(type))
      }
    }
  }

  private static func check(_ components: ArraySlice<KVKeyPath.Component>, of type: Any.Type) throws(KVError) {
    let type = innermostType(type)
    guard let component = components.first else { return }
    let rest = components.dropFirst()
    if let element = elementType(of: type) {
      switch component {
      // An operator's right path, and the keys of a collection, are read from the elements.
      case .index, .operator: return try check(rest, of: element)
      case .key("self"): return try check(rest, of: type)
      case .key where (type as? any CollectionValue.Type)?.isKeyed == true: return try check(rest, of: element)
      case .key: return try check(components, of: element)
      case .entry: return try check(rest, of: element)
      }
    }
    guard let coding = type as? any KeyValueCoding.Type, coding.keyTable !== KVTable.empty else { return }
    switch component {
    case .key("self"): return try check(rest, of: type)
    case .key(let key), .entry(let key):
      let declarations = coding.keyTable.merged
      if let found = declarations.last(where: { $0.name == key || $0.aliases.contains(key) }) {
        return try check(rest, of: found.value.type)
      }
      if type is KVRecord.Type { return }
      let known = declarations.map(\.name).sorted()
      let suggestion = Suggestion.nearest(to: key, among: known)
      throw KVError(
        .undefinedKey,
        "undefined key \"\(key)\" of \(typeName(type)).\(Suggestion.question(suggestion)) Known keys: \(Failure.list(known)).",
        component: key, knownKeys: known, suggestion: suggestion)
    case .index, .operator: return
    }
  }
}
