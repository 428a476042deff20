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
  /// - Throws: ``KVError``: as reading the path does, and `unsupported` if no array or set is there.
  public func elements() throws(KVError) -> [Any?] { try property.elements(wanted: "array") }

  /// Returns the element at an index.
  ///
  /// - Throws: ``KVError``: `indexOutOfRange`, and as ``elements()``.
  public func element(at index: Int) throws(KVError) -> Any? {
    let elements = try elements()
    try property.located { () throws(KVError) in try check([index], below: elements.count) }
    return elements[index]
  }

  /// Adds an element at the end.
  ///
  /// - Throws: As ``insert(contentsOf:at:)``.
  public func append(_ element: Any) throws(KVError) { try insert([element], at: [try elements().count]) }

  /// Adds elements at the end, in one operation.
  ///
  /// - Throws: As ``insert(contentsOf:at:)``.
  public func append(contentsOf elements: [Any]) throws(KVError) {
    try insert(contentsOf: elements, at: try self.elements().count)
  }

  /// Inserts an element before the one at an index.
  ///
  /// - Throws: As ``insert(contentsOf:at:)``.
  public func insert(_ element: Any, at index: Int) throws(KVError) { try insert([element], at: [index]) }

  /// Inserts elements before the one at an index, in one operation.
  ///
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`, `typeMismatch`; nothing has changed then.
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
  public func insert(_ newElements: [Any], at indexes: [Int]) throws(KVError) {
    try property.located { () throws(KVError) in
      let place = try property.place()
      let current = try elements()
      try check(indexes, below: current.count + newElements.count, pairedWith: newElements.count)
      if newElements.isEmpty { return }
      let newElements = try property.fitting(newElements, place)
      var edit: ToManyProperty.Edit?
      if let insert = place.accessor?.declaration.indexed?.insert {
        edit = { owner throws(KVError) in try insert(owner, newElements, indexes) }
      }
      try property.change(
        place, .insertion, indexes: indexes, old: nil, new: newElements,
        edit: edit,
        changed: {
          var result = current
          for (element, index) in zip(newElements, indexes) { result.insert(element, at: index) }
          return result
        })
    }
  }

  /// Removes the element at an index.
  ///
  /// - Throws: As ``remove(at:)-([Int])``.
  public func remove(at index: Int) throws(KVError) { try remove(at: [index]) }

  /// Removes the elements at indexes, in one operation.
  ///
  /// - Parameter indexes: The indexes, ascending.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`; nothing has changed then.
  public func remove(at indexes: [Int]) throws(KVError) {
    try property.located { () throws(KVError) in
      let place = try property.place()
      let current = try elements()
      try check(indexes, below: current.count)
      if indexes.isEmpty { return }
      var edit: ToManyProperty.Edit?
      if let remove = place.accessor?.declaration.indexed?.remove {
        edit = { owner throws(KVError) in remove(owner, indexes) }
      }
      try property.change(
        place, .removal, indexes: indexes, old: indexes.map { boxed(current[$0]) }, new: nil,
        edit: edit,
        changed: {
          var result = current
          for index in indexes.reversed() { result.remove(at: index) }
          return result
        })
    }
  }

  /// Removes all elements, in one operation.
  ///
  /// - Throws: As ``remove(at:)-([Int])``.
  public func removeAll() throws(KVError) { try remove(at: Array(0..<(try elements().count))) }

  /// Replaces the element at an index.
  ///
  /// - Throws: As ``replace(at:with:)-([Int],[Any])``.
  public func replace(at index: Int, with element: Any) throws(KVError) { try replace(at: [index], with: [element]) }

  /// Replaces the elements at indexes, in one operation.
  ///
  /// - Parameters:
  ///   - indexes: The indexes, ascending.
  ///   - newElements: As many elements.
  /// - Throws: ``KVError``: `indexOutOfRange`, `notSettable`, `typeMismatch`; nothing has changed then.
  public func replace(at indexes: [Int], with newElements: [Any]) throws(KVError) {
    try property.located { () throws(KVError) in
      let place = try property.place()
      let current = try elements()
      try check(indexes, below: current.count, pairedWith: newElements.count)
      if indexes.isEmpty { return }
      let newElements = try property.fitting(newElements, place)
      var edit: ToManyProperty.Edit?
      if let accessors = place.accessor?.declaration.indexed {
        edit = { owner throws(KVError) in
          if let replace = accessors.replace { return try replace(owner, indexes, newElements) }
          accessors.remove(owner, indexes)
          try accessors.insert(owner, newElements, indexes)
        }
      }
      try property.change(
        place, .replacement, indexes: indexes, old: indexes.map { boxed(current[$0]) }, new: newElements,
        edit: edit,
        changed: {
          var result = current
          for (element, index) in zip(newElements, indexes) { result[index] = element }
          return result
        })
    }
  }

  /// Refuses indexes that do not ascend or are out of range, or that are not as many as the elements.
  private func check(_ indexes: [Int], below limit: Int, pairedWith count: Int? = nil) throws(KVError) {
    if let count, count != indexes.count {
      throw KVError(
        .unsupported, "there are \(count) elements for \(indexes.count) indexes; give one index for each element.")
    }
    var previous = -1
    for index in indexes {
      guard index >= 0, index < limit else { throw Failure.indexOutOfRange(index, count: limit) }
      guard index > previous else {
        throw KVError(.unsupported, "indexes must ascend, and \(index) stands after \(previous); sort them.")
      }
      previous = index
    }
  }
}

extension KVMutableArray: RandomAccessCollection, MutableCollection {
  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of elements.
  ///
  /// Traps with the sentence of the error if there is no array.
  public var endIndex: Int { trapping { () throws(KVError) in try elements().count } }

  /// The element at an index; traps with a sentence if there is none.
  public subscript(position: Int) -> Any? {
    get { trapping { () throws(KVError) in try element(at: position) } }
    nonmutating set {
      trapping { () throws(KVError) in try replace(at: position, with: newValue as Any) }
    }
  }

  private func trapping<Result>(_ body: () throws(KVError) -> Result) -> Result {
    // Not `preconditionFailure`, which an optimised build lets trap without the sentence.
    do throws(KVError) { return try body() } catch { fatalError(error.description) }
  }
}
