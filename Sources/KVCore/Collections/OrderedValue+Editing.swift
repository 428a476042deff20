// Indexes are moved to where the collection begins: a slice keeps those of its base, also when it is edited.
extension OrderedValue
where Self: RandomAccessCollection & MutableCollection & RangeReplaceableCollection, Self.Index == Int {
  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any {
    let element = try Coercion().convert(value, to: Element.self)
    var copy = self
    copy[startIndex + index] = element
    return copy
  }

  func replacing(at indexes: [Int], with elements: Any) -> Any? {
    guard let elements = elements as? Self else { return nil }
    var copy = self
    for (index, element) in zip(indexes, elements) { copy[startIndex + index] = element }
    return copy
  }

  func inserting(_ elements: Any, at indexes: [Int]) -> Any? {
    guard let elements = elements as? Self else { return nil }
    guard let run = Run(indexes) else { return self }
    var copy = self
    if run.isUnbroken {
      copy.insert(contentsOf: elements, at: startIndex + run.first)
      return copy
    }
    var tail: [Element] = []
    tail.reserveCapacity(count - run.first + elements.count)
    var old = self[(startIndex + run.first)...].makeIterator()
    for (index, element) in zip(indexes, elements) {
      while run.first + tail.count < index, let element = old.next() { tail.append(element) }
      tail.append(element)
    }
    while let element = old.next() { tail.append(element) }
    copy.replaceSubrange((startIndex + run.first)..., with: tail)
    return copy
  }

  func removing(at indexes: [Int]) -> Any {
    guard let run = Run(indexes) else { return self }
    var copy = self
    let range = (startIndex + run.first)..<(startIndex + run.last + 1)
    if run.isUnbroken {
      copy.removeSubrange(range)
      return copy
    }
    var rest: [Element] = []
    rest.reserveCapacity(range.count - indexes.count)
    var next = indexes.startIndex
    for index in range {
      if index - startIndex == indexes[next] { next += 1 } else { rest.append(self[index]) }
    }
    copy.replaceSubrange(range, with: rest)
    return copy
  }
}

/// Where ascending indexes begin and end: edited in one go, so that no element moves more than once.
private struct Run {
  let first: Int
  let last: Int
  let isUnbroken: Bool

  /// Returns nil for no indexes.
  init?(_ indexes: [Int]) {
    guard let first = indexes.first, let last = indexes.last else { return nil }
    self.first = first
    self.last = last
    isUnbroken = last - first == indexes.count - 1
  }
}
