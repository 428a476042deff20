// Edits that follow each other.
extension IndexedEdit {
  /// Indexes of one side of an edit, and their elements; nil if these are not known.
  @usableFromInline typealias Side = (indexes: [Int], elements: [Element]?)

  @inlinable var removal: Side { (removedIndexes, removed) }
  @inlinable var insertion: Side { (addedIndexes, added) }

  /// Returns the edit that this one and a later one make together.
  ///
  /// An element that this edit adds and the later one removes is in neither list. Edits of one kind make an edit of this
  /// kind.
  ///
  /// - Parameter later: An edit of the collection after this one.
  /// - Returns: The edit. Elements are known on a side if both edits know theirs.
  /// - Precondition: The indexes of both edits ascend.
  /// - Complexity: O(*k*) in the number of edited elements.
  @inlinable
  package func composed(with later: IndexedEdit) -> IndexedEdit {
    assert(isAscending && later.isAscending, "only edits whose indexes ascend can be composed")
    // The removals of the later edit and the insertions of this one count the elements in between. The others of these
    // elements were there before, and still are afterwards.
    let removed = Self.merged(Self.remaining(later.removal, without: addedIndexes), into: removal)
    let added = Self.merged(Self.remaining(insertion, without: later.removedIndexes), into: later.insertion)
    let kind = kind == later.kind && kind != .setting ? kind : Self.kind(removed.indexes, added.indexes)
    return IndexedEdit(kind, removing: removed, adding: added)
  }

  /// Returns the edit that edits make one after the other; an empty insertion for none.
  ///
  /// - Parameter edits: The edits, in their order.
  /// - Complexity: O(*k* log *k*) in the number of edited elements.
  @inlinable
  package static func composed(_ edits: some Sequence<IndexedEdit>) -> IndexedEdit {
    var runs: [IndexedEdit] = []
    for edit in edits { _ = runs.compose(edit) }
    return composed(runs: runs)
  }

  /// Returns the edit that runs make, which `compose(_:)` of an array has collected; an empty insertion for none.
  ///
  /// - Complexity: O(*k*) in the number of edited elements.
  @inlinable
  package static func composed(runs: [IndexedEdit]) -> IndexedEdit {
    guard var result = runs.last else { return IndexedEdit(.insertion, at: [], added: []) }
    for run in runs.dropLast().reversed() { result = run.composed(with: result) }
    return result
  }

  /// Returns the indexes before the edit of elements that have indexes after it; nil for those that the edit adds.
  ///
  /// - Parameter indexes: The ascending indexes.
  /// - Complexity: O(*m* + *k*) in the number of indexes and of edited elements.
  @inlinable
  package func previousIndexes(of indexes: [Int]) -> [Int?] {
    var (removals, insertions) = (0, 0)
    return Array(indexes.indices) { position in
      let index = indexes[position]
      while insertions < addedIndexes.count, addedIndexes[insertions] < index { insertions += 1 }
      if insertions < addedIndexes.count, addedIndexes[insertions] == index { return nil }
      let between = index - insertions
      while removals < removedIndexes.count, removedIndexes[removals] <= between + removals { removals += 1 }
      return between + removals
    }
  }

  // MARK: Sides

  @inlinable
  var isAscending: Bool {
    [removedIndexes, addedIndexes].allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } }
  }

  /// Returns a side of an edit, which is checked.
  @inlinable
  static func checked(_ indexes: [Int], _ elements: [Element]?) -> Side {
    precondition(elements.map { $0.count == indexes.count } ?? true, "an edit has one element for each index")
    return (indexes, elements)
  }

  /// Returns what of a side is at none of other indexes, with indexes that do not count these.
  @inlinable
  static func remaining(_ side: Side, without others: [Int]) -> Side {
    if others.isEmpty || side.indexes.isEmpty { return side }
    var (indexes, elements): Side = ([], side.elements == nil ? nil : [])
    var passed = 0
    for (position, index) in side.indexes.enumerated() {
      while passed < others.count, others[passed] < index { passed += 1 }
      if passed < others.count, others[passed] == index { continue }
      indexes.append(index - passed)
      if let all = side.elements { elements?.append(all[position]) }
    }
    return (indexes, elements)
  }

  /// Merges a side whose indexes do not count others with these.
  @inlinable
  static func merged(_ side: Side, into others: Side) -> Side {
    if side.indexes.isEmpty { return others }
    if others.indexes.isEmpty { return side }
    let isKnown = side.elements != nil && others.elements != nil
    var (indexes, elements): Side = ([], isKnown ? [] : nil)
    indexes.reserveCapacity(side.indexes.count + others.indexes.count)
    elements?.reserveCapacity(side.indexes.count + others.indexes.count)
    var passed = 0
    func pass(while isBefore: (Int) -> Bool) {
      while passed < others.indexes.count, isBefore(others.indexes[passed]) {
        indexes.append(others.indexes[passed])
        if let all = others.elements { elements?.append(all[passed]) }
        passed += 1
      }
    }
    for (position, index) in side.indexes.enumerated() {
      pass { $0 <= index + passed }
      indexes.append(index + passed)
      if let all = side.elements { elements?.append(all[position]) }
    }
    pass { _ in true }
    return (indexes, elements)
  }
}

// Successive edits, collected as runs.
extension Array {
  /// Adds an edit to successive ones, and composes those of similar extent with each other, as in a merge sort: each run
  /// is at least twice as large as the next one.
  ///
  /// - Parameter edit: An edit of the collection after the runs.
  /// - Returns: The number of elements that compositions have gone through.
  /// - Complexity: O(*k* log *k*) for all edits of *k* elements.
  @inlinable
  package mutating func compose<Edited>(_ edit: IndexedEdit<Edited>) -> Int where Element == IndexedEdit<Edited> {
    if edit.isEmpty, !isEmpty { return 0 }
    var steps = 0
    append(edit)
    while count > 1, self[count - 2].count < 2 * self[count - 1].count {
      let next = removeLast()
      let last = removeLast()
      steps += last.count + next.count
      append(last.composed(with: next))
    }
    return steps
  }
}
