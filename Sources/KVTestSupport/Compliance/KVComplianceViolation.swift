/// A violation of key-value coding or key-value observing by a type (TST.2).
public struct KVComplianceViolation: Sendable, Hashable, CustomStringConvertible {
  /// The kind of the violation, by which an exception accepts it.
  public let kind: Kind
  /// The key or the alias; nil if the violation concerns the type as a whole.
  public let key: String?
  /// One sentence that describes the fault with the values found, and one that says how to fix it.
  public let message: String

  init(_ kind: Kind, _ key: String?, _ message: String) {
    self.kind = kind
    self.key = key
    self.message = message
  }

  /// The kind and the message, which names the key.
  public var description: String { "\(kind): \(message)" }
}
