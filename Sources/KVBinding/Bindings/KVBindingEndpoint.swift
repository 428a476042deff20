import KVCore

/// One endpoint of a binding: an object, which is referenced weakly, and a key path.
public struct KVBindingEndpoint: CustomStringConvertible, LinkedWithBinding {
  /// The object; nil after its deallocation.
  public let object: AnyObject?
  /// The key path.
  public let keyPath: KVKeyPath
  /// The name of the object's type.
  package let typeName: String

  /// Type and path, as `Person.name`.
  public var description: String { "\(typeName).\(keyPath)" }
}
