extension KVPolicy {
  /// Permits keys of a type (SEC.3).
  ///
  /// The rules for a type and for its superclasses add up. Collections and optionals need no rule: their elements have
  /// the rules of their own types.
  ///
  /// - Parameters:
  ///   - type: A type with a table, which its subclasses share as far as it goes; `KVRecord`, or the type of a dictionary.
  ///   - keys: The keys that may be read, by name or alias.
  ///   - writing: The keys that may be read and written.
  /// - Throws: ``KVError``: `undefinedKey` if the table of the type does not list a key; `unlistedKey` if the type has no
  ///   table, since a policy permits nothing that only reflection or a hook finds.
  public mutating func allow<Root>(_ type: Root.Type, keys: Keys, writing: Keys = []) throws(KVError) {
    var reading = try Self.names(keys, of: type)
    let written = try Self.names(writing, of: type)
    reading.formUnion(written)
    rules = rules.adding(
      PathPolicy.Rule(
        type: type, applies: { $0 is Root.Type }, permission: PathPolicy.Permission(reading: reading, writing: written))
    )
  }

  /// Returns the names of keys of a type, with aliases replaced by their keys.
  private static func names(_ keys: Keys, of type: Any.Type) throws(KVError) -> PathPolicy.Names {
    if type is KVRecord.Type || (type as? any CollectionValue.Type)?.isKeyed == true {
      switch keys {
      case .all: return PathPolicy.Names(isAll: true)
      case .only(let names): return PathPolicy.Names(listed: names)
      }
    }
    guard let coding = type as? any KeyValueCoding.Type, case let lines = coding.keyTable.merged,
      type is AnyClass || !lines.isEmpty
    else {
      throw KVError(
        .unlistedKey,
        """
        a policy permits keys of tables only, and \(typeName(type)) has none: give it a keyTable. For a collection or an \
        optional, name the type of its elements.
        """, rootType: typeName(type))
    }
    guard case .only(let names) = keys else { return PathPolicy.Names(listed: Set(lines.map(\.name))) }
    var listed: Set<String> = []
    for name in names.sorted() {
      guard let line = lines.first(where: { $0.name == name }) ?? lines.first(where: { $0.aliases.contains(name) })
      else {
        let known = lines.map(\.name).sorted()
        let suggestion = Suggestion.nearest(to: name, among: known)
        throw KVError(
          .undefinedKey,
          """
          the keyTable of \(typeName(type)) has no key "\(name)" to permit.\(Suggestion.question(suggestion)) \
          Its keys: \(Failure.list(known)).
          """, component: name, rootType: typeName(type), knownKeys: known, suggestion: suggestion)
      }
      listed.insert(line.name)
    }
    return PathPolicy.Names(listed: listed)
  }
}
