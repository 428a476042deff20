import KVCore

/// The bindings of a wave that wait for their turns: first the one that the longest chain follows, then the one that was
/// triggered first.
struct ReactionQueue {
  struct Reaction {
    /// The binding, which the queue retains until its turn: counting it in each move would cost more than the turn.
    let reference: _KVReference<BindingCore>
    var binding: BindingCore { reference.object }
    let side: BindingSide
    /// The number of the outer wave in which the binding waits, too; zero if there is none.
    let outerWave: UInt64
    fileprivate let rank: Int32
    /// The number of bindings that waited before.
    fileprivate let sequence: Int

    fileprivate func isBefore(_ other: Reaction) -> Bool {
      rank == other.rank ? sequence < other.sequence : rank > other.rank
    }
  }

  /// A heap: each element comes before the two at twice its index.
  private var turns: ContiguousArray<Reaction> = []
  private var sequence = 0
  /// The edits of mirrors that wait; all others propagate the present values of their endpoints.
  private var payloads: [WaveOrder.Node: BindingPayload] = [:]

  /// Inserts a binding.
  ///
  /// - Complexity: O(log *n*); O(1) if no binding of a lower rank waits.
  mutating func insert(
    _ binding: BindingCore, _ side: BindingSide, _ payload: BindingPayload?, outerWave: UInt64
  ) {
    if let payload { payloads[WaveOrder.Node(binding, side)] = payload }
    turns.append(
      Reaction(
        reference: .retaining(binding), side: side, outerWave: outerWave, rank: binding.rank(side), sequence: sequence))
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
    if payloads.isEmpty { return }
    let node = WaveOrder.Node(binding, side)
    payloads[node] = payloads[node]?.composed(with: payload)
  }

  var hasPayloads: Bool { !payloads.isEmpty }

  /// Returns the edit that a binding propagates, which has its turn.
  mutating func removePayload(of reaction: Reaction) -> BindingPayload? {
    payloads.removeValue(forKey: WaveOrder.Node(reaction.binding, reaction.side))
  }

  /// Removes and returns the binding whose turn it is; the caller releases it.
  mutating func popFirst() -> Reaction? {
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
