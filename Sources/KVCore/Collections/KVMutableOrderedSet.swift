/// A live view of an ordered to-many property whose elements occur once each (COL.1).
///
/// The property is an array; the view keeps it free of duplicates: an element that is there already is not added again.
public struct KVMutableOrderedSet {
  let array: KVMutableArray

  /// The elements as they are now.
  ///
  /// - Throws: As ``KVMutableArray/elements()``.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> [Any?] { try array.elements() }

  /// Whether an element is in the set.
  ///
  /// - Parameter element: The element.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func contains(_ element: Any) throws(KVError) -> Bool { try index(of: element) != nil }

  /// Returns the index of an element, or nil.
  ///
  /// - Parameter element: The element.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func index(of element: Any) throws(KVError) -> Int? {
    try array.property.withPlace { place in place.index(of: element) }
  }

  /// Adds an element at the end, if it is not there.
  ///
  /// - Parameter element: The element, which is made to fit by the rules of CO.
  /// - Returns: Whether it was added.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n*).
  @discardableResult
  public func append(_ element: Any) throws(KVError) -> Bool { try insert(element, at: nil) }

  /// Inserts an element before the one at an index, if it is not there.
  ///
  /// - Parameters:
  ///   - element: The element, which is made to fit by the rules of CO.
  ///   - index: An index, or the number of elements to insert at the end.
  /// - Returns: Whether it was inserted.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n*).
  @discardableResult
  public func insert(_ element: Any, at index: Int) throws(KVError) -> Bool { try insert(element, at: .some(index)) }

  /// Adds the elements that are not there at the end, in one operation.
  ///
  /// - Parameter elements: The elements, which are made to fit by the rules of CO.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  /// - Complexity: O(*n* + *m*) for hashable elements and objects, O((*n* + *m*)²) for others.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    try array.property.withPlace { place throws(KVError) in
      let fitted = try fitting(elements, place)
      let current = place.collection?.elements.map(boxed) ?? []
      // What is there comes first, so what is left behind it is new.
      let fresh = DistinctValues.of(current + fitted).dropFirst(DistinctValues.of(current).count)
      try array.insert(Array(fresh), at: fresh.enumerated().map { place.count + $0.offset }, in: place)
    }
  }

  /// Removes an element, if it is there.
  ///
  /// - Parameter element: The element.
  /// - Returns: Whether it was removed.
  /// - Throws: As ``KVMutableArray/remove(at:)-([Int])``.
  /// - Complexity: O(*n*).
  @discardableResult
  public func remove(_ element: Any) throws(KVError) -> Bool {
    try array.property.withPlace { place throws(KVError) in
      guard let index = place.index(of: element) else { return false }
      try array.remove(at: [index], in: place)
      return true
    }
  }

  /// Removes the element at an index.
  ///
  /// - Parameter index: Its index.
  /// - Throws: As ``KVMutableArray/remove(at:)-([Int])``.
  /// - Complexity: As ``KVMutableArray/remove(at:)-([Int])``.
  public func remove(at index: Int) throws(KVError) { try array.remove(at: index) }

  /// Replaces the element at an index.
  ///
  /// - Parameters:
  ///   - index: Its index.
  ///   - element: The new element, which is made to fit by the rules of CO.
  /// - Throws: ``KVError``: `unsupported` if the new element stands at another index already; else as
  ///   ``KVMutableArray/replace(at:with:)-([Int],[Any])``.
  /// - Complexity: O(*n*).
  public func replace(at index: Int, with element: Any) throws(KVError) {
    try array.property.withPlace { place throws(KVError) in
      let fitted = try fitting([element], place)
      if let other = fitted.first.flatMap({ place.index(of: $0, except: index) }) {
        throw KVError(
          .unsupported,
          "\(describe(element)) stands at index \(other) already; an ordered set holds each element once.")
      }
      try array.replace(at: [index], with: fitted, in: place)
    }
  }

  /// Inserts an element before the one at an index, or at the end, if it is not there.
  private func insert(_ element: Any, at index: Int?) throws(KVError) -> Bool {
    try array.property.withPlace { place throws(KVError) in
      let fitted = try fitting([element], place)
      if fitted.contains(where: { place.index(of: $0) != nil }) { return false }
      try array.insert(fitted, at: [index ?? place.count], in: place)
      return true
    }
  }

  /// Returns elements as the array holds them: 5.5 is a duplicate of 5 where that is what would be stored.
  private func fitting(_ elements: [Any], _ place: ToManyProperty.Place) throws(KVError) -> [Any] {
    try array.property.fitting(elements, place).elements.map(boxed)
  }
}

extension ToManyProperty.Place {
  /// Returns the first index of an element that is equal to a value, passing over one index.
  fileprivate func index(of value: Any, except excluded: Int? = nil) -> Int? {
    guard let ordered else { return nil }
    return (0..<count).first { $0 != excluded && Equality.areEqual(ordered.element(at: $0), value) }
  }
}
