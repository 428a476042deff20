/// A collection of the standard library, seen without its types.
protocol CollectionValue {
  /// Whether elements have indexes.
  static var isOrdered: Bool { get }
  /// Whether the collection is a dictionary.
  static var isKeyed: Bool { get }
  static var elementType: Any.Type { get }
  /// Returns the collection of this type with the elements of another one, converted.
  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any

  var elementCount: Int { get }
  /// Calls a function with each element, in order; nil for a nil element.
  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError)
  /// Whether a collection of the same kind has equal elements.
  func isEqual(to other: any CollectionValue, depth: Int) -> Bool
}

extension CollectionValue {
  static var isKeyed: Bool { false }

  /// The elements, nil for a nil element.
  var elements: [Any?] {
    var result: [Any?] = []
    result.reserveCapacity(elementCount)
    // The body throws nothing, so neither does the walk.
    try? forEachElement { element in result.append(element) }
    return result
  }
}

/// A collection whose elements have indexes.
protocol OrderedValue: CollectionValue {
  /// Returns the element at an index that exists.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at an index that exists.
  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any
  /// Calls a function with the memory of the elements: its start, and the distance from one to the next.
  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError)
}

/// A dictionary.
protocol KeyedValue: CollectionValue {
  /// The names of all entries that can be named by a string.
  var entryNames: [String] { get }
  /// Returns an entry; nil if it is missing or nil.
  func entry(_ name: String) -> Any?
  /// Returns a copy with an entry set, or removed if the value is nil; nil if keys are not made from strings.
  func settingEntry(_ name: String, to value: Any?) throws(CoercionFailure) -> Any?
}
