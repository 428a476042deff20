#if DEBUG
  /// Counts the bytes and tokens that are looked at, so that tests can tell that reading is linear; not in release builds.
  package final class StepCount: @unchecked Sendable {  // guard: used by the task that counts
    package private(set) var steps = 0

    @TaskLocal private static var current: StepCount?

    /// Counts while a function runs.
    package static func of(_ body: () -> Void) -> Int {
      let count = StepCount()
      $current.withValue(count, operation: body)
      return count.steps
    }

    static func add() { current?.steps += 1 }
  }
#endif
