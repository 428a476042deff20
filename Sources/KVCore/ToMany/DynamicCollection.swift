/// Access to collections of any type, for other modules.
package enum DynamicCollection {
  /// Returns the elements of a collection, with `nil` for nil elements; `nil` for any other value.
  ///
  /// - Throws: ``KVError``: `limitExceeded` if the collection makes more elements than may be visited (KVC.18).
  package static func all(of value: Any) throws(KVError) -> [Any?]? {
    guard let collection = collectionValue(value) else { return nil }
    try collection.checkCount()
    return collection.elements
  }

  /// Returns whether the values of a type, or of the type that it wraps as an optional, are collections.
  package static func areInside(_ type: Any.Type) -> Bool {
    if let wrapped = optionalWrappedType(type) { return areInside(wrapped) }
    return type is any CollectionValue.Type || isForeignCollection(type)
  }

  /// Returns whether elements of a value can be objects, or lead to objects, by their static type.
  package static func mayContainObjects(_ value: Any) -> Bool {
    guard let collection = collectionValue(value) else { return false }
    let element = optionalWrappedType(type(of: collection).elementType) ?? type(of: collection).elementType
    return !(element == String.self || element is any NumericValue.Type)
  }

  /// Returns whether values of a type, or their elements, are objects or values with a table; nil if the type does not tell.
  package static func areModels(in type: Any.Type) -> Bool? {
    let type = innermostType(type)
    if let element = elementType(of: type) { return areModels(in: element) }
    if type is AnyClass || type is any KeyValueCoding.Type { return true }
    // No existential type is equatable, but `AnyHashable` takes any value.
    return type is any Equatable.Type && type != AnyHashable.self ? false : nil
  }

  /// Returns whether the elements of a type of collections can be values of another type, as far as both types tell: a class
  /// and another one have values in common if one inherits from the other, a class and numbers, texts or structs with a
  /// table have none.
  package static func canBe(_ element: Any.Type, in collection: Any.Type) -> Bool {
    guard let own = elementType(of: innermostType(collection)) else { return true }
    let (left, right) = (innermostType(own), innermostType(element))
    if left is AnyClass, right is AnyClass { return inherits(left, from: right) || inherits(right, from: left) }
    guard left is AnyClass || right is AnyClass else { return true }
    let value = left is AnyClass ? right : left
    return !(value == String.self || value is any NumericValue.Type || value is any KeyValueCoding.Type)
  }

  private static func inherits(_ type: Any.Type, from other: Any.Type) -> Bool {
    func open<T>(_ other: T.Type) -> Bool { type is T.Type }
    return _openExistential(other, do: open)
  }

  /// Returns whether a value is an array or a set, so that a function can be applied to its elements.
  package static func canBeMapped(_ value: Any) -> Bool {
    guard let collection = collectionValue(value) else { return false }
    return !type(of: collection).isKeyed
  }

  /// Returns the results of a function for the elements of an array or a set.
  ///
  /// The result is an array, or for a set with hashable results a set. It is `nil` for any other value.
  package static func mapped(_ value: Any, _ body: (Any?) throws(KVError) -> Any?) throws(KVError) -> Any? {
    guard let collection = collectionValue(value), !type(of: collection).isKeyed else { return nil }
    let results = try collection.mapElements(body)
    return type(of: collection).isOrdered ? results : Reader.hashableSet(results) ?? results
  }

  /// Throws if a level of nested collections cannot be entered.
  package static func checkNesting(_ depth: Int, at location: @autoclosure () -> String) throws(KVError) {
    try Failure.checkNesting(depth, at: location())
  }

  /// Returns the elements of an array, each once, if a set has fewer; nil otherwise.
  package static func distinct(_ array: Any?, ifFewerIn set: Any?) throws(KVError) -> Any? {
    guard let set, let array, countOfArray(set) == nil, let count = countOfArray(array), self.count(of: set) < count,
      let elements = try all(of: array)
    else { return nil }
    return try DistinctValues.of(elements.map { asAny($0) })
  }

  /// Returns the element of an array at a valid index.
  package static func element(_ index: Int, of value: Any) -> Any? {
    collectionValue(value)?.ordered?.element(at: index)
  }

  /// Returns the number of elements of an array, or `nil` for any other value.
  package static func countOfArray(_ value: Any) -> Int? { collectionValue(value)?.ordered?.elementCount }

  /// Returns the number of elements of a collection; zero for nil and for any other value.
  package static func count(of value: Any?) -> Int { value.flatMap(collectionValue)?.elementCount ?? 0 }
}
