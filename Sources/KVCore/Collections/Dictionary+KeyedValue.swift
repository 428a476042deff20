extension Dictionary: KeyedValue {
  static var isOrdered: Bool { false }
  static var isKeyed: Bool { true }
  static var elementType: Any.Type { Value.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    // Entries whose keys have no name would be lost.
    guard let source = any as? any KeyedValue, source.entryNames.count == source.elementCount else {
      throw .mismatch(any, Self.self)
    }
    var result: [Key: Value] = [:]
    for name in source.entryNames {
      guard let key = key(name) else { throw .mismatch(any, Self.self) }
      result[key] = try coercion.convert(source.entry(name), to: Value.self)
    }
    return result
  }

  /// Returns the key that a string stands for; nil if keys of the type are not made from strings.
  private static func key(_ name: String) -> Key? {
    if let key = name as? Key { return key }
    if let lossless = Key.self as? any LosslessStringConvertible.Type { return lossless.init(name) as? Key }
    if let raw = Key.self as? any RawRepresentable.Type { return rawKey(raw, name) as? Key }
    return nil
  }

  private static func rawKey<T: RawRepresentable>(_ type: T.Type, _ name: String) -> T? {
    if let raw = name as? T.RawValue { return T(rawValue: raw) }
    guard let lossless = T.RawValue.self as? any LosslessStringConvertible.Type else { return nil }
    return (lossless.init(name) as? T.RawValue).flatMap { T(rawValue: $0) }
  }

  private static func name(_ key: Key) -> String? {
    switch plain(key) {
    case let name as String: return name
    case let lossless as any LosslessStringConvertible: return lossless.description
    case let raw as any RawRepresentable:
      let value = raw.rawValue
      return value as? String ?? (value as? any LosslessStringConvertible)?.description
    default: return nil
    }
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for value in values { try body(flattened(value)) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    if let other = other as? [Key: Value] {
      return other.count == count
        && allSatisfy { key, value in
          other[key].map { Equality.areEqual(value, $0, depth: depth) } ?? false
        }
    }
    guard let other = other as? any KeyedValue, other.elementCount == count else { return false }
    let otherNames = Set<String>(other.entryNames)
    return entryNames.count == count
      && entryNames.allSatisfy { name in
        otherNames.contains(name) && Equality.areEqual(entry(name), other.entry(name), depth: depth)
      }
  }

  var entryNames: [String] { keys.compactMap { Self.name($0) } }

  func entry(_ name: String) -> Any? {
    guard let key = Self.key(name), let value = self[key] else { return integerEntry(name) }
    return flattened(value)
  }

  /// `[AnyHashable: …]` may hold integers as keys; they are found under their digits.
  private func integerEntry(_ name: String) -> Any? {
    guard Key.self == AnyHashable.self, let number = Int(name), let key = AnyHashable(number) as? Key else {
      return nil
    }
    return self[key].flatMap { flattened($0) }
  }

  func settingEntry(_ name: String, to value: Any?) throws(CoercionFailure) -> Any? {
    guard let key = Self.key(name) else { return nil }
    var copy = self
    copy[key] = value == nil ? nil : .some(try Coercion().convert(value, to: Value.self))
    return copy
  }
}
