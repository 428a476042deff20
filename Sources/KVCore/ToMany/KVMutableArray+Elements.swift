// The operations that take elements (COL.5).
extension KVMutableArray {
  /// Returns the elements at the given indexes.
  ///
  /// - Parameter indexes: The indexes, ascending: an array, a range or an `IndexSet`.
  /// - Returns: The elements, in the order of the indexes; nil for a nil element.
  /// - Throws: ``KVError``: `indexOutOfRange`; `unsupported` if the indexes do not ascend; the errors of ``elements()``.
  /// - Complexity: O(*m*) in the number of indexes, besides reading the property.
  public func elements(at indexes: some Sequence<Int>) throws(KVError) -> [Any?] {
    try property.withResolved { resolved throws(KVError) in
      let array = resolved.ordered
      return try checked(indexes, below: resolved.count).map { array?.element(at: $0) }
    }
  }

  /// Returns the index of the first element that is equal to a value (CO.7; NaN is found, too).
  ///
  /// - Parameter element: The value, which is not converted; nil finds a nil element.
  /// - Returns: The index, or `nil` if there is none.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func firstIndex(of element: Any?) throws(KVError) -> Int? {
    try property.withResolved { resolved in resolved.firstIndex(of: element) }
  }

  /// Returns whether an element is equal to a value (CO.7; NaN is found, too).
  ///
  /// - Parameter element: The value, which is not converted; nil finds a nil element.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func contains(_ element: Any?) throws(KVError) -> Bool { try firstIndex(of: element) != nil }

  /// Removes every element that is equal to a value, in one operation (Apple's `removeObject:`).
  ///
  /// - Parameter element: The value, which is not converted; nil removes the nil elements.
  /// - Returns: Whether there was such an element.
  /// - Throws: As `remove(at:)` of several indexes.
  /// - Complexity: O(*n*), plus the table's functions.
  @discardableResult
  public func remove(_ element: Any?) throws(KVError) -> Bool {
    try removeElements { Equality.areSame($0, element) }
  }

  /// Removes every element that is equal to one of several values, in one operation (Apple's `removeObjectsInArray:`).
  ///
  /// - Parameter elements: The values, which are not converted.
  /// - Throws: As `remove(at:)` of several indexes.
  /// - Complexity: O(*n* + *m*) for hashable values and objects, O(*n* · *m*) for others; plus the table's functions.
  public func remove(contentsOf elements: [Any]) throws(KVError) {
    let values = MemberValues(elements)
    _ = try removeElements { values.contains($0) }
  }

  /// Removes the elements that satisfy a predicate, in one operation.
  ///
  /// - Parameter shouldBeRemoved: Returns whether an element is to be removed. It is called once per element, before the
  ///   first one is removed.
  /// - Throws: As `remove(at:)` of several indexes.
  /// - Complexity: O(*n*), plus the table's functions.
  public func removeAll(where shouldBeRemoved: (Any?) -> Bool) throws(KVError) {
    _ = try removeElements(where: shouldBeRemoved)
  }

  /// Removes the last element.
  ///
  /// - Returns: The element; nil for a nil element.
  /// - Throws: ``KVError`` (`indexOutOfRange`) if there is none; the errors of `remove(at:)`.
  /// - Complexity: As `remove(at:)`.
  @discardableResult
  public func removeLast() throws(KVError) -> Any? {
    var last: Any?
    if try property.editElement(.removal, exchanging: &last) { return last.flatMap(unwrappingOptionals) }
    return try property.withResolved { resolved throws(KVError) in
      let last = resolved.count - 1
      guard last >= 0 else { throw KVError(.indexOutOfRange, "there is no last element: the collection is empty.") }
      let element = resolved.ordered?.element(at: last)
      try remove(at: [last], in: resolved)
      return element
    }
  }

  /// Replaces all elements; observers are notified of a setting (Apple's `setArray:`).
  ///
  /// It calls the setter of the key, or the table's functions if there is no setter.
  ///
  /// - Parameter newElements: The new elements, which are converted by the rules of CO.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: O(*n* + *m*), plus the table's functions.
  public func set(_ newElements: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      try property.setAll(try property.fitting(newElements, resolved), at: resolved)
    }
  }

  /// Removes elements by a predicate, and returns whether there were any.
  private func removeElements(where shouldBeRemoved: (Any?) -> Bool) throws(KVError) -> Bool {
    try property.withResolved { resolved throws(KVError) in
      guard let array = resolved.ordered else { return false }
      let indexes = (0..<resolved.count).filter { shouldBeRemoved(array.element(at: $0)) }
      try remove(at: indexes, in: resolved)
      return !indexes.isEmpty
    }
  }
}

extension ToManyProperty.ResolvedProperty {
  /// Returns the first index of an element that is equal to a value, except for one index.
  func firstIndex(of value: Any?, except excluded: Int? = nil) -> Int? {
    guard let ordered else { return nil }
    return (0..<count).first { $0 != excluded && Equality.areSame(ordered.element(at: $0), value) }
  }
}
