/// A live view of an ordered to-many property whose elements occur once each (COL.1).
///
/// The property is an array; the view keeps it free of duplicates: an element that is there already is not added again.
public struct KVMutableOrderedSet {
  let array: KVMutableArray

  /// The elements as they are now.
  ///
  /// - Throws: As ``KVMutableArray/elements()``.
  public func elements() throws(KVError) -> [Any?] { try array.elements() }

  /// Whether an element is in the set.
  ///
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func contains(_ element: Any) throws(KVError) -> Bool { try index(of: element) != nil }

  /// Returns the index of an element, or nil.
  ///
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func index(of element: Any) throws(KVError) -> Int? {
    try elements().firstIndex { Equality.areEqual($0, element) }
  }

  /// Adds an element at the end, if it is not there.
  ///
  /// - Returns: Whether it was added.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  @discardableResult
  public func append(_ element: Any) throws(KVError) -> Bool { try insert(element, at: try elements().count) }

  /// Inserts an element before the one at an index, if it is not there.
  ///
  /// - Returns: Whether it was inserted.
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  @discardableResult
  public func insert(_ element: Any, at index: Int) throws(KVError) -> Bool {
    if try contains(element) { return false }
    try array.insert(element, at: index)
    return true
  }

  /// Adds the elements that are not there at the end, in one operation.
  ///
  /// - Throws: As ``KVMutableArray/insert(contentsOf:at:)``.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    let current = try self.elements()
    let fresh = DistinctValues.of(elements).filter { element in
      !current.contains { Equality.areEqual($0, element) }
    }
    try array.append(contentsOf: fresh)
  }

  /// Removes an element, if it is there.
  ///
  /// - Returns: Whether it was removed.
  /// - Throws: As ``KVMutableArray/remove(at:)-([Int])``.
  @discardableResult
  public func remove(_ element: Any) throws(KVError) -> Bool {
    guard let index = try index(of: element) else { return false }
    try array.remove(at: index)
    return true
  }

  /// Removes the element at an index.
  ///
  /// - Throws: As ``KVMutableArray/remove(at:)-([Int])``.
  public func remove(at index: Int) throws(KVError) { try array.remove(at: index) }

  /// Replaces the element at an index.
  ///
  /// - Throws: ``KVError``: `unsupported` if the new element stands at another index already; else as
  ///   ``KVMutableArray/replace(at:with:)-([Int],[Any])``.
  public func replace(at index: Int, with element: Any) throws(KVError) {
    if let existing = try self.index(of: element), existing != index {
      throw KVError(
        .unsupported,
        "\(describe(element)) stands at index \(existing) already; an ordered set holds each element once.")
    }
    try array.replace(at: index, with: element)
  }
}
