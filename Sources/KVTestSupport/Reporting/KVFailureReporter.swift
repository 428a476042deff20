import KVCore

/// A receiver of the failures of expectations: the running test framework, unless the program sets another one (TST.1).
///
/// ```swift
/// KVFailureReporter.setDefault(KVFailureReporter { failure in MyFramework.fail("\(failure)") })
///
/// let failures = KVFailureReporter.capturing {
///   expectNoChange(of: order, "total") { order.items.append(spoon) }
/// }
/// ```
///
/// A failed expectation makes one report, when it is called and on the thread that calls it; observers only record
/// changes.
public struct KVFailureReporter: Sendable {
  private let body: @Sendable (KVTestFailure) -> Void

  /// Creates a reporter.
  ///
  /// - Parameter report: A closure that receives each failure, on the thread of the expectation.
  public init(_ report: @escaping @Sendable (KVTestFailure) -> Void) { body = report }

  /// Reports a failure.
  ///
  /// - Parameter failure: The failure and its location.
  public func report(_ failure: KVTestFailure) { body(failure) }

  // MARK: The current reporter

  @TaskLocal private static var ofTask: KVFailureReporter?
  private static let ofProcess = Locked<KVFailureReporter>(.automatic)

  /// The current reporter: that of the task if ``with(_:_:)`` has set one, else the default of the process.
  public static var current: KVFailureReporter { ofTask ?? ofProcess.withLock { $0 } }

  /// Sets the default reporter of the process.
  ///
  /// - Parameter reporter: The reporter. The initial default is ``automatic``.
  public static func setDefault(_ reporter: KVFailureReporter) { ofProcess.withLock { $0 = reporter } }

  /// Runs a body with another current reporter, for its task and child tasks.
  ///
  /// - Parameters:
  ///   - reporter: The reporter.
  ///   - body: The closure to run.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public static func with<Result>(_ reporter: KVFailureReporter, _ body: () throws -> Result) rethrows -> Result {
    try $ofTask.withValue(reporter, operation: body)
  }

  /// Runs an asynchronous body with another current reporter.
  ///
  /// - Parameters:
  ///   - reporter: The reporter.
  ///   - isolation: The isolation of the body: that of the caller.
  ///   - body: The closure to run.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public static func with<Result>(
    _ reporter: KVFailureReporter, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $ofTask.withValue(reporter, operation: body, isolation: isolation)
  }

  /// Returns the failures of a body, which are not reported, to test helpers.
  ///
  /// - Parameter body: The closure to run.
  /// - Returns: The failures, in the order of their arrival.
  /// - Throws: The error of the body.
  public static func capturing(_ body: () throws -> Void) rethrows -> [KVTestFailure] {
    let failures = Collected<KVTestFailure>()
    try with(KVFailureReporter(into: failures), body)
    return failures.all
  }

  /// Returns the failures of an asynchronous body, which are not reported.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the body: that of the caller.
  ///   - body: The closure to run.
  /// - Returns: The failures, in the order of their arrival.
  /// - Throws: The error of the body.
  public static func capturing(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async rethrows -> [KVTestFailure] {
    let failures = Collected<KVTestFailure>()
    try await with(KVFailureReporter(into: failures), isolation: isolation, body)
    return failures.all
  }
}

/// Reports a failure to the current reporter.
func fail(_ message: String, at location: KVTestLocation) {
  KVFailureReporter.current.report(KVTestFailure(message, at: location))
}
