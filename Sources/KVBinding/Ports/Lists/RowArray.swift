// Edits at several indexes in one pass.
extension Array {
  /// Inserts elements so that they have the indexes afterwards, which ascend and are valid then.
  ///
  /// - Complexity: O(*n* + *m*); that of `insert` for adjacent elements.
  mutating func insert(_ elements: [Element], at indexes: [Int]) {
    if let first = indexes.first, let last = indexes.last, last - first == indexes.count - 1 {
      return insert(contentsOf: elements, at: first)
    }
    apply(zip(indexes, elements).map { .insert(offset: $0, element: $1, associatedWith: nil) })
  }

  /// Removes the elements at the indexes, which ascend and are valid.
  ///
  /// - Complexity: O(*n*); that of `removeSubrange` for adjacent elements.
  mutating func remove(at indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return }
    if last - first == indexes.count - 1 { return removeSubrange(first...last) }
    apply(indexes.map { .remove(offset: $0, element: self[$0], associatedWith: nil) })
  }

  private mutating func apply(_ changes: [CollectionDifference<Element>.Change]) {
    if let edited = CollectionDifference(changes).flatMap({ applying($0) }) { self = edited }
  }
}
