#if DEBUG
  /// Counts what is found by its name, so that tests can tell that nothing is looked up twice; not in release builds.
  package final class LookUpCount: @unchecked Sendable {  // guard: used by the task that counts
    /// How many keys were looked up in tables.
    package fileprivate(set) var keys = 0
    /// How many texts were looked up among parsed paths.
    package fileprivate(set) var texts = 0

    @TaskLocal private static var current: LookUpCount?

    /// Counts while a function runs.
    package static func of(_ body: () -> Void) -> LookUpCount {
      let count = LookUpCount()
      $current.withValue(count, operation: body)
      return count
    }

    static func addKey() { current?.keys += 1 }
    static func addText() { current?.texts += 1 }
  }
#endif
