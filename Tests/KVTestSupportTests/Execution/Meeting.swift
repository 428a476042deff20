import Foundation
import Synchronization

/// A place where threads wait for each other, for a while.
final class Meeting: Sendable {
  private let arrived = Atomic<Int>(0)
  private let met = Atomic<Int>(0)

  /// Arrives, and waits until a number of threads have.
  func meet(_ count: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    yieldThread(atMost: 1_000_000) { arrived.load(ordering: .acquiring) < count }
    if arrived.load(ordering: .acquiring) >= count { met.add(1, ordering: .relaxed) }
  }

  /// How many did not wait in vain.
  var metCount: Int { met.load(ordering: .relaxed) }
}

/// Lets other threads run as long as a condition holds, and for so many times at most.
func yieldThread(atMost limit: Int, while condition: () -> Bool) {
  var tries = 0
  while condition(), tries < limit {
    sched_yield()
    tries += 1
  }
}
