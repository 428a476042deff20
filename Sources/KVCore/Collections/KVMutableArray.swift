/// A live view of an ordered to-many property, through which it is edited (COL.1).
///
/// ```swift
/// let items = order.mutableArray(forKey: "items")
/// try items.append(Item("tea"))
/// try items.remove(at: 0)
/// ```
///
/// The view keeps its root object and nothing else: every read asks the owner, every edit goes through the owner's
/// indexed accessors where its table gives some, or sets a changed copy (COL.2). Either way observers hear what was
/// inserted, removed or replaced. Edits of the stored array behind the owner's back show here at once, and are heard by
/// nobody (COL.4).
///
/// Methods throw for an index out of range; the subscripts of the collection conformance trap with a sentence (COL.3).
/// The view belongs to the isolation domain of its object.
public struct KVMutableArray {
  let property: ToManyProperty

  /// The elements as they are now; nil for a nil element.
  ///
  /// - Throws: ``KVError``: as reading the path does, and `unsupported` if no array is there.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> [Any?] {
    try property.withPlace { place in place.collection?.elements ?? [] }
  }

  /// Returns the element at an index.
  ///
  /// - Parameter index: Its index.
  /// - Returns: The element; nil for a nil element.
  /// - Throws: ``KVError``: `indexOutOfRange`, and as ``elements()``.
  /// - Complexity: O(1), beside reading the property.
  public func element(at index: Int) throws(KVError) -> Any? {
    try property.withPlace { place throws(KVError) in
      try check([index], below: place.count)
      return place.ordered?.element(at: index)
    }
  }

  /// Adds an element at the end.
  ///
  /// - Parameter element: The element, which is made to fit by the rules of CO.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func append(_ element: Any) throws(KVError) { try append(contentsOf: [element]) }

  /// Adds elements at the end, in one operation.
  ///
  /// - Parameter elements: The elements, which are made to fit by the rules of CO.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    try property.withPlace { place throws(KVError) in
      try insert(elements, at: elements.indices.map { place.count + $0 }, in: place)
    }
  }

  /// Inserts an element before the one at an index.
  ///
  /// - Parameters:
  ///   - element: The element, which is made to fit by the rules of CO.
  ///   - index: An index, or the number of elements to insert at the end.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func insert(_ element: Any, at index: Int) throws(KVError) { try insert([element], at: [index]) }

  /// Inserts elements before the one at an index, in one operation.
  ///
  /// - Parameters:
  ///   - elements: The elements, which are made to fit by the rules of CO.
  ///   - index: An index, or the number of elements to insert at the end.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`, `typeMismatch`; nothing has changed then.
  /// - Complexity: O(*m*) in the new elements, and what the table's functions cost; without those one copy of the array,
  ///   O(*n* + *m*). The property is read once.
  public func insert(contentsOf elements: [Any], at index: Int) throws(KVError) {
    // An index near the greatest integer wraps around, and is refused as the others are.
    try insert(elements, at: elements.indices.map { index &+ $0 })
  }

  /// Inserts elements so that they have the given indexes afterwards, in one operation (Apple's
  /// `insertObjects:atIndexes:`).
  ///
  /// - Parameters:
  ///   - newElements: The elements.
  ///   - indexes: As many indexes, ascending.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`, `typeMismatch`; nothing has changed then.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func insert(_ newElements: [Any], at indexes: [Int]) throws(KVError) {
    try property.withPlace { place throws(KVError) in try insert(newElements, at: indexes, in: place) }
  }

  /// Removes the element at an index.
  ///
  /// - Parameter index: Its index.
  /// - Throws: As ``remove(at:)-([Int])``.
  /// - Complexity: As ``remove(at:)-([Int])``.
  public func remove(at index: Int) throws(KVError) { try remove(at: [index]) }

  /// Removes the elements at indexes, in one operation.
  ///
  /// - Parameter indexes: The indexes, ascending.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`; nothing has changed then.
  /// - Complexity: O(*m*) in the indexes, and what the table's functions cost; without those one copy of the array,
  ///   O(*n*). The property is read once.
  public func remove(at indexes: [Int]) throws(KVError) {
    try property.withPlace { place throws(KVError) in try remove(at: indexes, in: place) }
  }

  /// Removes all elements, in one operation.
  ///
  /// - Throws: As ``remove(at:)-([Int])``.
  /// - Complexity: O(*n*), and what the table's functions cost.
  public func removeAll() throws(KVError) {
    try property.withPlace { place throws(KVError) in try remove(at: Array(0..<place.count), in: place) }
  }

  /// Replaces the element at an index.
  ///
  /// - Parameters:
  ///   - index: Its index.
  ///   - element: The new element, which is made to fit by the rules of CO.
  /// - Throws: As ``replace(at:with:)-([Int],[Any])``.
  /// - Complexity: As ``replace(at:with:)-([Int],[Any])``.
  public func replace(at index: Int, with element: Any) throws(KVError) { try replace(at: [index], with: [element]) }

  /// Replaces the elements at indexes, in one operation.
  ///
  /// - Parameters:
  ///   - indexes: The indexes, ascending.
  ///   - newElements: As many elements.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`, `typeMismatch`; nothing has changed then.
  /// - Complexity: O(*m*) in the indexes, and what the table's functions cost; without those one copy of the array,
  ///   O(*n*). The property is read once.
  public func replace(at indexes: [Int], with newElements: [Any]) throws(KVError) {
    try property.withPlace { place throws(KVError) in try replace(at: indexes, with: newElements, in: place) }
  }
}
