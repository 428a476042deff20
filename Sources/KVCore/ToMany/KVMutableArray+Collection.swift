extension KVMutableArray {
  /// Returns an iterator over the current elements, for which the property is read once.
  ///
  /// A view of a key traps with the sentence of the error if there is no array; one of a path is empty then (COL.3).
  ///
  /// - Complexity: O(1), besides reading the property. Each step is O(1) and does not read the property.
  public func makeIterator() -> AnyIterator<Any?> {
    let current = property.reading(\.ordered) ?? nil
    let array = (current as? CountedCollection)?.whole ?? current
    var indices = (0..<(array?.elementCount ?? 0)).makeIterator()
    return AnyIterator { indices.next().map { array?.element(at: $0) } }
  }

  /// The index of the first element, which is zero.
  ///
  /// - Complexity: O(1).
  public var startIndex: Int { 0 }

  /// The index after the last element, which equals the number of elements.
  ///
  /// A view of a key traps with the sentence of the error if there is no array; one of a path is empty then (COL.3).
  ///
  /// - Complexity: O(1), besides reading the property.
  public var endIndex: Int { property.listedArray?.elementCount ?? property.reading(\.count) ?? 0 }

  /// The number of elements.
  ///
  /// A view of a key traps with the sentence of the error if there is no array; one of a path is empty then (COL.3).
  ///
  /// - Complexity: O(1), besides reading the property once.
  public var count: Int { endIndex }

  /// Exchanges two elements; traps with a sentence if an index is out of range (COL.3).
  ///
  /// - Parameters:
  ///   - first: An index.
  ///   - second: Another index, or the same one, which changes nothing.
  /// - Complexity: As ``exchange(_:_:)``, by which observers are notified once.
  public func swapAt(_ first: Int, _ second: Int) {
    property.trapping { resolved throws(KVError) in try exchange(first, second, in: resolved) }
  }

  // The default implementations compare the index with the end index, which reads the property.

  /// Returns the index after another one.
  ///
  /// - Complexity: O(1).
  public func index(after index: Int) -> Int { index + 1 }

  /// Returns the index before another one.
  ///
  /// - Complexity: O(1).
  public func index(before index: Int) -> Int { index - 1 }

  /// The element at an index; traps with a sentence if the index is out of range (COL.3).
  ///
  /// - Parameter position: The index of the element.
  /// - Returns: The element; nil for a nil element.
  /// - Complexity: Reading: as ``element(at:)``. Writing: as ``replace(at:with:)-(_,[Any])``.
  public subscript(position: Int) -> Any? {
    get {
      if let array = property.listedArray, position >= 0, position < array.elementCount {
        return array.element(at: position)
      }
      return property.trapping(.oneByOne) { resolved throws(KVError) in try element(at: position, in: resolved) }
    }
    nonmutating set {
      property.trapping { resolved throws(KVError) in try replace(at: [position], with: [newValue as Any], in: resolved)
      }
    }
  }

  /// The elements of a range, as they are now; traps with a sentence if the range is out of bounds (COL.3).
  ///
  /// A slice does not follow later edits of the view. Setting a range replaces its elements in one change.
  ///
  /// - Parameter bounds: The range.
  /// - Returns: The elements, with their indexes in the view.
  /// - Complexity: O(*n*) up to the end of the range, besides reading the property. Writing: as
  ///   ``replace(at:with:)-(_,[Any])``.
  public subscript(bounds: Range<Int>) -> ArraySlice<Any?> {
    get {
      property.trapping { resolved throws(KVError) in
        guard bounds.lowerBound >= 0, bounds.upperBound <= resolved.count else {
          let outside = bounds.lowerBound < 0 ? bounds.lowerBound : bounds.upperBound - 1
          throw Failure.indexOutOfRange(outside, count: resolved.count)
        }
        let array = resolved.ordered
        // A slice has the indexes of an array that begins with as many other elements.
        return Array((0..<bounds.upperBound).map { $0 < bounds.lowerBound ? nil : array?.element(at: $0) })[bounds]
      }
    }
    nonmutating set {
      property.trapping { resolved throws(KVError) in
        try replace(at: Array(bounds), with: newValue.map { $0 as Any }, in: resolved)
      }
    }
  }
}
