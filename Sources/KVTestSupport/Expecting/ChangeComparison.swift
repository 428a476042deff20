/// The assignment of recorded changes to expected ones.
struct ChangeComparison {
  /// A pair of changes, or a change without a partner.
  struct Row {
    var expected: KVExpectedChange?
    var recorded: (number: Int, change: KVChange)?
    var isMatch: Bool
  }

  let rows: [Row]
  let matching: KVChangeMatching
  let expectedCount: Int
  let recordedCount: Int

  init(_ expected: [KVExpectedChange], _ log: KVChangeLog, _ matching: KVChangeMatching) {
    self.matching = matching
    (expectedCount, recordedCount) = (expected.count, log.count)
    let pairs =
      switch matching {
      case .exhaustive: Self.pairsInOrder(expected, log)
      case .anyOrder: Self.pairsInAnyOrder(expected, log)
      case .nonExhaustive: Self.pairsWithGaps(expected, log) ?? Self.pairsInOrder(expected, log)
      }
    rows = Self.rows(expected, log, pairs)
  }

  /// Whether the recorded changes match the expected ones.
  var isAsExpected: Bool {
    rows.allSatisfy { $0.isMatch || matching == .nonExhaustive && $0.expected == nil }
  }

  /// Returns both sequences side by side.
  private static func rows(_ expected: [KVExpectedChange], _ log: KVChangeLog, _ pairs: [(Int, Int)])
    -> [Row]
  {
    guard zip(pairs, pairs.dropFirst()).allSatisfy({ $0.1 < $1.1 }) else { return rowsOutOfOrder(expected, log, pairs) }
    var rows: [Row] = []
    var (i, j) = (0, 0)
    for (pair, isMatch) in pairs.map({ ($0, true) }) + [((expected.count, log.count), false)] {
      rows += unpairedRows(expected[i..<pair.0], log, j..<pair.1)
      (i, j) = pair
      if isMatch {
        rows.append(Row(expected: expected[i], recorded: (j + 1, log[j]), isMatch: true))
        (i, j) = (i + 1, j + 1)
      }
    }
    return rows
  }

  /// Returns the pairs in the order of the expected changes, followed by the unexpected ones.
  private static func rowsOutOfOrder(_ expected: [KVExpectedChange], _ log: KVChangeLog, _ pairs: [(Int, Int)]) -> [Row]
  {
    let partners = Dictionary(uniqueKeysWithValues: pairs)
    let matched = Set(partners.values)
    let paired = expected.enumerated().map { number, change in
      let partner = partners[number]
      return Row(expected: change, recorded: partner.map { ($0 + 1, log[$0]) }, isMatch: partner != nil)
    }
    let others = log.indices.filter { !matched.contains($0) }
    return paired + others.map { Row(expected: nil, recorded: ($0 + 1, log[$0]), isMatch: false) }
  }

  /// Returns the rows between two pairs: changes of the same path share a row, all others have their own.
  private static func unpairedRows(
    _ expected: ArraySlice<KVExpectedChange>, _ log: KVChangeLog, _ recorded: Range<Int>
  ) -> [Row] {
    var rows: [Row] = []
    var remaining = recorded
    func take(to end: Int) {
      rows += (remaining.lowerBound..<end).map { Row(expected: nil, recorded: ($0 + 1, log[$0]), isMatch: false) }
      remaining = end..<remaining.upperBound
    }
    for change in expected {
      guard let partner = remaining.first(where: { log[$0].keyPath == change.keyPath }) else {
        rows.append(Row(expected: change, recorded: nil, isMatch: false))
        continue
      }
      take(to: partner)
      rows.append(Row(expected: change, recorded: (partner + 1, log[partner]), isMatch: false))
      remaining = (partner + 1)..<remaining.upperBound
    }
    take(to: remaining.upperBound)
    return rows
  }
}
