/// Visits every state that a number of operations can lead to, and makes every operation in each of them.
///
/// States of the model that differ only in names are one state: what was visited once is not visited again by another
/// sequence. Since the shortest sequences come first, so does the shortest one that fails.
///
/// Nothing is lost by that if two sequences that lead to one state of the model lead to one state of the library: what
/// the model says of the one is then what it says of the other, with other names.
/// - Values are compared with each other only, and each new one differs from all before: names do not matter.
/// - Tokens and registrations of one kind are equal but for their order, which is part of the state.
/// - Operations that commute, or that change nothing, lead to one state. An operation that cannot be made, or is one
///   of a token that ended, is none: `resume` of what is not paused, `commit` without `begin`.
///
/// The library could have a state that the model has not: gaps in a list, or a cache that an ended registration filled.
/// Therefore sequences up to a smaller depth are run without merging, where each history counts.
struct InterleavingEnumeration {
  /// The operations without those on tokens.
  let moves: [InterleavingMove]
  let isOwnerView: Bool
  /// Whether sequences that lead to one state are one; otherwise every sequence is run.
  var isMerging = true

  struct Counts: Sendable {
    /// The states, without names; or the sequences that are shorter than the depth, if they are not merged.
    var states = 1
    /// The sequences that were run: one for each operation in each of these.
    var sequences = 0
    /// The sequences that the states stand for: as if none of them was left out.
    var represented = 0.0
  }

  private struct State {
    /// The operations that lead to it, a byte each.
    let code: UInt64
    /// The number of the operations that are possible in it.
    var moves = 0
    /// The states that they lead to, if states are merged and the depth is not reached.
    var successors: [Int] = []
  }

  /// Runs every sequence up to a depth.
  ///
  /// - Parameter body: Runs one sequence, the last operation of which was not run before; returns what is wrong.
  /// - Returns: The counts, and the first sequence that failed.
  func run(
    depth: Int, _ body: ([InterleavingMove]) -> String?
  ) -> (counts: Counts, failure: (moves: [InterleavingMove], fault: String)?) {
    precondition(depth <= 8 && moves.count < 128)
    var counts = Counts()
    var states = [State(code: 0)]
    var numbers = [InterleavingDigest(InterleavingModel(isOwnerView: isOwnerView).canonical): 0]
    var first = 0
    for length in 0..<depth {
      let level = first..<states.count
      for number in level {
        let sequence = decoded(states[number].code, length)
        var model = InterleavingModel(isOwnerView: isOwnerView)
        for move in sequence { model.make(move) }
        for (code, move) in candidates(model) where model.isPossible(move) {
          counts.sequences += 1
          states[number].moves += 1
          if let fault = body(sequence + [move]) { return (counts, (sequence + [move], fault)) }
          guard length + 1 < depth else { continue }
          let reached = State(code: states[number].code | UInt64(code + 1) << (8 * length))
          guard isMerging else {
            states.append(reached)
            continue
          }
          var successor = model
          successor.make(move)
          let digest = InterleavingDigest(successor.canonical)
          if numbers[digest] == nil {
            numbers[digest] = states.count
            states.append(reached)
          }
          states[number].successors.append(numbers[digest] ?? 0)
        }
      }
      first = level.upperBound
    }
    counts.states = states.count
    counts.represented = isMerging ? Self.represented(states, depth) : Double(counts.sequences)
    return (counts, nil)
  }

  /// Returns the number of all sequences up to a depth.
  private static func represented(_ states: [State], _ depth: Int) -> Double {
    var total = 0.0
    // The number of sequences of one length that lead to each state.
    var weights = [1.0] + Array(repeating: 0, count: states.count - 1)
    for _ in 0..<depth {
      var next = Array(repeating: 0.0, count: states.count)
      for (state, weight) in zip(states, weights) where weight > 0 {
        total += weight * Double(state.moves)
        for successor in state.successors { next[successor] += weight }
      }
      weights = next
    }
    return total
  }

  private func candidates(_ model: InterleavingModel) -> [(Int, InterleavingMove)] {
    let count = moves.count + 4 * model.registrations.count
    return (0..<count).map { ($0, move($0)) }
  }

  private func move(_ code: Int) -> InterleavingMove {
    guard code >= moves.count else { return moves[code] }
    let index = (code - moves.count) / 4
    switch (code - moves.count) % 4 {
    case 0: return .cancel(index)
    case 1: return .drop(index)
    case 2: return .pause(index)
    default: return .resume(index)
    }
  }

  private func decoded(_ code: UInt64, _ length: Int) -> [InterleavingMove] {
    (0..<length).map { move(Int(code >> (8 * $0) & 0xFF) - 1) }
  }
}
