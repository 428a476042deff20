// The operations of an array that keep the elements unique (COL.5). Each notifies as that of ``KVMutableArray`` does.
extension KVMutableOrderedSet {
  /// Removes the elements that are equal to one of several values, in one operation.
  ///
  /// - Parameter elements: The values, which are not converted.
  /// - Throws: As ``KVMutableArray/remove(contentsOf:)``.
  /// - Complexity: As ``KVMutableArray/remove(contentsOf:)``.
  public func remove(contentsOf elements: [Any]) throws(KVError) { try array.remove(contentsOf: elements) }

  /// Removes the elements that satisfy a predicate, in one operation.
  ///
  /// - Parameter shouldBeRemoved: Returns whether an element is to be removed.
  /// - Throws: As ``KVMutableArray/removeAll(where:)``.
  /// - Complexity: As ``KVMutableArray/removeAll(where:)``.
  public func removeAll(where shouldBeRemoved: (Any?) -> Bool) throws(KVError) {
    try array.removeAll(where: shouldBeRemoved)
  }

  /// Removes all elements in one operation.
  ///
  /// - Throws: As ``KVMutableArray/removeAll()``.
  /// - Complexity: As ``KVMutableArray/removeAll()``.
  public func removeAll() throws(KVError) { try array.removeAll() }

  /// Moves an element to another index; observers are notified of one replacement, of all elements in between.
  ///
  /// - Parameters:
  ///   - source: The index of the element.
  ///   - destination: The index of the element afterwards.
  /// - Throws: As ``KVMutableArray/move(from:to:)``.
  /// - Complexity: As ``KVMutableArray/move(from:to:)``.
  public func move(from source: Int, to destination: Int) throws(KVError) {
    try array.move(from: source, to: destination)
  }

  /// Replaces all elements; observers are notified of a setting.
  ///
  /// - Parameter newElements: The new elements, which are converted by the rules of CO. Repeated elements are dropped.
  /// - Throws: As ``KVMutableArray/set(_:)``.
  /// - Complexity: As ``append(contentsOf:)``.
  public func set(_ newElements: [Any]) throws(KVError) {
    try array.property.withResolved { resolved throws(KVError) in
      let distinct = try DistinctValues.of(try fitting(newElements, resolved), limit: array.property.elementLimit)
      try array.property.setAll(try array.property.fitting(distinct, resolved), at: resolved)
    }
  }
}

extension KVMutableOrderedSet {
  /// The index of the first element, which is zero.
  ///
  /// - Complexity: O(1).
  public var startIndex: Int { 0 }

  /// The index after the last element, which equals the number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), besides reading the property.
  public var endIndex: Int { array.endIndex }

  /// The element at an index; traps with a sentence if the index is out of range (COL.3).
  ///
  /// - Parameter position: The index of the element.
  /// - Returns: The element; nil for a nil element.
  /// - Complexity: O(1), besides reading the property.
  public subscript(position: Int) -> Any? { array[position] }

  /// Returns an iterator over the current elements, for which the property is read once.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), besides reading the property.
  public func makeIterator() -> AnyIterator<Any?> { array.makeIterator() }

  /// Returns the index after another one.
  ///
  /// - Complexity: O(1).
  public func index(after index: Int) -> Int { index + 1 }

  /// Returns the index before another one.
  ///
  /// - Complexity: O(1).
  public func index(before index: Int) -> Int { index - 1 }
}
