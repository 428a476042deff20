/// Visits every state that a number of operations can lead to, and makes every operation in each of them.
///
/// States of the model that differ only in names are one state: what was visited once is not visited again by another
/// sequence. Since the shortest sequences come first, so does the shortest one that fails.
struct InterleavingEnumeration {
  /// The operations without those on tokens.
  let moves: [InterleavingMove]
  let isOwnerView: Bool

  struct Counts: Sendable {
    /// The states, without names.
    var states = 1
    /// The sequences that were run: one for each operation in each state.
    var sequences = 0
    /// The sequences that the states stand for: as if none of them was left out.
    var represented = 0.0
  }

  /// A state: the operations that lead to it, a byte each, and the number of the sequences that do.
  private struct State {
    var code: UInt64
    var weight: Double
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
    var visited: Set<InterleavingDigest> = [InterleavingDigest(InterleavingModel(isOwnerView: isOwnerView).canonical)]
    var level = [State(code: 0, weight: 1)]
    for length in 0..<depth {
      var next: [State] = []
      var places: [InterleavingDigest: Int] = [:]
      for state in level {
        let sequence = decoded(state.code, length)
        var model = InterleavingModel(isOwnerView: isOwnerView)
        for move in sequence { model.make(move) }
        for (code, move) in candidates(model) where model.isPossible(move) {
          counts.sequences += 1
          counts.represented += state.weight
          if let fault = body(sequence + [move]) { return (counts, (sequence + [move], fault)) }
          guard length + 1 < depth else { continue }
          var successor = model
          successor.make(move)
          let digest = InterleavingDigest(successor.canonical)
          if let place = places[digest] {
            next[place].weight += state.weight
          } else if visited.insert(digest).inserted {
            places[digest] = next.count
            next.append(State(code: state.code | UInt64(code + 1) << (8 * length), weight: state.weight))
          }
        }
      }
      counts.states += next.count
      level = next
    }
    return (counts, nil)
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
