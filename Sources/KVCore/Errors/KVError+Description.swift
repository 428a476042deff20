extension KVError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message, and the whole path with its root type where the message alone does not show them.
  public var description: String {
    guard let keyPath, let rootType, let component, keyPath != component else { return message }
    return "\(message) (In the path \"\(keyPath)\" from \(rootType).)"
  }

  /// The code followed by the description.
  public var debugDescription: String { "KVError.\(code): \(description)" }
}
