/// A live view of an ordered to-many property with unique elements (COL.1).
///
/// The property is an array. The view does not add an element that the array already contains. Elements are compared by
/// the rule CO.7.
public struct KVMutableOrderedSet: RandomAccessCollection {
  package let array: KVMutableArray

  /// Returns the current elements.
  ///
  /// - Returns: The elements; empty if the property is nil.
  /// - Throws: As ``KVMutableArray/elements()``.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> [Any?] { try array.elements() }

  /// Returns whether the set contains an element.
  ///
  /// - Parameter element: The element.
  /// - Returns: Whether an equal element (CO.7) is in the set.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func contains(_ element: Any) throws(KVError) -> Bool { try index(of: element) != nil }

  /// Returns the index of an element.
  ///
  /// - Parameter element: The element.
  /// - Returns: The index of the first equal element (CO.7), or `nil` if there is none.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func index(of element: Any) throws(KVError) -> Int? {
    try array.property.withResolved { resolved in resolved.firstIndex(of: element) }
  }

  /// Appends an element unless the set contains it.
  ///
  /// - Parameter element: The element, which is converted by the rules of CO.
  /// - Returns: Whether the element was appended.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n*).
  @discardableResult
  public func append(_ element: Any) throws(KVError) -> Bool { try insert(element, at: nil) }

  /// Inserts an element at an index unless the set contains it.
  ///
  /// - Parameters:
  ///   - element: The element, which is converted by the rules of CO.
  ///   - index: The index of the element to insert before, or the number of elements to append.
  /// - Returns: Whether the element was inserted.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n*).
  @discardableResult
  public func insert(_ element: Any, at index: Int) throws(KVError) -> Bool { try insert(element, at: .some(index)) }

  /// Appends the elements that the set does not contain, in one operation.
  ///
  /// - Parameter elements: The elements, which are converted by the rules of CO.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n* + *m*) for hashable elements and objects, O((*n* + *m*)²) for others.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    try array.property.withResolved { resolved throws(KVError) in
      let fitted = try fitting(elements, resolved)
      let current = resolved.collection?.elements.map(asAny) ?? []
      // The current elements come first, so the remaining distinct elements are new.
      let limit = array.property.elementLimit
      let known = try DistinctValues.of(current, limit: limit).count
      let fresh = try DistinctValues.of(current + fitted, limit: limit).dropFirst(known)
      try array.insert(Array(fresh), at: fresh.enumerated().map { resolved.count + $0.offset }, in: resolved)
    }
  }

  /// Removes an element if the set contains it.
  ///
  /// - Parameter element: The element.
  /// - Returns: Whether the element was removed.
  /// - Throws: As ``KVMutableArray`` does for `remove(at:)`.
  /// - Complexity: O(*n*).
  @discardableResult
  public func remove(_ element: Any) throws(KVError) -> Bool {
    try array.property.withResolved { resolved throws(KVError) in
      guard let index = resolved.firstIndex(of: element) else { return false }
      try array.remove(at: [index], in: resolved)
      return true
    }
  }

  /// Removes the element at an index.
  ///
  /// - Parameter index: The index of the element.
  /// - Throws: As ``KVMutableArray`` does for `remove(at:)`.
  /// - Complexity: As ``KVMutableArray`` does for `remove(at:)`.
  public func remove(at index: Int) throws(KVError) { try array.remove(at: index) }

  /// Replaces the element at an index.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - element: The new element, which is converted by the rules of CO.
  /// - Throws: ``KVError``: `unsupported` if the set contains the new element at another index; the errors of
  ///   ``KVMutableArray`` for `replace(at:with:)`.
  /// - Complexity: O(*n*).
  public func replace(at index: Int, with element: Any) throws(KVError) {
    try array.property.withResolved { resolved throws(KVError) in
      let fitted = try fitting([element], resolved)
      if let other = fitted.first.flatMap({ resolved.firstIndex(of: $0, except: index) }) {
        throw KVError(
          .unsupported,
          "\(describe(element)) stands at index \(other) already; an ordered set holds each element once.")
      }
      try array.replace(at: [index], with: fitted, in: resolved)
    }
  }

  /// Inserts an element at an index, or appends it, unless the set contains it.
  private func insert(_ element: Any, at index: Int?) throws(KVError) -> Bool {
    try array.property.withResolved { resolved throws(KVError) in
      let fitted = try fitting([element], resolved)
      if fitted.contains(where: { resolved.firstIndex(of: $0) != nil }) { return false }
      try array.insert(fitted, at: [index ?? resolved.count], in: resolved)
      return true
    }
  }

  /// Returns the elements as the array would store them: in an array of integers 5.5 is a duplicate of 5.
  func fitting(_ elements: [Any], _ resolved: ToManyProperty.ResolvedProperty) throws(KVError) -> [Any] {
    try array.property.fitting(elements, resolved).elements.map(asAny)
  }
}
