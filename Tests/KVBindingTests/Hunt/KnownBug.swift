import Testing

/// Says that a test shows a bug that is there: it is reported when it passes one day.
struct KnownBug: TestTrait, TestScoping {
  var isIntermittent = false

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await withKnownIssue(isIntermittent: isIntermittent) { try await function() }
  }
}

extension Trait where Self == KnownBug {
  static var knownBug: Self { KnownBug() }
  static var knownBugSometimes: Self { KnownBug(isIntermittent: true) }
}
