extension KVMutableArray: RandomAccessCollection, MutableCollection {
  /// Returns an iterator over the current elements, for which the property is read once.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), besides reading the property. Each step is O(1) and does not read the property.
  public func makeIterator() -> AnyIterator<Any?> {
    let array = trapping { () throws(KVError) in try property.withResolved(\.ordered) }
    var indices = (0..<(array?.elementCount ?? 0)).makeIterator()
    return AnyIterator { indices.next().map { array?.element(at: $0) } }
  }

  /// The index of the first element, which is zero.
  ///
  /// - Complexity: O(1).
  public var startIndex: Int { 0 }

  /// The index after the last element, which equals the number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), besides reading the property.
  public var endIndex: Int { trapping { () throws(KVError) in try property.withResolved(\.count) } }

  /// The number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), besides reading the property once.
  public var count: Int { endIndex }

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
  /// - Complexity: Reading: as ``element(at:)``. Writing: as ``replace(at:with:)-([Int],[Any])``.
  public subscript(position: Int) -> Any? {
    get { trapping { () throws(KVError) in try element(at: position) } }
    nonmutating set {
      trapping { () throws(KVError) in try replace(at: position, with: newValue as Any) }
    }
  }

  private func trapping<Result>(_ body: () throws(KVError) -> Result) -> Result {
    // `fatalError`, since `preconditionFailure` traps without its message in optimized builds.
    do throws(KVError) { return try body() } catch { fatalError(error.description) }
  }
}
