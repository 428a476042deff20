extension Coercion {
  /// The types whose values convert among themselves only.
  private enum Family {
    case number, text, collection, object, value
    /// A type like `Date`, whose values are of no other type.
    case plain
  }

  /// Returns whether values of a static type can be converted to another type; false if no value can.
  package static func canFit(_ type: Any.Type, in other: Any.Type) -> Bool {
    // In most cases the types are the same, and need not be looked into.
    if type == other { return true }
    let (type, other) = (innermostType(type), innermostType(other))
    if type == other { return true }
    guard let own = family(type), let wanted = family(other) else { return true }
    if own == wanted { return own != .plain }
    // An enum is made of its raw value, and a struct of a dictionary, and not the other way round.
    guard wanted == .value else { return false }
    return own == .collection || own == .object || rawValueType(of: other).map { canFit(type, in: $0) } ?? false
  }

  private static func rawValueType(of type: Any.Type) -> Any.Type? {
    func open<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type { Value.RawValue.self }
    return (type as? any RawRepresentable.Type).map { open($0) }
  }

  /// Returns the family of a type; nil if its values may be of any family.
  private static func family(_ type: Any.Type) -> Family? {
    if type is any NumericValue.Type { return .number }
    if type == String.self { return .text }
    if type is any CollectionValue.Type { return .collection }
    if !(type is AnyClass), type is any RawRepresentable.Type || type is any KeyValueCoding.Type { return .value }
    // Objects of Foundation are bridged to values on Apple's platforms.
    #if !canImport(ObjectiveC)
      if type is AnyClass { return .object }
    #endif
    // No existential type is equatable, but `AnyHashable` takes any value.
    if type is AnyClass || type == AnyHashable.self || type is any Collection.Type { return nil }
    return type is any Equatable.Type ? .plain : nil
  }
}
