/// A set of occupied indexes, which finds the free index with a given number.
///
/// Adjacent indexes are one run, so that the set is small if elements are added or removed at an end or side by side.
struct OccupiedIndexes {
  private struct Run {
    var start: Int
    var end: Int
    /// The number of occupied indexes before the run.
    var before: Int
  }

  private var runs: [Run] = []

  /// Occupies the free index with a number, counted from zero, and returns the index.
  ///
  /// - Complexity: O(*r*) for *r* runs after it, O(log *r*) for the search.
  mutating func occupy(_ number: Int) -> Int {
    let next = firstRun(behind: number)
    let position = next > 0 ? number + runs[next - 1].before + runs[next - 1].end - runs[next - 1].start : number
    for index in next..<runs.count { runs[index].before += 1 }
    let joinsNext = next < runs.count && runs[next].start == position + 1
    if next > 0, runs[next - 1].end == position {
      runs[next - 1].end = joinsNext ? runs.remove(at: next).end : position + 1
    } else if joinsNext {
      runs[next].start = position
      runs[next].before -= 1
    } else {
      runs.insert(Run(start: position, end: position + 1, before: position - number), at: next)
    }
    return position
  }

  /// Returns the first run that has more free indexes before it than a number.
  private func firstRun(behind number: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].start - runs[middle].before > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
