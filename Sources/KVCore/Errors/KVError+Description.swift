extension KVError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message, followed by the key path and its root type if the message does not show them.
  public var description: String {
    guard let keyPath, let rootType, let component, keyPath != component else { return message }
    return "\(message) (In the path \"\(shortened(keyPath))\" from \(rootType).)"
  }

  /// The code, followed by the description.
  public var debugDescription: String { "KVError.\(code): \(description)" }
}

/// Returns a text as messages quote it: the beginning and the end of one with more than 200 bytes.
package func shortened(_ text: String) -> String {
  guard text.utf8.count > 200 else { return text }
  // One character can have any number of scalars: then the scalars count.
  let (start, end) = (text.prefix(100), text.suffix(40))
  if start.utf8.count <= 2_000, end.utf8.count <= 2_000 { return "\(start)…\(end)" }
  return "\(String(text.unicodeScalars.prefix(100)))…\(String(text.unicodeScalars.suffix(40)))"
}

/// Returns the name of a type as messages use it: short, with its generic arguments.
package func typeName(_ type: Any.Type) -> String { "\(type)" }

/// Returns the name of a type as its declaration can write it, and its extensions can: with the types around it, or of a
/// generic type, without its arguments.
func declaredName(_ type: Any.Type) -> String {
  let name = String(reflecting: type).drop { $0 != "." }.dropFirst()
  // The context of a type that is private to its file has no name.
  if name.isEmpty || name.contains(where: { "(<".contains($0) }) { return String(typeName(type).prefix { $0 != "<" }) }
  return String(name)
}

/// Returns the name of a type behind its article: "an Int", "a String".
package func withArticle(_ type: Any.Type) -> String {
  let name = typeName(type)
  return ("AEIO".contains(name.prefix(1)) ? "an " : "a ") + name
}
