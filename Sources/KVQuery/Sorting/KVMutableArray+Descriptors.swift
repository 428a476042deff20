import KVCore

extension KVMutableArray {
  /// Sorts the elements by descriptors; observers are notified of one replacement, of the elements that change place.
  ///
  /// ```swift
  /// try library.mutableArray(forKey: "songs").sort(by: ["artist.name", .descending("year")])
  /// ```
  ///
  /// - Parameter descriptors: The descriptors, the most important one first.
  /// - Throws: As `sorted(by:)`, and the errors of `replace(at:with:)`. The array is unchanged then (KVC.14).
  /// - Complexity: O(*n*) reads and O(*n* log *n*) comparisons, plus the table's functions.
  public func sort(by descriptors: [KVSortDescriptor]) throws(KVError) {
    try reorder { elements throws(KVError) in try SortKeys(elements, descriptors).order() }
  }

  /// Sorts the elements by the values of a key path; observers are notified of one replacement.
  ///
  /// ```swift
  /// try view.sort(by: "price", ascending: false)
  /// ```
  ///
  /// Values are compared as by a descriptor of the path (SRT.3, SRT.4): nil precedes all values, and NaN follows all
  /// numbers. Elements with equal values keep their order.
  ///
  /// - Parameters:
  ///   - path: The key path of the elements, or its text; `"self"` sorts by the elements themselves.
  ///   - ascending: Whether the least value comes first.
  /// - Throws: ``KVError``: the errors of reading the key path; `typeMismatch` if two values cannot be compared; the
  ///   errors of `replace(at:with:)`. The array is unchanged then (KVC.14).
  /// - Complexity: O(*n*) reads and O(*n* log *n*) comparisons, plus the table's functions.
  public func sort(by path: some KVKeyPathConvertible, ascending: Bool = true) throws(KVError) {
    try sort(by: [KVSortDescriptor(try path.keyPath(), ascending: ascending)])
  }
}

extension KVMutableOrderedSet {
  /// Sorts the elements by the values of a key path; observers are notified of one replacement.
  ///
  /// - Parameters:
  ///   - path: The key path of the elements, or its text; `"self"` sorts by the elements themselves.
  ///   - ascending: Whether the least value comes first.
  /// - Throws: As `sort(by:ascending:)` of `KVMutableArray`.
  /// - Complexity: As `sort(by:ascending:)` of `KVMutableArray`.
  public func sort(by path: some KVKeyPathConvertible, ascending: Bool = true) throws(KVError) {
    try array.sort(by: path, ascending: ascending)
  }
}
