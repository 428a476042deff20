extension Coercion {
  /// The types whose values convert among themselves only.
  private enum Family {
    case number, text, collection, object, value
  }

  /// Returns whether values of a static type can be converted to another type; false if no value can.
  package static func canFit(_ type: Any.Type, in other: Any.Type) -> Bool {
    if type == other { return true }
    guard let own = family(type), let wanted = family(other) else { return true }
    // An enum is made of its raw value, and a struct of a dictionary, and not the other way round.
    return own == wanted || wanted == .value
  }

  /// Returns the family of a type; nil if its values may be of any family.
  private static func family(_ type: Any.Type) -> Family? {
    let type = optionalWrappedType(type) ?? type
    if type is any KVNumeric.Type { return .number }
    if type == String.self { return .text }
    if type is any CollectionValue.Type { return .collection }
    if !(type is AnyClass), type is any RawRepresentable.Type || type is any KeyValueCoding.Type { return .value }
    // Objects of Foundation are bridged to values on Apple's platforms.
    #if !canImport(ObjectiveC)
      if type is AnyClass { return .object }
    #endif
    return nil
  }
}
