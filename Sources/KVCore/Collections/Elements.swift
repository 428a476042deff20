/// Collections of any type, for those outside of the module.
package enum Elements {
  /// Returns the elements of an array, a set or a dictionary, nil for a nil element; nil for anything else.
  package static func all(of value: Any) -> [Any?]? { (value as? any CollectionValue)?.elements }

  /// Whether values of a type, or of an optional of it, are collections.
  package static func areInside(_ type: Any.Type) -> Bool {
    if let wrapped = optionalWrappedType(type) { return areInside(wrapped) }
    return type is any CollectionValue.Type
  }

  /// Whether a value is an array or a set, whose elements a function may be applied to.
  package static func canBeMapped(_ value: Any) -> Bool {
    guard let collection = value as? any CollectionValue else { return false }
    return !type(of: collection).isKeyed
  }

  /// Returns the results of a function for the elements of an array or set.
  ///
  /// That is an array; of a set a set, where they are hashable. Nil for anything else.
  package static func mapped(_ value: Any, _ body: (Any?) throws(KVError) -> Any?) throws(KVError) -> Any? {
    guard let collection = value as? any CollectionValue, !type(of: collection).isKeyed else { return nil }
    var results: [Any?] = []
    results.reserveCapacity(collection.elementCount)
    try collection.forEachElement { element throws(KVError) in results.append(try body(element)) }
    return type(of: collection).isOrdered ? results : Reader.hashableSet(results) ?? results
  }

  /// The error for collections that are nested too deeply.
  package static func tooDeep(in place: String) -> KVError { Failure.tooDeep(place) }

  /// Returns an element of an array, whose index is known to be inside.
  package static func element(_ index: Int, of value: Any) -> Any? { (value as? any OrderedValue)?.element(at: index) }

  /// Returns how many elements an array has; nil for anything else.
  package static func countOfArray(_ value: Any) -> Int? { (value as? any OrderedValue)?.elementCount }

  /// Returns how many elements a collection has; none of nil, or of anything else.
  package static func count(of value: Any?) -> Int { (value as? any CollectionValue)?.elementCount ?? 0 }
}
