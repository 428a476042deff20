extension KVFixtures {
  /// An error that a test throws on purpose.
  public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error.
    public let description: String

    /// Creates an error.
    ///
    /// - Parameter description: The description of the error.
    public init(_ description: String = "a fault on purpose") { self.description = description }
  }
}
