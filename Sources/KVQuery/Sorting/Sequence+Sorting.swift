import KVCore

extension Sequence {
  /// Returns the elements, sorted by descriptors.
  ///
  /// ```swift
  /// try songs.sorted(by: ["artist.name", .descending("year"), .natural("title")])
  /// ```
  ///
  /// Each value is read once. Elements that no descriptor tells apart keep their order (SRT.4).
  ///
  /// - Parameter descriptors: The descriptors, the most important one first.
  /// - Returns: The elements; in their order if there are no descriptors.
  /// - Throws: ``KVError``: the errors of reading a key path, with the index of the element; `typeMismatch` if two values
  ///   cannot be compared; `unsupported` for an unknown comparison.
  /// - Complexity: O(*n*) reads and O(*n* log *n*) comparisons (SRT.12).
  public func sorted(by descriptors: [KVSortDescriptor]) throws(KVError) -> [Element] {
    let elements = Array(self)
    guard !descriptors.isEmpty else { return elements }
    let order = try SortKeys(elements, descriptors).order()
    return elements[at: order]
  }

  /// Returns whether the elements are in the order of descriptors.
  ///
  /// - Parameter descriptors: The descriptors, the most important one first.
  /// - Throws: As ``sorted(by:)``.
  /// - Complexity: O(*n*).
  public func isSorted(by descriptors: [KVSortDescriptor]) throws(KVError) -> Bool {
    let elements = Array(self)
    let keys = try SortKeys(elements, descriptors)
    for index in elements.indices.dropFirst() where try keys.compare(index - 1, index) == .greater { return false }
    return true
  }
}

extension MutableCollection where Self: RandomAccessCollection {
  /// Sorts the elements by descriptors; see `sorted(by:)`.
  ///
  /// - Parameter descriptors: The descriptors, the most important one first.
  /// - Throws: As `sorted(by:)`; no element has moved then (SRT.3).
  /// - Complexity: O(*n*) reads and O(*n* log *n*) comparisons (SRT.12).
  public mutating func sort(by descriptors: [KVSortDescriptor]) throws(KVError) {
    let sorted: [Element] = try sorted(by: descriptors)
    var index = startIndex
    for element in sorted {
      self[index] = element
      formIndex(after: &index)
    }
  }
}

extension Array<KVSortDescriptor> {
  /// Returns the order of two values by the descriptors (SRT.7).
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Throws: As `sorted(by:)`; the values are the elements 0 and 1 for messages.
  public func compare(_ left: Any, _ right: Any) throws(KVError) -> KVOrdering {
    try SortKeys([left, right], self).compare(0, 1)
  }
}
