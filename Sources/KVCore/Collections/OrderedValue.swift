/// A collection whose elements have indexes from zero, independent of the collection's own indices.
protocol OrderedValue: CollectionValue {
  /// Returns the element at a valid index.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at a valid index.
  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any
  /// Calls a function with the memory of the elements: its start and the stride.
  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError)

  /// Creates an empty collection.
  init()

  // Edits with elements in a collection of the same type: without a box per element, and without a copy if the
  // collection is uniquely referenced. Indexes ascend and are valid.

  /// Inserts elements so that they have the indexes afterwards; returns `false` if they are of another type.
  mutating func insert(_ elements: any CollectionValue, at indexes: [Int]) -> Bool
  /// Removes the elements at the indexes and returns them, so that none of them is released during the edit.
  mutating func remove(at indexes: [Int]) -> any CollectionValue
  /// Replaces the elements at the indexes and returns the old ones; `nil` if the new ones are of another type.
  mutating func replace(at indexes: [Int], with elements: any CollectionValue) -> (any CollectionValue)?
}

extension OrderedValue {
  /// Returns a value if it is of exactly this type.
  static func exactCast(_ any: Any) -> (any OrderedValue)? { KVCore.exactCast(any, Self.self) }

  /// Returns a copy with elements inserted at the indexes that they have afterwards; `nil` if they are of another type.
  func inserting(_ elements: any CollectionValue, at indexes: [Int]) -> Any? {
    var copy = self
    return copy.insert(elements, at: indexes) ? copy : nil
  }

  /// Returns a copy without the elements at the indexes.
  func removing(at indexes: [Int]) -> Any {
    var copy = self
    _ = copy.remove(at: indexes)
    return copy
  }

  /// Returns a copy with other elements at the indexes; `nil` if they are of another type.
  func replacing(at indexes: [Int], with elements: any CollectionValue) -> Any? {
    var copy = self
    return copy.replace(at: indexes, with: elements) == nil ? nil : copy
  }
}
