extension ChangeComparison {
  /// Returns as many pairs as possible, in any order.
  static func pairsInAnyOrder(_ expected: [KVExpectedChange], _ log: KVChangeLog) -> [(Int, Int)] {
    var assigned = [Int?](repeating: nil, count: log.count)
    // A lenient expectation may match the only change of a stricter one: it is moved to another change then.
    func assign(_ number: Int, _ tried: inout [Bool]) -> Bool {
      for position in log.indices where assigned[position] == nil && expected[number].matches(log[position]) {
        assigned[position] = number
        return true
      }
      for position in log.indices where !tried[position] && expected[number].matches(log[position]) {
        tried[position] = true
        guard let other = assigned[position], assign(other, &tried) else { continue }
        assigned[position] = number
        return true
      }
      return false
    }
    for number in expected.indices {
      var tried = [Bool](repeating: false, count: log.count)
      _ = assign(number, &tried)
    }
    return assigned.enumerated().compactMap { entry in entry.element.map { ($0, entry.offset) } }
      .sorted { $0.0 < $1.0 }
  }

  /// Pairs each expected change with the first match after that of the previous one; returns `nil` if one has no match.
  ///
  /// If all changes can be paired in order, they are.
  static func pairsWithGaps(_ expected: [KVExpectedChange], _ log: KVChangeLog) -> [(Int, Int)]? {
    var pairs: [(Int, Int)] = []
    for (position, change) in log.enumerated() where pairs.count < expected.count {
      if expected[pairs.count].matches(change) { pairs.append((pairs.count, position)) }
    }
    return pairs.count == expected.count ? pairs : nil
  }

  /// Returns as many pairs as possible in order: a longest common subsequence.
  static func pairsInOrder(_ expected: [KVExpectedChange], _ log: KVChangeLog) -> [(Int, Int)] {
    var first = 0
    while first < min(expected.count, log.count), expected[first].matches(log[first]) { first += 1 }
    var last = 0
    while last < min(expected.count, log.count) - first,
      expected[expected.count - 1 - last].matches(log[log.count - 1 - last])
    { last += 1 }
    let (left, right) = (expected.count - last - first, log.count - last - first)
    var pairs = (0..<first).map { ($0, $0) }
    pairs += middlePairs(left, right) { expected[first + $0].matches(log[first + $1]) }
      .map { ($0 + first, $1 + first) }
    pairs += (0..<last).map { (expected.count - last + $0, log.count - last + $0) }
    return pairs
  }

  private static func middlePairs(_ left: Int, _ right: Int, _ match: (Int, Int) -> Bool) -> [(Int, Int)] {
    // This is quadratic; for sequences too long to read, only changes at equal positions are compared.
    guard left * right <= 1_000_000 else { return (0..<min(left, right)).filter { match($0, $0) }.map { ($0, $0) } }
    var matches = [[Bool]](repeating: [], count: left)
    for i in 0..<left { matches[i] = (0..<right).map { match(i, $0) } }
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: right + 1), count: left + 1)
    for i in stride(from: left - 1, through: 0, by: -1) {
      for j in stride(from: right - 1, through: 0, by: -1) {
        lengths[i][j] = matches[i][j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < left, j < right {
      if matches[i][j], lengths[i][j] == lengths[i + 1][j + 1] + 1 {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] > lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
