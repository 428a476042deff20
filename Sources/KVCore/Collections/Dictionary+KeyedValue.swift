extension Dictionary {
  static var isOrdered: Bool { false }
  static var isKeyed: Bool { true }
  static var elementType: Any.Type { Value.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let entries = keyedValue(any)?.namedEntries else { throw .mismatch(any, Self.self) }
    var result: [Key: Value] = [:]
    result.reserveCapacity(entries.count)
    for (name, value) in entries {
      guard let key = DictionaryKey<Key>.named(name) else { throw .mismatch(any, Self.self) }
      do throws(CoercionFailure) {
        result[key] = .some(try coercion.convert(value, to: Value.self))
      } catch {
        throw error.at(name)
      }
    }
    // Two names may convert to one key, as "1" and "01" do for an integer: an entry would be lost.
    guard result.count == entries.count else { throw .mismatch(any, Self.self) }
    return result
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for value in values { try body(unwrappingOptionals(value)) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    // Keys of `[AnyHashable: …]` may differ from the keys of another dictionary with the same names.
    if let same = exactCast(other, Self.self) ?? valueCast(other, to: Self.self) {
      let isEqual =
        same.count == count
        && allSatisfy { key, value in
          same[key].map { Equality.areEqual(value, $0, depth: depth) } ?? false
        }
      if isEqual || type(of: other) == Self.self { return isEqual }
    }
    guard
      other.elementCount == count, let entries = namedEntries,
      let others = keyedValue(other)?.namedEntries
    else { return false }
    let values = [String: Any?](uniqueKeysWithValues: others.map { ($0.name, $0.value) })
    return entries.allSatisfy { name, value in
      values[name].map { Equality.areEqual(value, $0, depth: depth) } ?? false
    }
  }

  var entryNames: [String] {
    let names = keys.compactMap { DictionaryKey<Key>.name(of: $0) }
    return Key.self == String.self ? names : [String](Set(names))
  }

  var namedEntries: [(name: String, value: Any?)]? {
    var entries: [(name: String, value: Any?)] = []
    entries.reserveCapacity(count)
    for (key, value) in self {
      guard let name = DictionaryKey<Key>.name(of: key) else { return nil }
      entries.append((name, unwrappingOptionals(value)))
    }
    guard Key.self == String.self || Set(entries.map(\.name)).count == count else { return nil }
    return entries
  }

  func entry(_ name: String) -> Any? {
    // The dictionaries of parsers: without generic code.
    if let dictionary = exactCast(self, [String: Any].self) { return dictionary[name].flatMap(unwrappingOptionals) }
    return key(named: name).flatMap { self[$0] }.flatMap { unwrappingOptionals($0) }
  }

  func hasEntry(_ name: String) -> Bool { key(named: name).map { index(forKey: $0) != nil } ?? false }

  func settingEntry(
    _ name: String, to value: Any?, with coercion: Coercion = Coercion()
  ) throws(CoercionFailure) -> Any? {
    guard let key = key(named: name) else { return nil }
    var copy = self
    copy[key] = value == nil ? nil : .some(try coercion.convert(value, to: Value.self))
    return copy
  }

  /// Returns the key with a name; if several keys have the name, the string.
  ///
  /// Keys of `[AnyHashable: …]` may be of any type, which the name does not determine: the keys are searched for the
  /// name, and only if none has it the name itself is the key.
  private func key(named name: String) -> Key? {
    guard let key = DictionaryKey<Key>.named(name) else { return nil }
    guard Key.self == AnyHashable.self, self[key] == nil else { return key }
    return keys.filter { DictionaryKey<Key>.name(of: $0) == name }.min { typeName(of: $0) < typeName(of: $1) } ?? key
  }

  /// The order of keys with the same name, so that the same key is always found.
  private func typeName(of key: Key) -> String { KVCore.typeName(type(of: unwrappingHashable(key))) }
}
