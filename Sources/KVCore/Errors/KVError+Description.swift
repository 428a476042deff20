extension KVError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message, followed by the key path and its root type if the message does not show them.
  public var description: String {
    guard let keyPath, let rootType, let component, keyPath != component else { return message }
    return "\(message) (In the path \"\(keyPath)\" from \(rootType).)"
  }

  /// The code, followed by the description.
  public var debugDescription: String { "KVError.\(code): \(description)" }
}

/// Returns the name of a type as messages use it: short, with its generic arguments.
func typeName(_ type: Any.Type) -> String { "\(type)" }
