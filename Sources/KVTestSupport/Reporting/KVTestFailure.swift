/// An expectation that did not hold: what a reporter is handed (TST.1).
public struct KVTestFailure: Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what was found; several lines where that reads better.
  public let message: String
  /// Where the expectation stands.
  public let location: KVTestLocation

  /// Makes a failure; helpers of your own do, and hand it to ``KVFailureReporter/report(_:)``.
  ///
  /// - Parameters:
  ///   - message: What was expected and what was found.
  ///   - location: Where the expectation stands.
  public init(_ message: String, at location: KVTestLocation) {
    self.message = message
    self.location = location
  }

  /// The place and the message.
  public var description: String { "\(location): \(message)" }
}
