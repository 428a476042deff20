extension KVFixtures {
  /// An error that a test throws on purpose.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error.
    package let description: String

    /// Creates an error.
    ///
    /// - Parameter description: The description of the error.
    package init(_ description: String = "a fault on purpose") { self.description = description }
  }
}
