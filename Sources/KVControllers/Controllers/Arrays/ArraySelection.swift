import KVBinding
import KVCore

/// The selected indexes of an arrangement, without observers, objects or a controller (CTR.25–31).
///
/// It is a value, so that an update can compute the selection after a change before it makes the change.
struct ArraySelection: Equatable {
  /// The selected indexes, ascending.
  private(set) var indexes: [Int] = []
  /// Where the first selected object was when edits of the current update emptied the selection, less the removals
  /// before it.
  private var vacancy: Int?

  init() {}

  init(_ indexes: some Sequence<Int>, count: Int) { select(indexes, count: count) }

  static func == (left: ArraySelection, right: ArraySelection) -> Bool { left.indexes == right.indexes }

  var isEmpty: Bool { indexes.isEmpty }
  /// The first selected index; nil if nothing is selected.
  var first: Int? { indexes.first }
  /// The first selected index, or where it was before the current update emptied the selection.
  var anchor: Int? { indexes.first ?? vacancy }

  /// Returns where an index is among the selected ones; nil if it is not selected.
  ///
  /// - Complexity: O(log *s*) for *s* selected indexes.
  func position(of index: Int) -> Int? {
    var (low, high) = (0, indexes.count)
    while low < high {
      let middle = (low + high) / 2
      if indexes[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low < indexes.count && indexes[low] == index ? low : nil
  }

  /// Whether edits of the current update have emptied the selection.
  var isVacated: Bool { vacancy != nil }

  // MARK: By a caller

  /// Selects indexes, and ignores those that are out of range.
  mutating func select(_ indexes: some Sequence<Int>, count: Int) {
    var selected = indexes.filter { $0 >= 0 && $0 < count }
    var isAscending = true
    for index in selected.indices.dropFirst() where selected[index - 1] >= selected[index] { isAscending = false }
    if !isAscending {
      selected.sort()
      var kept = 0
      for index in selected.indices where index == 0 || selected[index] != selected[kept - 1] {
        selected[kept] = selected[index]
        kept += 1
      }
      selected.removeSubrange(kept...)
    }
    self.indexes = selected
    vacancy = nil
  }

  /// The index that `selectNext()` selects; nil if it has no effect (CTR.31).
  func next(count: Int) -> Int? {
    guard let first else { return count > 0 ? 0 : nil }
    return first + 1 < count ? first + 1 : nil
  }

  /// The index that `selectPrevious()` selects; nil if it has no effect (CTR.31).
  var previous: Int? { first.flatMap { $0 > 0 ? $0 - 1 : nil } }

  // MARK: Following the arrangement

  /// Forgets where the selection was emptied; an update ends.
  mutating func endUpdate() { vacancy = nil }

  /// Follows an edit by index, so that the objects stay selected that remain.
  ///
  /// - Parameters:
  ///   - removed: The removed indexes, ascending, before the edit.
  ///   - inserted: The inserted indexes, ascending, after it.
  ///   - moved: Returns the index after the edit of an element that was removed and inserted again; nil for others.
  /// - Returns: Whether the selected objects may have changed: one was removed, or has moved.
  /// - Complexity: O(*s* + *k*), and O(*m* log *m*) for *m* selected objects that move.
  @discardableResult
  mutating func follow(removed: [Int], inserted: [Int], moved: (Int) -> Int? = { _ in nil }) -> Bool {
    guard let first = indexes.first else {
      if let vacancy { self.vacancy = vacancy - Self.count(removed, before: vacancy, moved) }
      return false
    }
    var hasChanged = false
    var movedTo: [Int] = []
    var (count, removals, insertions) = (0, 0, 0)
    for position in indexes.indices {
      let index = indexes[position]
      while removals < removed.count, removed[removals] < index { removals += 1 }
      if removals < removed.count, removed[removals] == index {
        hasChanged = true
        if let index = moved(index) { movedTo.append(index) }
        continue
      }
      let between = index - removals
      while insertions < inserted.count, inserted[insertions] <= between + insertions { insertions += 1 }
      indexes[count] = between + insertions
      count += 1
    }
    indexes.removeSubrange(count...)
    if !movedTo.isEmpty {
      indexes += movedTo
      indexes.sort()
    }
    if indexes.isEmpty { vacancy = first - Self.count(removed, before: first, moved) }
    return hasChanged
  }

  /// Returns how many removed elements before an index are not inserted again.
  private static func count(_ removed: [Int], before index: Int, _ moved: (Int) -> Int?) -> Int {
    removed.prefix { $0 < index }.count { moved($0) == nil }
  }

  /// Selects indexes of another content, which was assigned as a whole.
  mutating func follow(assigned indexes: [Int], count: Int) {
    let anchor = anchor
    select(indexes, count: count)
    if self.indexes.isEmpty { vacancy = anchor.map { min($0, count) } }
  }

  /// Follows an arrangement of the same content that has been made anew.
  ///
  /// - Parameters:
  ///   - count: The number of objects after the change.
  ///   - preserves: Whether the same objects stay selected; if not, the same indexes do.
  ///   - index: Returns the index of the object that had an index before; nil if it is not arranged any more.
  mutating func rearrange(count: Int, preserves: Bool, _ index: (Int) -> Int?) {
    let anchor = anchor
    select(preserves ? indexes.compactMap(index) : indexes, count: count)
    if indexes.isEmpty { vacancy = anchor.map { (0..<$0).count { index($0) != nil } } }
  }

  /// Selects one object if nothing is selected: at the index of the first one that was selected, less the removals
  /// before it, or the last one (CTR.30).
  mutating func avoidEmpty(count: Int) {
    if indexes.isEmpty, count > 0 { indexes = [min(vacancy ?? 0, count - 1)] }
  }
}
