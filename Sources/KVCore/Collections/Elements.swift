/// Collections of any type, for those outside of the module.
package enum Elements {
  /// Returns the elements of an array, a set or a dictionary, nil for a nil element; nil for anything else.
  package static func all(of value: Any) -> [Any?]? { (value as? any CollectionValue)?.elements }

  /// Returns how many elements an array has; nil for anything else.
  package static func countOfArray(_ value: Any) -> Int? { (value as? any OrderedValue)?.elementCount }

  /// Returns how many elements a collection has; none of nil, or of anything else.
  package static func count(of value: Any?) -> Int { (value as? any CollectionValue)?.elementCount ?? 0 }
}
