// Edits at several indexes in one pass.
extension Array {
  /// Inserts elements so that they have the indexes afterwards, which ascend and are valid then.
  ///
  /// - Complexity: O(*n* + *m*); that of `insert` for adjacent elements.
  mutating func insert(_ elements: [Element], at indexes: [Int]) {
    if let first = indexes.first, let last = indexes.last, last - first == indexes.count - 1 {
      return insert(contentsOf: elements, at: first)
    }
    var result: [Element] = []
    result.reserveCapacity(count + elements.count)
    var next = 0
    for (index, element) in zip(indexes, elements) {
      let kept = index - result.count
      result.append(contentsOf: self[next..<next + kept])
      next += kept
      result.append(element)
    }
    result.append(contentsOf: self[next...])
    self = result
  }

  /// Removes the elements at the indexes, which ascend and are valid.
  ///
  /// - Complexity: O(*n*); that of `removeSubrange` for adjacent elements.
  mutating func remove(at indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return }
    if last - first == indexes.count - 1 { return removeSubrange(first...last) }
    var result: [Element] = []
    result.reserveCapacity(count - indexes.count)
    var next = 0
    for index in indexes {
      result.append(contentsOf: self[next..<index])
      next = index + 1
    }
    result.append(contentsOf: self[next...])
    self = result
  }
}
