// The operations that change the order (COL.5). Observers are notified of a replacement of the elements that change place.
extension KVMutableArray {
  /// Moves an element to another index; observers are notified of one replacement, of all elements in between.
  ///
  /// - Parameters:
  ///   - source: The index of the element.
  ///   - destination: The index of the element afterwards.
  /// - Throws: As `replace(at:with:)`; nothing is changed if both indexes are equal.
  /// - Complexity: O(*m*) in the distance, plus the table's functions; without these O(*n*) at most.
  public func move(from source: Int, to destination: Int) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      for index in [source, destination] { _ = try checked([index], below: resolved.count) }
      var order = Array(source <= destination ? source...destination : destination...source)
      let start = order[0]
      if source < destination { order.append(order.removeFirst()) } else { order.insert(order.removeLast(), at: 0) }
      try reorder(order, from: start, in: resolved)
    }
  }

  /// Exchanges two elements; observers are notified of one replacement.
  ///
  /// - Parameters:
  ///   - first: An index.
  ///   - second: Another index, or the same one, which changes nothing.
  /// - Throws: As `replace(at:with:)`.
  /// - Complexity: As `replace(at:with:)`.
  public func exchange(_ first: Int, _ second: Int) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in try exchange(first, second, in: resolved) }
  }

  func exchange(_ first: Int, _ second: Int, in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    let indexes = [first, second].sorted()
    for index in indexes { _ = try checked([index], below: resolved.count) }
    guard first != second, let array = resolved.ordered else { return }
    try replace(at: indexes, with: indexes.reversed().map { asAny(array.element(at: $0)) }, in: resolved)
  }

  /// Sorts the elements by a predicate; observers are notified of one replacement.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether the first element precedes the second one. Equal elements keep
  ///   their order.
  /// - Throws: As `replace(at:with:)`.
  /// - Complexity: O(*n* log *n*), plus the table's functions.
  public func sort(by areInIncreasingOrder: (Any?, Any?) -> Bool) throws(KVError) {
    try reorder { elements in
      elements.indices.sorted { areInIncreasingOrder(elements[$0], elements[$1]) }
    }
  }

  /// Gives all elements the places of an order, which a function computes from them: the indexes that they have now.
  package func reorder(by order: ([Any?]) throws(KVError) -> [Int]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      guard let elements = resolved.collection?.elements else { return }
      try reorder(try order(elements), from: 0, in: resolved)
    }
  }

  /// Gives elements, from an index on, the places of an order: the indexes that they have now.
  func reorder(
    _ order: [Int], from start: Int, in resolved: ToManyProperty.ResolvedProperty
  ) throws(KVError) {
    guard let array = resolved.ordered else { return }
    let moved = order.enumerated().filter { start + $0.offset != $0.element }
    try replace(
      at: moved.map { start + $0.offset }, with: moved.map { asAny(array.element(at: $0.element)) }, in: resolved)
  }
}
