/// How one array becomes another: with the fewest elements removed, inserted and replaced.
///
/// Elements are removed first, by their old indexes, then inserted, by their new ones; after that those that are replaced
/// stand at their new indexes, too.
struct ArrayEdit: Equatable {
  /// The indexes in the old array, ascending.
  private(set) var removals: [Int] = []
  /// The indexes in the new array, ascending.
  private(set) var insertions: [Int] = []
  /// The indexes in the new array, ascending.
  private(set) var replacements: [Int] = []

  /// Compares two arrays.
  ///
  /// What stays is a longest common subsequence. Where elements go and others come at the same place, as many as
  /// possible are paired as replacements, those that have most in common.
  ///
  /// - Parameters:
  ///   - old: The array as it was.
  ///   - new: The array as it is to be.
  ///   - distance: How little two elements have in common, from 0 to 1.
  /// - Complexity: O(*n* log *n*) where few elements occur twice, and never quadratic.
  init<Element: Hashable>(from old: [Element], to new: [Element], distance: (Element, Element) -> Double) {
    var (oldIndex, newIndex) = (0, 0)
    for (keptOld, keptNew) in Self.kept(old, new) + [(old.count, new.count)] {
      let hunk = Hunk(old: oldIndex..<keptOld, new: newIndex..<keptNew)
      let pairs = hunk.pairs { distance(old[$0], new[$1]) }
      let (leaving, arriving) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
      removals += hunk.old.filter { !leaving.contains($0) }
      insertions += hunk.new.filter { !arriving.contains($0) }
      replacements += pairs.map(\.new)
      (oldIndex, newIndex) = (keptOld + 1, keptNew + 1)
    }
  }

  // MARK: What stays

  /// How many pairs of equal elements are looked at, before elements that occur often are paired by their order.
  private static let matchLimit = 1 << 20

  /// Returns the pairs of indexes of a longest common subsequence, ascending.
  private static func kept<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [(Int, Int)] {
    let shorter = min(old.count, new.count)
    let prefix = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
    let suffix = (0..<(shorter - prefix)).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] }
    let end = suffix ?? (shorter - prefix)
    let middle = subsequence(old, prefix..<(old.count - end), new, prefix..<(new.count - end))
    return (0..<prefix).map { ($0, $0) } + middle
      + (0..<end).reversed().map { (old.count - 1 - $0, new.count - 1 - $0) }
  }

  /// Hunt and Szymanski's way: the longest run of matches that ascends in both arrays.
  private static func subsequence<Element: Hashable>(
    _ old: [Element], _ oldRange: Range<Int>, _ new: [Element], _ newRange: Range<Int>
  ) -> [(Int, Int)] {
    var positions: [Element: [Int]] = [:]
    for index in newRange { positions[new[index], default: []].append(index) }
    let matches = oldRange.reduce(0) { $0 + (positions[old[$1]]?.count ?? 0) }
    var occurrences: [Element: Int] = [:]
    var nodes: [(old: Int, new: Int, before: Int?)] = []
    // For each length the node that a subsequence of it ends with, the one with the least index in the new array.
    var ends: [Int] = []
    for index in oldRange {
      guard var candidates = positions[old[index]] else { continue }
      if matches > matchLimit {
        let number = occurrences[old[index], default: 0]
        occurrences[old[index]] = number + 1
        candidates = number < candidates.count ? [candidates[number]] : []
      }
      for candidate in candidates.reversed() {
        var (low, high) = (0, ends.count)
        while low < high {
          let middle = (low + high) / 2
          if nodes[ends[middle]].new < candidate { low = middle + 1 } else { high = middle }
        }
        nodes.append((index, candidate, low > 0 ? ends[low - 1] : nil))
        if low == ends.count { ends.append(nodes.count - 1) } else { ends[low] = nodes.count - 1 }
      }
    }
    var result: [(Int, Int)] = []
    var next = ends.last
    while let node = next {
      result.append((nodes[node].old, nodes[node].new))
      next = nodes[node].before
    }
    return result.reversed()
  }
}

/// A place of two arrays where nothing is kept.
private struct Hunk {
  let old: Range<Int>
  let new: Range<Int>

  /// How many pairs of elements are compared, before they are paired by their order.
  private static let limit = 1 << 14

  /// Returns as many pairs as there can be, ascending in both arrays, with the least distance in all.
  func pairs(_ distance: (Int, Int) -> Double) -> [(old: Int, new: Int)] {
    if old.isEmpty || new.isEmpty { return [] }
    if old.count == new.count || old.count * new.count > Self.limit { return Array(zip(old, new)) }
    // The least cost of the first so many elements; an element without a partner costs more than any pair saves.
    let single = 1.0
    let width = new.count + 1
    var costs = (0..<((old.count + 1) * width)).map { Double($0 / width + $0 % width) * single }
    var paired = Array(repeating: false, count: costs.count)
    for row in 1...old.count {
      for column in 1...new.count {
        let cell = row * width + column
        let alone = min(costs[cell - 1], costs[cell - width]) + single
        let both = costs[cell - width - 1] + distance(old.lowerBound + row - 1, new.lowerBound + column - 1)
        costs[cell] = min(alone, both)
        // Of two pairs that cost the same the one in front is taken.
        paired[cell] = both < alone
      }
    }
    var result: [(old: Int, new: Int)] = []
    var (row, column) = (old.count, new.count)
    while row > 0, column > 0 {
      let cell = row * width + column
      if paired[cell] {
        (row, column) = (row - 1, column - 1)
        result.append((old.lowerBound + row, new.lowerBound + column))
      } else if costs[cell - 1] <= costs[cell - width] {
        column -= 1
      } else {
        row -= 1
      }
    }
    return result.reversed()
  }
}
