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
    try property.withResolved { resolved throws(KVError) in
      guard let elements = resolved.collection?.elements else { return }
      try reorder(try SortKeys(elements, descriptors).order(), from: 0, in: resolved)
    }
  }
}
