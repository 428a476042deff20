/// A sequence of operations as a program.
struct InterleavingScript: CustomStringConvertible {
  private let moves: [InterleavingMove]

  init(_ moves: [InterleavingMove]) { self.moves = moves }

  var description: String {
    """
    // root.next is middle; label depends on name and next.name; t are the tokens that exist.
    \(moves.map(\.script).joined(separator: "\n"))
    """
  }

  /// Runs the operations, those that are impossible left out, and compares after each.
  ///
  /// - Returns: What is wrong, and the operations up to there.
  static func run(_ moves: [InterleavingMove], isOwnerView: Bool) -> (fault: String, moves: [InterleavingMove])? {
    let world = InterleavingWorld(isOwnerView: isOwnerView)
    var made: [InterleavingMove] = []
    for move in moves where world.model.isPossible(move) {
      made.append(move)
      if let fault = world.make(move) {
        _ = world.faultOfDropping()
        return (fault, made)
      }
    }
    return world.faultOfDropping().map { ($0, made) }
  }

  /// Leaves out whatever a failing sequence does not need in order to fail.
  static func shortened(_ moves: [InterleavingMove], isOwnerView: Bool) -> [InterleavingMove] {
    var moves = moves
    var length = max(1, moves.count / 2)
    while length > 0 {
      var start = 0
      var isShorter = false
      while start < moves.count {
        var candidate = moves
        candidate.removeSubrange(start..<min(start + length, moves.count))
        if let failed = run(candidate, isOwnerView: isOwnerView) {
          moves = failed.moves
          isShorter = true
        } else {
          start += length
        }
      }
      if !isShorter || length > 1 { length /= 2 }
    }
    return moves
  }
}
