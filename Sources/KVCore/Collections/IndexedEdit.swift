/// An edit of an ordered collection by index: elements that leave it, and elements that enter it (TOM.1).
///
/// ```swift
/// var letters = ["a", "b", "d"]
/// let insertion = IndexedEdit(.insertion, at: [2], added: ["c"])
/// insertion.apply(to: &letters)                                     // a b c d
/// let removal = IndexedEdit(.removal, at: [0], removed: ["a"])
/// removal.apply(to: &letters)                                       // b c d
/// insertion.composed(with: removal).reversed.apply(to: &letters)    // a b d
/// ```
///
/// As in the `CollectionDifference` of the standard library, the index of a removed element counts the elements before
/// the edit, and that of an added element the elements after it. Both lists ascend. A replacement removes and adds at
/// the same indexes, and an edit that is composed of several kinds has the kind `setting`.
///
/// Elements may be unknown, as those of a record that was observed without old values. Such an edit still composes and
/// maps indexes; it applies if the elements that it adds are known.
@frozen @usableFromInline
package struct IndexedEdit<Element> {
  /// The kind; `setting` if the edit inserts and removes at different indexes.
  @usableFromInline package let kind: KVChangeKind
  /// The indexes, before the edit, of the elements that leave the collection.
  @usableFromInline package let removedIndexes: [Int]
  /// The elements that leave the collection, one for each index; nil if they are not known.
  @usableFromInline package let removed: [Element]?
  /// The indexes, after the edit, of the elements that enter the collection.
  @usableFromInline package let addedIndexes: [Int]
  /// The elements that enter the collection, one for each index; nil if they are not known.
  @usableFromInline package let added: [Element]?

  @inlinable @inline(__always)
  init(_ kind: KVChangeKind, removing removed: Side, adding added: Side) {
    self.kind = kind
    (removedIndexes, self.removed) = removed
    (addedIndexes, self.added) = added
  }

  /// Creates an edit of one kind.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement.
  ///   - indexes: The ascending indexes: of a removal before it, of an insertion after it.
  ///   - removed: The elements that a removal or a replacement removes, one for each index; nil if they are not known.
  ///   - added: The elements that an insertion or a replacement adds, one for each index; nil if they are not known.
  /// - Precondition: The kind is not `setting`, which has no indexes.
  /// - Complexity: O(1).
  @inlinable
  package init(_ kind: KVChangeKind, at indexes: [Int], removed: [Element]? = nil, added: [Element]? = nil) {
    precondition(kind != .setting, "a setting edits no elements; create an edit by its removed and added indexes")
    self.init(
      kind, removing: kind.removes ? Self.checked(indexes, removed) : ([], []),
      adding: kind.adds ? Self.checked(indexes, added) : ([], []))
  }

  /// Creates an edit that removes elements, and then inserts others.
  ///
  /// - Parameters:
  ///   - removedIndexes: The ascending indexes of the removed elements before the edit.
  ///   - removed: The removed elements, one for each index; nil if they are not known.
  ///   - addedIndexes: The ascending indexes of the added elements after the edit.
  ///   - added: The added elements, one for each index; nil if they are not known.
  /// - Complexity: O(*k*) in the number of indexes if there are as many of both, else O(1).
  @inlinable
  package init(
    removing removedIndexes: [Int], _ removed: [Element]? = nil, adding addedIndexes: [Int], _ added: [Element]? = nil
  ) {
    self.init(
      Self.kind(removedIndexes, addedIndexes), removing: Self.checked(removedIndexes, removed),
      adding: Self.checked(addedIndexes, added))
  }

  /// Whether the edit changes nothing.
  @inlinable
  package var isEmpty: Bool { removedIndexes.isEmpty && addedIndexes.isEmpty }

  /// The number of elements that the edit removes and adds.
  @inlinable
  package var count: Int { removedIndexes.count + addedIndexes.count }

  /// The indexes of an edit of one kind, as its record has them: of a removal before it, else after it.
  @inlinable
  package var indexes: [Int] { kind == .removal ? removedIndexes : addedIndexes }

  /// The edit that undoes this one.
  ///
  /// - Complexity: O(1).
  @inlinable
  package var reversed: IndexedEdit {
    IndexedEdit(kind.reversed, removing: (addedIndexes, added), adding: (removedIndexes, removed))
  }

  /// Edits an array.
  ///
  /// - Parameter elements: The elements before the edit, and afterwards those after it.
  /// - Precondition: The elements that the edit adds are known, and the indexes are valid.
  /// - Complexity: O(*n* + *k*) in the number of elements and of edited ones; that of `insert(_:at:)`, `remove(at:)` or
  ///   the subscript of the array for one of them.
  @inlinable
  package func apply(to elements: inout [Element]) {
    if kind != .replacement { elements.remove(at: removedIndexes) }
    if addedIndexes.isEmpty { return }
    guard let added else { preconditionFailure("an edit whose added elements are not known cannot be applied") }
    if kind != .replacement { return elements.insert(added, at: addedIndexes) }
    for (position, index) in addedIndexes.enumerated() { elements[index] = added[position] }
  }

  /// Returns the kind of an edit that removes and adds at indexes.
  @inlinable
  static func kind(_ removed: [Int], _ added: [Int]) -> KVChangeKind {
    removed.isEmpty ? .insertion : added.isEmpty ? .removal : removed == added ? .replacement : .setting
  }
}
