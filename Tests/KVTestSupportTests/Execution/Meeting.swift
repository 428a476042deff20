import Synchronization

/// A place where threads wait for each other, for a while.
final class Meeting: Sendable {
  private let arrived = Atomic<Int>(0)
  private let met = Atomic<Int>(0)

  /// Arrives, and waits until a number of threads have.
  func meet(_ count: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    var tries = 0
    while arrived.load(ordering: .acquiring) < count, tries < 100_000_000 { tries += 1 }
    if arrived.load(ordering: .acquiring) >= count { met.add(1, ordering: .relaxed) }
  }

  /// How many did not wait in vain.
  var metCount: Int { met.load(ordering: .relaxed) }
}
