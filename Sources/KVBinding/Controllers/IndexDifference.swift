/// How several edits of an array by index have changed it: a removal, then an insertion.
struct IndexDifference {
  /// The removed indexes, ascending, in the array before all edits.
  private(set) var removed: [Int] = []
  /// The inserted indexes, ascending, in the array after all edits.
  private(set) var inserted: [Int] = []

  init() {}

  init(removed: [Int], inserted: [Int]) { (self.removed, self.inserted) = (removed, inserted) }

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }
  /// The number of removed and inserted indexes.
  var count: Int { removed.count + inserted.count }

  /// Follows a removal, by ascending indexes before it.
  mutating func remove(at indexes: [Int]) {
    let (own, others) = Self.split(indexes, by: inserted)
    removed = Self.merge(removed, Self.open(Self.close(others, over: inserted), for: removed))
    inserted = Self.close(Self.split(inserted, by: own).rest, over: indexes)
  }

  /// Follows an insertion, by ascending indexes after it.
  mutating func insert(at indexes: [Int]) {
    inserted = Self.merge(Self.open(inserted, for: indexes), indexes)
  }

  /// Follows a replacement.
  mutating func replace(at indexes: [Int]) {
    remove(at: indexes)
    insert(at: indexes)
  }

  /// Returns the indexes before all edits of ascending indexes after them, none of which is inserted.
  func formerIndexes(of indexes: [Int]) -> [Int] { Self.open(Self.close(indexes, over: inserted), for: removed) }

  // MARK: Ascending indexes

  /// Returns indexes in an array into which gaps are opened: the gaps are indexes after that.
  static func open(_ indexes: [Int], for gaps: [Int]) -> [Int] {
    if gaps.isEmpty { return indexes }
    var count = 0
    return indexes.map { index in
      while count < gaps.count, gaps[count] <= index + count { count += 1 }
      return index + count
    }
  }

  /// Returns indexes in an array from which other indexes are removed.
  static func close(_ indexes: [Int], over removed: [Int]) -> [Int] {
    if removed.isEmpty { return indexes }
    var count = 0
    return indexes.map { index in
      while count < removed.count, removed[count] < index { count += 1 }
      return index - count
    }
  }

  /// Returns the indexes that are among others, and those that are not.
  static func split(_ indexes: [Int], by others: [Int]) -> (common: [Int], rest: [Int]) {
    if others.isEmpty { return ([], indexes) }
    var (common, rest): ([Int], [Int]) = ([], [])
    var position = 0
    for index in indexes {
      while position < others.count, others[position] < index { position += 1 }
      if position < others.count, others[position] == index { common.append(index) } else { rest.append(index) }
    }
    return (common, rest)
  }

  private static func merge(_ left: [Int], _ right: [Int]) -> [Int] {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    var result: [Int] = []
    result.reserveCapacity(left.count + right.count)
    var position = 0
    for index in left {
      while position < right.count, right[position] < index {
        result.append(right[position])
        position += 1
      }
      result.append(index)
    }
    result += right[position...]
    return result
  }
}
