/// A collection of the standard library, without its static type.
protocol CollectionValue {
  /// Whether the elements have indexes.
  static var isOrdered: Bool { get }
  /// Whether the collection is a dictionary.
  static var isKeyed: Bool { get }
  static var elementType: Any.Type { get }
  /// Returns a collection of this type with the converted elements of another collection.
  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any

  /// The collection itself, if its elements have indexes.
  var ordered: (any OrderedValue)? { get }
  /// The collection itself, if it is a dictionary.
  var keyed: (any KeyedValue)? { get }
  var elementCount: Int { get }
  /// Throws if the collection makes its elements, and makes more than may be visited (KVC.18): it takes no memory, and a
  /// copy would take all.
  func checkCount() throws(KVError)
  /// Calls a function with each element, in order; `nil` for a nil element.
  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError)
  /// Calls a function with the objects of an array of the standard library, and their number; returns false for other
  /// collections.
  func withObjects(_ body: (AddressOf<_KVReference<AnyObject>>, Int) -> Void) -> Bool
  /// Returns whether a collection of the same kind has equal elements.
  func isEqual(to other: any CollectionValue, depth: Int) -> Bool
}

extension CollectionValue {
  static var isKeyed: Bool { false }
  var ordered: (any OrderedValue)? { nil }
  var keyed: (any KeyedValue)? { nil }
  func checkCount() throws(KVError) {}
  func withObjects(_ body: (AddressOf<_KVReference<AnyObject>>, Int) -> Void) -> Bool { false }

  /// The elements; `nil` for a nil element.
  var elements: [Any?] {
    // The function throws nothing, and who asks for all elements has checked their number.
    (try? mapElements { element in element }) ?? []
  }

  /// Returns the results of a function for the elements, in order.
  @inline(__always)
  func mapElements(_ body: (Any?) throws(KVError) -> Any?) throws(KVError) -> [Any?] {
    try checkCount()
    var results: [Any?] = []
    results.reserveCapacity(elementCount)
    try forEachElement { element throws(KVError) in results.append(try body(element)) }
    return results
  }
}

// They are found at run time only, so they are declared beside the protocol: a linker takes an object file of a static
// archive only if another one refers to it (.ci/archive.py).
extension Array: OrderedValue {}
extension ContiguousArray: OrderedValue {}
extension ArraySlice: OrderedValue {}
extension Set: UnorderedValue {}
extension Dictionary: KeyedValue {}
