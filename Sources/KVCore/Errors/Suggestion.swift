/// The search for the known name that is nearest to a mistyped one.
package enum Suggestion {
  /// Returns the candidate with the smallest edit distance to `name`, if it is similar enough to be a typing mistake.
  ///
  /// Names over 64 characters or 256 bytes and lists of more than 1,000 candidates are not searched.
  ///
  /// - Complexity: O(*n* · *m*²) for *n* candidates of *m* characters.
  package static func nearest(to name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= 256 else { return nil }
    let wanted = Array(name.lowercased())
    guard !wanted.isEmpty, wanted.count <= 64, candidates.count <= 1_000 else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in candidates where candidate.utf8.count <= 256 && candidate != name {
      let other = Array(candidate.lowercased())
      guard abs(other.count - wanted.count) <= limit, other.count <= 64 else { continue }
      let distance = distance(wanted, other)
      if distance <= limit, distance < wanted.count, distance < (best?.distance ?? .max) {
        best = (distance, candidate)
      }
    }
    return best?.name
  }

  /// Returns the question that follows a sentence, after a blank; without a suggestion another sentence, or nothing.
  package static func question(_ suggestion: String?, else other: String? = nil) -> String {
    suggestion.map { " Did you mean \"\($0)\"?" } ?? other.map { " \($0)" } ?? ""
  }

  /// Returns whether two names differ by at most one typing mistake, so that one is certainly meant for the other.
  static func isSlip(_ name: String, _ candidate: String) -> Bool {
    distance(Array(name.lowercased()), Array(candidate.lowercased())) <= 1
  }

  /// Returns the optimal string alignment distance: insertions, removals, replacements and swaps of neighbors.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforePrevious = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var current = [Int](repeating: i, count: b.count + 1)
      for j in 1...b.count {
        let cost = a[i - 1] == b[j - 1] ? 0 : 1
        current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          current[j] = min(current[j], beforePrevious[j - 2] + 1)
        }
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count]
  }
}
