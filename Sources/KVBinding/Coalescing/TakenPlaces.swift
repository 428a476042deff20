/// Places in a row that are taken one by one; finds the free ones by their number.
///
/// Neighbours are kept as one run, so that it is small where elements come or go at an end, or side by side.
struct TakenPlaces {
  private struct Run {
    var start: Int
    var end: Int
    /// How many places are taken before it.
    var before: Int
  }

  private var runs: [Run] = []

  /// Takes the free place of a number, counted from 0, and returns it.
  ///
  /// - Complexity: O(*r*) for *r* runs behind it, O(log *r*) to find it.
  mutating func take(_ number: Int) -> Int {
    let next = firstRun(behind: number)
    let place = next > 0 ? number + runs[next - 1].before + runs[next - 1].end - runs[next - 1].start : number
    for index in next..<runs.count { runs[index].before += 1 }
    let joinsNext = next < runs.count && runs[next].start == place + 1
    if next > 0, runs[next - 1].end == place {
      runs[next - 1].end = joinsNext ? runs.remove(at: next).end : place + 1
    } else if joinsNext {
      runs[next].start = place
      runs[next].before -= 1
    } else {
      runs.insert(Run(start: place, end: place + 1, before: place - number), at: next)
    }
    return place
  }

  /// The first run that has more free places before it than a number.
  private func firstRun(behind number: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].start - runs[middle].before > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
