/// The elements of a collection of any type, for other libraries of the package.
package struct CollectionElements {
  private let collection: any CollectionValue

  /// Creates the elements of a value; nil if it is no collection.
  package init?(of value: Any) {
    guard let collection = collectionValue(value) else { return nil }
    self.collection = consume collection
  }

  /// Whether the elements have indexes.
  package var areOrdered: Bool { type(of: collection).isOrdered }
  /// Whether the elements are the values of a dictionary.
  package var areKeyed: Bool { type(of: collection).isKeyed }
  package var count: Int { collection.elementCount }

  /// Returns the elements, with nil for nil elements.
  ///
  /// - Throws: ``KVError``: `limitExceeded` if the collection makes more elements than may be visited (KVC.18).
  package func all() throws(KVError) -> [Any?] {
    try collection.checkCount()
    return collection.elements
  }

  /// Calls a function with each element, in order.
  package func forEach(_ body: (Any?) throws(KVError) -> Void) throws(KVError) { try collection.forEachElement(body) }

  /// The element at a valid index; nil if the elements have no indexes.
  package subscript(index: Int) -> Any? { collection.ordered?.element(at: index) }

  /// Calls a function with the objects of an array and their number.
  ///
  /// - Returns: Whether the collection is an array of objects; else the function is not called.
  package func withObjects(_ body: (AddressOf<_KVReference<AnyObject>>, Int) -> Void) -> Bool {
    collection.withObjects(body)
  }
}
