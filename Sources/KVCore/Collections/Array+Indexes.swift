// Edits at several indexes in one pass.
extension Array {
  /// Inserts elements so that they have the indexes afterwards, which ascend and are valid then.
  ///
  /// - Complexity: O(*n* + *m*); that of `insert` for adjacent elements.
  @inlinable
  package mutating func insert(_ elements: [Element], at indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return }
    if first == last { return insert(elements[0], at: first) }
    if last - first == indexes.count - 1 { return insert(contentsOf: elements, at: first) }
    var tail: [Element] = []
    tail.reserveCapacity(count - first + elements.count)
    var next = first
    for (index, element) in zip(indexes, elements) {
      let gap = index - first - tail.count
      tail.append(contentsOf: self[next..<(next + gap)])
      tail.append(element)
      next += gap
    }
    tail.append(contentsOf: self[next...])
    replaceSubrange(first..., with: tail)
  }

  /// Removes the elements at the indexes, which ascend and are valid.
  ///
  /// - Complexity: O(*n*); that of `removeSubrange` for adjacent elements.
  @inlinable
  package mutating func remove(at indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return }
    if first == last {
      remove(at: first)
      return
    }
    if last - first == indexes.count - 1 { return removeSubrange(first...last) }
    var remaining: [Element] = []
    remaining.reserveCapacity(last - first + 1 - indexes.count)
    for (index, next) in zip(indexes, indexes.dropFirst()) { remaining.append(contentsOf: self[(index + 1)..<next]) }
    replaceSubrange(first...last, with: remaining)
  }
}
