/// A live view of an ordered to-many property, for reading and editing it (COL.1).
///
/// ```swift
/// let items = order.mutableArray(forKey: "items")
/// try items.append(Item("tea"))
/// try items.remove(at: 0)
/// ```
///
/// The view stores its root object and key path only. Every read goes through the owner of the property. Every edit
/// goes through the owner's indexed accessors if its table declares them, else it edits a stored array in place or sets
/// a changed copy (COL.2). In each case observers are notified of the insertion, removal or replacement. The view also
/// shows direct changes of the stored array, of which observers are not notified (COL.4).
///
/// Each operation notifies once, with the kind and the indexes of what changes (COL.5). Methods throw for an index out
/// of range, while the subscript of the collection conformance traps with a sentence (COL.3). The view belongs to the
/// isolation domain of its object.
public struct KVMutableArray: RandomAccessCollection, MutableCollection {
  let property: ToManyProperty

  /// Returns the current elements; nil for a nil element.
  ///
  /// - Returns: The elements; empty if the property is nil.
  /// - Throws: ``KVError``: the errors of reading the key path, and `unsupported` if the property is not an array.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> [Any?] {
    try property.withResolved { resolved in resolved.collection?.elements ?? [] }
  }

  /// Returns the element at an index.
  ///
  /// - Parameter index: The index of the element.
  /// - Returns: The element; nil for a nil element.
  /// - Throws: ``KVError``: `indexOutOfRange`, and the errors of ``elements()``.
  /// - Complexity: O(1), besides reading the property.
  public func element(at index: Int) throws(KVError) -> Any? {
    try property.withResolved(.oneByOne) { resolved throws(KVError) in try element(at: index, in: resolved) }
  }

  /// Appends an element.
  ///
  /// - Parameter element: The element, which is converted by the rules of CO.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func append(_ element: consuming Any) throws(KVError) {
    var box: Any? = element
    if try property.editElement(.insertion, exchanging: &box) { return }
    try append(contentsOf: [asAny(box)])
  }

  /// Appends elements in one operation.
  ///
  /// - Parameter elements: The elements, which are converted by the rules of CO.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      try insert(elements, at: elements.indices.map { resolved.count + $0 }, in: resolved)
    }
  }

  /// Inserts an element at an index.
  ///
  /// - Parameters:
  ///   - element: The element, which is converted by the rules of CO.
  ///   - index: The index of the element to insert before, or the number of elements to append.
  /// - Throws: As ``insert(contentsOf:at:)``.
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func insert(_ element: consuming Any, at index: Int) throws(KVError) {
    var box: Any? = element
    if try property.editElement(.insertion, at: index, exchanging: &box) { return }
    try insert([asAny(box)], at: [index])
  }

  /// Inserts elements at an index in one operation.
  ///
  /// - Parameters:
  ///   - elements: The elements, which are converted by the rules of CO.
  ///   - index: The index of the element to insert before, or the number of elements to append.
  /// - Throws: ``KVError``: `indexOutOfRange`; `notSettable`; `typeMismatch`, `numberOutOfRange` or `nilValue` if an
  ///   element cannot be converted; the errors of ``elements()``. The array is unchanged then (KVC.14).
  /// - Complexity: O(*m*) in the number of new elements, plus the table's functions; without these O(*n* + *m*) at
  ///   most. The property is read once.
  public func insert(contentsOf elements: [Any], at index: Int) throws(KVError) {
    // `&+`: an index near the greatest integer wraps around, and is refused as out of range.
    try insert(elements, at: elements.indices.map { index &+ $0 })
  }

  /// Inserts elements so that they have the given indexes afterwards, in one operation (Apple's
  /// `insertObjects:atIndexes:`).
  ///
  /// - Parameters:
  ///   - newElements: The elements, which are converted by the rules of CO.
  ///   - indexes: The indexes of the elements after the insertion, ascending, one per element: an array, a range or an
  ///     `IndexSet`.
  /// - Throws: ``KVError``: `unsupported` if the indexes do not ascend or differ in number from the elements; the
  ///   errors of ``insert(contentsOf:at:)``. The array is unchanged then (KVC.14).
  /// - Complexity: As ``insert(contentsOf:at:)``.
  public func insert(_ newElements: [Any], at indexes: some Sequence<Int>) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in try insert(newElements, at: indexes, in: resolved) }
  }

  /// Removes the element at an index.
  ///
  /// - Parameter index: The index of the element.
  /// - Throws: As `remove(at:)` of several indexes.
  /// - Complexity: As `remove(at:)` of several indexes.
  public func remove(at index: Int) throws(KVError) {
    var removed: Any?
    if try !property.editElement(.removal, at: index, exchanging: &removed) { try remove(at: [index]) }
  }

  /// Removes the elements at the given indexes in one operation.
  ///
  /// - Parameter indexes: The indexes, ascending: an array, a range or an `IndexSet`.
  /// - Throws: ``KVError``: `indexOutOfRange`; `unsupported` if the indexes do not ascend; `notSettable`; the errors of
  ///   ``elements()``. The array is unchanged then (KVC.14).
  /// - Complexity: O(*m*) in the number of indexes, plus the table's functions; without these O(*n*) at most. The
  ///   property is read once.
  public func remove(at indexes: some Sequence<Int>) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in try remove(at: indexes, in: resolved) }
  }

  /// Removes all elements in one operation.
  ///
  /// - Throws: As `remove(at:)` of several indexes.
  /// - Complexity: O(*n*), plus the table's functions.
  public func removeAll() throws(KVError) {
    try property.withResolved { resolved throws(KVError) in try remove(at: 0..<resolved.count, in: resolved) }
  }

  /// Replaces the element at an index.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - element: The new element, which is converted by the rules of CO.
  /// - Throws: As `replace(at:with:)` of several elements.
  /// - Complexity: As `replace(at:with:)` of several elements.
  public func replace(at index: Int, with element: consuming Any) throws(KVError) {
    var box: Any? = element
    if try property.editElement(.replacement, at: index, exchanging: &box) { return }
    try replace(at: [index], with: [asAny(box)])
  }

  /// Replaces the elements at the given indexes in one operation.
  ///
  /// - Parameters:
  ///   - indexes: The indexes, ascending: an array, a range or an `IndexSet`.
  ///   - newElements: The new elements, one per index, which are converted by the rules of CO.
  /// - Throws: ``KVError``: `indexOutOfRange`; `unsupported` if the indexes do not ascend or differ in number from the
  ///   elements; `notSettable`; `typeMismatch`, `numberOutOfRange` or `nilValue` if an element cannot be converted; the
  ///   errors of ``elements()``. The array is unchanged then (KVC.14).
  /// - Complexity: O(*m*) in the number of indexes, plus the table's functions; without these O(*n*) at most. The
  ///   property is read once.
  public func replace(at indexes: some Sequence<Int>, with newElements: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in try replace(at: indexes, with: newElements, in: resolved) }
  }
}
