import KVCore

// Edits as records have them, and of arrays that are reached by key.
extension IndexedEdit<Any> {
  /// Creates the edit of a record.
  ///
  /// The record of a manual change may have indexes in any order, and fewer elements than indexes: an index without an
  /// element, or that stands twice, is left out.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement.
  ///   - indexes: The indexes.
  ///   - old: The removed elements, in a collection; none for nil.
  ///   - new: The added elements, in a collection; none for nil.
  /// - Complexity: O(*k*) in the number of elements if the indexes ascend, else O(*k* log *k*).
  init(_ kind: KVChange.Kind, at indexes: [Int], from old: Any?, to new: Any?) {
    let removed = kind.removes ? Self.ordered(indexes, DynamicCollection.list(old)) : ([], [])
    let added = kind.adds ? Self.ordered(indexes, DynamicCollection.list(new)) : ([], [])
    if kind != .replacement || removed.0 == added.0 {
      self.init(kind, at: kind.removes ? removed.0 : added.0, removed: removed.1, added: added.1)
    } else {
      self.init(removing: removed.0, removed.1, adding: added.0, added.1)
    }
  }

  /// Returns indexes and their elements in ascending order.
  private static func ordered(_ indexes: [Int], _ elements: [Any]) -> ([Int], [Any]) {
    let isAscending = zip(indexes, indexes.dropFirst()).allSatisfy { $0 < $1 }
    if isAscending, indexes.count == elements.count { return (indexes, elements) }
    let pairs = zip(indexes, elements).map { ($0, $1) }
    let order = pairs.map(\.0).indexesInOrder
    let distinct = order.indices.filter { $0 == 0 || pairs[order[$0 - 1]].0 < pairs[order[$0]].0 }.map { order[$0] }
    return (distinct.map { pairs[$0].0 }, distinct.map { pairs[$0].1 })
  }

  /// Edits an array that is reached by key, whose observers are notified once.
  ///
  /// - Parameter array: The array.
  /// - Throws: ``KVError``: the errors of the array's function of this kind.
  /// - Complexity: As that of the array's function.
  func apply(to array: KVMutableArray) throws(KVError) { try array.edit(kind, at: indexes, with: added ?? []) }
}

extension KVMutableArray {
  /// Inserts, removes or replaces elements; one element is edited where it is stored.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement; a setting does nothing.
  ///   - indexes: The ascending indexes.
  ///   - elements: The added elements, one for each index; ignored by a removal.
  /// - Throws: ``KVError``: the errors of the function of this kind.
  /// - Complexity: As that of the function of this kind.
  func edit(_ kind: KVChange.Kind, at indexes: [Int], with elements: [Any]) throws(KVError) {
    let isSingle = indexes.count == 1 && (kind == .removal || elements.count == 1)
    switch kind {
    case .insertion where isSingle: try insert(elements[0], at: indexes[0])
    case .insertion: try insert(elements, at: indexes)
    case .removal where isSingle: try remove(at: indexes[0])
    case .removal: try remove(at: indexes)
    case .replacement where isSingle: try replace(at: indexes[0], with: elements[0])
    case .replacement: try replace(at: indexes, with: elements)
    case .setting: break
    }
  }
}
