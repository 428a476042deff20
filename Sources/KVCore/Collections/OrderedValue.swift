/// A collection whose elements have indexes, counted from zero whatever the collection's own indexes are.
protocol OrderedValue: CollectionValue {
  /// Returns the element at an index that exists.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at an index that exists.
  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any
  /// Calls a function with the memory of the elements: its start, and the distance from one to the next.
  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError)

  // Edits by elements that stand in a collection of the same type: one copy of the storage, and no box an element. They
  // return nil if the elements are of another type. Indexes ascend and exist.

  /// Returns a copy with elements inserted, so that they have the indexes afterwards.
  func inserting(_ elements: Any, at indexes: [Int]) -> Any?
  /// Returns a copy without the elements at indexes.
  func removing(at indexes: [Int]) -> Any
  /// Returns a copy with other elements at indexes.
  func replacing(at indexes: [Int], with elements: Any) -> Any?
}
