/// A collection whose elements have indexes, counted from zero whatever the collection's own indexes are.
protocol OrderedValue: CollectionValue {
  /// Returns the element at an index that exists.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at an index that exists.
  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any
  /// Calls a function with the memory of the elements: its start, and the distance from one to the next.
  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError)

  /// Makes an empty collection.
  init()

  // Edits by elements that stand in a collection of the same type: no box an element, and no copy where nobody else has
  // the collection. Indexes ascend and exist.

  /// Inserts elements so that they have the indexes afterwards; false if they are of another type.
  mutating func insert(_ elements: any CollectionValue, at indexes: [Int]) -> Bool
  /// Removes the elements at indexes, and returns them, so that none of them dies during the edit.
  mutating func remove(at indexes: [Int]) -> any CollectionValue
  /// Replaces the elements at indexes, and returns the old ones; nil if the new ones are of another type.
  mutating func replace(at indexes: [Int], with elements: any CollectionValue) -> (any CollectionValue)?
}

extension OrderedValue {
  /// Returns a value that is of exactly this type.
  static func exactly(_ any: Any) -> (any OrderedValue)? { KVCore.exactly(any, Self.self) }

  /// Returns a copy with elements inserted, so that they have the indexes afterwards; nil if they are of another type.
  func inserting(_ elements: any CollectionValue, at indexes: [Int]) -> Any? {
    var copy = self
    return copy.insert(elements, at: indexes) ? copy : nil
  }

  /// Returns a copy without the elements at indexes.
  func removing(at indexes: [Int]) -> Any {
    var copy = self
    _ = copy.remove(at: indexes)
    return copy
  }

  /// Returns a copy with other elements at indexes; nil if they are of another type.
  func replacing(at indexes: [Int], with elements: any CollectionValue) -> Any? {
    var copy = self
    return copy.replace(at: indexes, with: elements) == nil ? nil : copy
  }
}
