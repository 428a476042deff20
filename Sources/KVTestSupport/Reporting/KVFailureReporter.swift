import KVCore

/// What expectations tell their failures to: the test framework that runs, unless you set another (TST.1).
///
/// ```swift
/// KVFailureReporter.setDefault(KVFailureReporter { failure in MyFramework.fail("\(failure)") })
///
/// let failures = KVFailureReporter.capturing {
///   expectNoChange(of: order, "total") { order.items.append(spoon) }
/// }
/// ```
///
/// Each expectation that does not hold makes one report, when it is called, on the thread that calls it; observers only
/// write down what they hear.
public struct KVFailureReporter: Sendable {
  private let body: @Sendable (KVTestFailure) -> Void

  /// Makes a reporter.
  ///
  /// - Parameter report: Called with each failure, on the thread of the expectation.
  public init(_ report: @escaping @Sendable (KVTestFailure) -> Void) { body = report }

  /// Tells a failure.
  ///
  /// - Parameter failure: What did not hold, and where.
  public func report(_ failure: KVTestFailure) { body(failure) }

  // MARK: Which one counts

  @TaskLocal private static var ofTask: KVFailureReporter?
  private static let ofProcess = Locked<KVFailureReporter>(.automatic)

  /// The reporter that counts here: that of the task if ``with(_:_:)`` set one, else the default of the process.
  public static var current: KVFailureReporter { ofTask ?? ofProcess.withLock { $0 } }

  /// Sets the reporter of the whole process.
  ///
  /// - Parameter reporter: The reporter; ``automatic`` is what counts at the start.
  public static func setDefault(_ reporter: KVFailureReporter) { ofProcess.withLock { $0 = reporter } }

  /// Lets another reporter count while a body runs, in its task and the tasks that are its children.
  ///
  /// - Parameters:
  ///   - reporter: The reporter.
  ///   - body: What runs.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public static func with<Result>(_ reporter: KVFailureReporter, _ body: () throws -> Result) rethrows -> Result {
    try $ofTask.withValue(reporter, operation: body)
  }

  /// Lets another reporter count while an asynchronous body runs.
  ///
  /// - Parameters:
  ///   - reporter: The reporter.
  ///   - isolation: Where the body runs: where the caller does.
  ///   - body: What runs.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public static func with<Result>(
    _ reporter: KVFailureReporter, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $ofTask.withValue(reporter, operation: body, isolation: isolation)
  }

  /// Returns the failures of a body, which are told to nobody else: for tests of helpers.
  ///
  /// - Parameter body: What runs.
  /// - Returns: The failures, in the order in which they came.
  /// - Throws: What the body throws.
  public static func capturing(_ body: () throws -> Void) rethrows -> [KVTestFailure] {
    let failures = Collected<KVTestFailure>()
    try with(KVFailureReporter(into: failures), body)
    return failures.all
  }

  /// Returns the failures of an asynchronous body, which are told to nobody else.
  ///
  /// - Parameters:
  ///   - isolation: Where the body runs: where the caller does.
  ///   - body: What runs.
  /// - Returns: The failures, in the order in which they came.
  /// - Throws: What the body throws.
  public static func capturing(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async rethrows -> [KVTestFailure] {
    let failures = Collected<KVTestFailure>()
    try await with(KVFailureReporter(into: failures), isolation: isolation, body)
    return failures.all
  }
}

/// Tells a failure to whoever listens.
func fail(_ message: String, at location: KVTestLocation) {
  KVFailureReporter.current.report(KVTestFailure(message, at: location))
}
