// Indexes count from the start of the collection: the indices of a slice are those of its base, even after an edit.
extension OrderedValue
where Self: RandomAccessCollection & MutableCollection & RangeReplaceableCollection, Self.Index == Int {
  func replacing(at index: Int, with value: Any?, by coercion: Coercion) throws(CoercionFailure) -> Any {
    let element = try coercion.convert(value, to: Element.self)
    var copy = self
    copy[startIndex + index] = element
    return copy
  }

  mutating func replace(at indexes: [Int], with elements: any CollectionValue) -> (any CollectionValue)? {
    guard var elements = elements as? Self else { return nil }
    for (position, index) in indexes.enumerated() {
      swap(&self[startIndex + index], &elements[elements.startIndex + position])
    }
    return elements
  }

  mutating func insert(_ elements: any CollectionValue, at indexes: [Int]) -> Bool {
    guard let elements = elements as? Self else { return false }
    guard let run = Run(indexes) else { return true }
    if run.isUnbroken {
      insert(contentsOf: elements, at: startIndex + run.first)
      return true
    }
    var tail: [Element] = []
    tail.reserveCapacity(count - run.first + elements.count)
    var old = self[(startIndex + run.first)...].makeIterator()
    for (index, element) in zip(indexes, elements) {
      while run.first + tail.count < index, let element = old.next() { tail.append(element) }
      tail.append(element)
    }
    while let element = old.next() { tail.append(element) }
    replaceSubrange((startIndex + run.first)..., with: tail)
    return true
  }

  mutating func remove(at indexes: [Int]) -> any CollectionValue {
    guard let run = Run(indexes) else { return [Element]() }
    let range = (startIndex + run.first)..<(startIndex + run.last + 1)
    if run.isUnbroken {
      let removed = Array(self[range])
      removeSubrange(range)
      return removed
    }
    var (removed, remaining): ([Element], [Element]) = ([], [])
    removed.reserveCapacity(indexes.count)
    remaining.reserveCapacity(range.count - indexes.count)
    for index in range {
      if removed.count < indexes.count, index - startIndex == indexes[removed.count] {
        removed.append(self[index])
      } else {
        remaining.append(self[index])
      }
    }
    replaceSubrange(range, with: remaining)
    return removed
  }
}

/// The bounds of ascending indexes, which are edited in one step, so that no element moves more than once.
private struct Run {
  let first: Int
  let last: Int
  let isUnbroken: Bool

  /// Creates `nil` from an empty list.
  init?(_ indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return nil }
    self.first = first
    self.last = last
    isUnbroken = last - first == indexes.count - 1
  }
}
