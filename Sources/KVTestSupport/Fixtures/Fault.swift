extension KVFixtures {
  /// An error that a test throws on purpose.
  public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What it says.
    public let description: String

    /// Makes an error.
    ///
    /// - Parameter description: What it says.
    public init(_ description: String = "a fault on purpose") { self.description = description }
  }
}
