extension KVKeyPath: Hashable {
  /// Returns whether two paths have equal components.
  ///
  /// - Parameters:
  ///   - left: A path.
  ///   - right: Another path.
  /// - Returns: Whether the paths are equal.
  public static func == (left: KVKeyPath, right: KVKeyPath) -> Bool {
    left.storage === right.storage || left.storage.components == right.storage.components
  }

  /// Hashes the components of the path.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.components) }
}

extension KVKeyPath: Comparable {
  /// Returns whether a path sorts before another one, component by component.
  ///
  /// A prefix sorts before the paths that it begins. Two indexes compare as numbers, all other components as text.
  ///
  /// - Parameters:
  ///   - left: A path.
  ///   - right: Another path.
  /// - Returns: Whether the left path comes first.
  public static func < (left: KVKeyPath, right: KVKeyPath) -> Bool {
    for (a, b) in zip(left.components, right.components) where a != b {
      if case .index(let i) = a, case .index(let j) = b { return i < j }
      return a.description < b.description
    }
    return left.count < right.count
  }
}

extension KVKeyPath: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text of the path, which parses back to an equal path (KP.7).
  public var description: String {
    var text = ""
    for (index, component) in components.enumerated() {
      if index > 0, component.takesDot { text += "." }
      text += component.description
    }
    return text
  }

  /// The quoted text of the path, preceded by the name of the type.
  public var debugDescription: String { "KVKeyPath(\(String(reflecting: description)))" }

}

extension KVKeyPath: ExpressibleByStringLiteral {
  /// Creates a path from a string literal.
  ///
  /// - Parameter value: The literal. A literal that is not a key path is a programming error: it traps with the
  ///   sentence of the parser (KP.6). Swift does not tell an initializer where a literal stands, so that the message has
  ///   the text to search for instead of its line.
  public init(stringLiteral value: String) {
    do throws(KVError) {
      self = try KeyPathCache.shared.path(value)
      // Unlike `precondition`, `fatalError` prints its message in optimized builds, too.
    } catch {
      fatalError(
        """
        \(error.message) It is the text of a literal of type KVKeyPath: search for it in the program, or see the caller in \
        the backtrace.
        """)
    }
  }
}

extension KVKeyPath: Codable {
  /// Decodes a path from its text.
  ///
  /// - Parameter decoder: A decoder of a single string.
  /// - Throws: `DecodingError.dataCorrupted` with the sentence of the parser if the text is not a key path; any error
  ///   of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes the path as its text.
  ///
  /// - Parameter encoder: An encoder of a single string.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
