/// The bindings of a wave that wait for their turns: first the one that the longest chain follows, then the one that was
/// triggered first.
struct TurnQueue {
  struct Turn {
    let binding: BindingCore
    let side: BindingSide
    /// The edit of a collection; nil for its present value.
    var payload: BindingPayload?
    fileprivate let rank: Int32
    /// The number of bindings that waited before.
    fileprivate let sequence: Int

    fileprivate func isBefore(_ other: Turn) -> Bool {
      rank == other.rank ? sequence < other.sequence : rank > other.rank
    }
  }

  /// A heap: each element comes before the two at twice its index.
  private var turns: ContiguousArray<Turn> = []
  private var sequence = 0

  /// Inserts a binding.
  ///
  /// - Complexity: O(log *n*); O(1) if no binding of a lower rank waits.
  mutating func insert(_ binding: BindingCore, _ side: BindingSide, _ payload: BindingPayload?) {
    turns.append(Turn(binding: binding, side: side, payload: payload, rank: binding.rank(side), sequence: sequence))
    sequence += 1
    var index = turns.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard turns[index].isBefore(turns[parent]) else { return }
      turns.swapAt(index, parent)
      index = parent
    }
  }

  /// Lets a binding that waits propagate both edits, or its present value.
  mutating func merge(_ binding: BindingCore, _ side: BindingSide, _ payload: BindingPayload?) {
    guard let index = turns.firstIndex(where: { $0.binding === binding && $0.side == side }) else { return }
    turns[index].payload = turns[index].payload?.composed(with: payload)
  }

  /// Removes and returns the binding whose turn it is.
  mutating func popFirst() -> Turn? {
    guard let last = turns.popLast() else { return nil }
    guard let first = turns.first else {
      sequence = 0
      return last
    }
    turns[0] = last
    var index = 0
    while 2 * index + 1 < turns.count {
      let (left, right) = (2 * index + 1, 2 * index + 2)
      let child = right < turns.count && turns[right].isBefore(turns[left]) ? right : left
      guard turns[child].isBefore(turns[index]) else { break }
      turns.swapAt(index, child)
      index = child
    }
    return first
  }
}
