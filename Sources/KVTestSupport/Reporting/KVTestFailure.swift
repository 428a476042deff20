/// The failure of an expectation, which a reporter receives (TST.1).
public struct KVTestFailure: Sendable, Hashable, CustomStringConvertible {
  /// The expected and the actual result, in several lines if that is clearer.
  public let message: String
  /// The source location of the expectation.
  public let location: KVTestLocation

  /// Creates a failure, for your own helpers, which pass it to ``KVFailureReporter/report(_:)``.
  ///
  /// - Parameters:
  ///   - message: The expected and the actual result.
  ///   - location: The source location of the expectation.
  public init(_ message: String, at location: KVTestLocation) {
    self.message = message
    self.location = location
  }

  /// The location and the message.
  public var description: String { "\(location): \(message)" }
}
