/// The conversion between dictionary keys and their names.
enum DictionaryKey<Key: Hashable> {
  /// Returns the key with a name, or `nil` if keys of the type cannot be created from strings.
  static func named(_ name: String) -> Key? {
    if let key = exactCast(name, Key.self) ?? name as? Key { return key }
    if let lossless = Key.self as? any LosslessStringConvertible.Type { return value(lossless, name) as? Key }
    if let raw = Key.self as? any RawRepresentable.Type { return rawKey(raw, name) as? Key }
    return nil
  }

  private static func rawKey<T: RawRepresentable>(_ type: T.Type, _ name: String) -> T? {
    if let raw = name as? T.RawValue { return T(rawValue: raw) }
    guard let lossless = T.RawValue.self as? any LosslessStringConvertible.Type else { return nil }
    return (value(lossless, name) as? T.RawValue).flatMap { T(rawValue: $0) }
  }

  /// Returns the value of a text; `nil` for an integer that is written otherwise, so that it has one name only.
  private static func value<T: LosslessStringConvertible>(_ type: T.Type, _ name: String) -> Any? {
    let value = TextConversion.lossless(name, type)
    guard let value, !(value is any BinaryInteger) || value.description == name else { return nil }
    return value
  }

  /// Returns the name of a key, or `nil` if it has none.
  static func name(of key: Key) -> String? {
    if let name = key as? String { return name }
    switch unwrappingHashable(key) {
    case let name as String: return name
    case let lossless as any LosslessStringConvertible: return lossless.description
    case let raw as any RawRepresentable:
      let value = raw.rawValue
      return value as? String ?? (value as? any LosslessStringConvertible)?.description
    default: return nil
    }
  }
}
