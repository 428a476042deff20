extension KVMutableArray: RandomAccessCollection, MutableCollection {
  /// Walks over the elements as they were when the walk began.
  public struct Iterator: IteratorProtocol {
    fileprivate let array: (any OrderedValue)?
    fileprivate let count: Int
    private var index = 0

    fileprivate init(_ array: (any OrderedValue)?) {
      self.array = array
      count = array?.elementCount ?? 0
    }

    /// Returns the next element, which may be nil; nil at the end.
    ///
    /// - Complexity: O(1).
    public mutating func next() -> Any?? {
      guard let array, index < count else { return nil }
      defer { index += 1 }
      return .some(array.element(at: index))
    }
  }

  /// Returns an iterator over the elements as they are now; the property is read once.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), beside reading the property; so is each step, without reading it again.
  public func makeIterator() -> Iterator {
    trapping { () throws(KVError) in try property.withPlace { place in Iterator(place.ordered) } }
  }

  /// Zero.
  ///
  /// - Complexity: O(1).
  public var startIndex: Int { 0 }

  /// The number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), beside reading the property.
  public var endIndex: Int { trapping { () throws(KVError) in try property.withPlace(\.count) } }

  /// The number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  ///
  /// - Complexity: O(1), beside reading the property, once.
  public var count: Int { endIndex }

  // The standard library's own check the index against the end, which would read the property.

  /// The next index.
  ///
  /// - Complexity: O(1).
  public func index(after index: Int) -> Int { index + 1 }

  /// The index before.
  ///
  /// - Complexity: O(1).
  public func index(before index: Int) -> Int { index - 1 }

  /// The element at an index; traps with a sentence if there is none.
  ///
  /// - Parameter position: Its index.
  /// - Returns: The element; nil for a nil element.
  /// - Complexity: Reading: as ``element(at:)``. Writing: as ``replace(at:with:)-([Int],[Any])``.
  public subscript(position: Int) -> Any? {
    get { trapping { () throws(KVError) in try element(at: position) } }
    nonmutating set {
      trapping { () throws(KVError) in try replace(at: position, with: newValue as Any) }
    }
  }

  private func trapping<Result>(_ body: () throws(KVError) -> Result) -> Result {
    // Not `preconditionFailure`, which an optimised build lets trap without the sentence.
    do throws(KVError) { return try body() } catch { fatalError(error.description) }
  }
}
