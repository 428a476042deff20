/// One way in which a type does not keep what key-value coding and observing promise of it (TST.2).
public struct KVComplianceViolation: Sendable, Hashable, CustomStringConvertible {
  /// What kind of violation it is; name it to accept it.
  public let kind: Kind
  /// The key, or the alias; nil where the type as a whole is meant.
  public let key: String?
  /// One sentence that says what is wrong, with the values that were found, and one that says how to mend it.
  public let message: String

  init(_ kind: Kind, _ key: String?, _ message: String) {
    self.kind = kind
    self.key = key
    self.message = message
  }

  /// The kind and the message, which names the key.
  public var description: String { "\(kind): \(message)" }
}
