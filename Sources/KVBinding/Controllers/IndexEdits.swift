/// Successive edits of an array by index, which are composed into one removal and one insertion.
///
/// Edits of similar extent are composed with each other, as in a merge sort.
///
/// - Complexity: O(*k* log *k*) for *k* edited elements in all.
struct IndexEdits {
  /// The composed edits in their order, each at least twice as large as the next one.
  private var runs: [IndexDifference] = []
  /// The number of indexes that all compositions have gone through.
  private(set) var steps = 0

  /// Follows a removal, by ascending indexes before it, and then an insertion, by ascending indexes after it.
  mutating func edit(removing removed: [Int], inserting inserted: [Int]) {
    if removed.isEmpty, inserted.isEmpty { return }
    runs.append(IndexDifference(removed: removed, inserted: inserted))
    while runs.count > 1, runs[runs.count - 2].count < 2 * runs[runs.count - 1].count { compose() }
  }

  /// How all edits have changed the array.
  var difference: IndexDifference {
    var edits = self
    while edits.runs.count > 1 { edits.compose() }
    return edits.runs.first ?? IndexDifference()
  }

  /// Composes the last two runs.
  private mutating func compose() {
    let next = runs.removeLast()
    steps += runs[runs.count - 1].count + next.count
    runs[runs.count - 1].remove(at: next.removed)
    runs[runs.count - 1].insert(at: next.inserted)
  }
}
