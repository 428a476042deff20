import Foundation

/// How much of a long suite runs: a few seconds of it, or all with `KV_FULL=1`, as in `.ci/nightly`.
package enum Extent {
  package static let isFull = ProcessInfo.processInfo.environment["KV_FULL"] == "1"

  /// Returns the number of rounds that run, and prints it beside that of all.
  package static func rounds(_ part: Int, of full: Int, suite: String = #fileID) -> Int {
    let rounds = isFull ? full : part
    print("\(suite): \(rounds) rounds of \(full)")
    return rounds
  }
}
