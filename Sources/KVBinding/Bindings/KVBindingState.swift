import KVCore

/// How a binding is doing (BND.1).
public enum KVBindingState: String, Sendable, Hashable {
  /// It carries changes over.
  case active
  /// A path leads nowhere as yet: a nil stands in its middle. The binding goes on when that changes (BND.10).
  case unresolved
  /// The last change could not be carried over; see ``KVPathBinding/lastError``. The next one is tried again (BND.11).
  case failed
  /// It is over, for good.
  case ended
}

/// One end of a binding: an object, held weakly, and a path.
public struct KVBindingEndpoint: CustomStringConvertible {
  /// The object; nil once it has died.
  public let object: AnyObject?
  /// The path.
  public let keyPath: KVKeyPath
  /// The name of the object's type.
  public let typeName: String

  /// Type and path, as `Person.name`.
  public var description: String { "\(typeName).\(keyPath)" }
}
