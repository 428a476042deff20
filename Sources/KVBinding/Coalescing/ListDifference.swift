import KVCore

/// What changes remove from an array, and insert into it.
///
/// As in the `CollectionDifference` of the standard library, the index of a removed element counts the elements before the
/// changes, that of an inserted one the elements after them. Both ascend.
struct ListDifference {
  /// Elements with their indexes.
  typealias Placed = [(index: Int, element: Any)]

  let removals: Placed
  let insertions: Placed

  private init(removals: Placed, insertions: Placed) {
    self.removals = removals
    self.insertions = insertions
  }

  /// The difference that changes make one after the other; a replacement removes and inserts at the same indexes.
  ///
  /// - Complexity: O(*n* log *n*) in the number of changed elements.
  init(_ parts: ArraySlice<PendingRecord.Part>) {
    if parts.count > 1 {
      let middle = parts.startIndex + parts.count / 2
      self = Self(parts[..<middle]).followed(by: Self(parts[middle...]))
    } else {
      let part = parts.first
      removals = part.map { $0.kind == .insertion ? [] : Self.placed($0.indexes, $0.old) } ?? []
      insertions = part.map { $0.kind == .removal ? [] : Self.placed($0.indexes, $0.new) } ?? []
    }
  }

  private static func placed(_ indexes: [Int]?, _ elements: Any?) -> Placed {
    let placed = Placed(zip(indexes ?? [], Elements.list(elements)).map { ($0, $1) })
    // Those of a manual change may be in any order.
    let isSorted = zip(placed, placed.dropFirst()).allSatisfy { $0.index < $1.index }
    return isSorted ? placed : placed.ordered { $0.index }
  }

  /// Returns the difference of the changes and later ones; what these remove of the inserted elements is in neither list.
  ///
  /// The removals of the later changes and the insertions of the earlier ones count the elements in between. The others of
  /// these elements were there before, and still are afterwards.
  private func followed(by later: Self) -> Self {
    Self(
      removals: Self.merged(Self.remaining(later.removals, without: insertions), into: removals),
      insertions: Self.merged(Self.remaining(insertions, without: later.removals), into: later.insertions))
  }

  /// Returns the elements at places that others do not take, with indexes that do not count the others.
  private static func remaining(_ placed: Placed, without others: Placed) -> Placed {
    var result = Placed()
    var passed = 0
    for (index, element) in placed {
      while passed < others.count, others[passed].index < index { passed += 1 }
      if passed == others.count || others[passed].index != index { result.append((index - passed, element)) }
    }
    return result
  }

  /// Merges elements whose indexes do not count others with these.
  private static func merged(_ placed: Placed, into others: Placed) -> Placed {
    var result = Placed()
    result.reserveCapacity(placed.count + others.count)
    var passed = 0
    for (index, element) in placed {
      while passed < others.count, others[passed].index <= index + passed {
        result.append(others[passed])
        passed += 1
      }
      result.append((index + passed, element))
    }
    return result + others[passed...]
  }

  /// Returns the elements before the changes.
  ///
  /// - Parameter elements: The elements after them.
  /// - Complexity: O(*n*) in the number of elements and of changed elements.
  func undone(from elements: [Any]) -> [Any] {
    if removals.isEmpty && insertions.isEmpty { return elements }
    let kept = Self.remaining(elements.enumerated().map { ($0, $1) }, without: insertions)
    return Self.merged(kept, into: removals).map(\.element)
  }
}
