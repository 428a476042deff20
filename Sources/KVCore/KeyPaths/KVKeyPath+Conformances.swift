extension KVKeyPath: Hashable {
  /// Whether both paths have equal components.
  ///
  /// - Parameters:
  ///   - left: A path.
  ///   - right: Another path.
  public static func == (left: KVKeyPath, right: KVKeyPath) -> Bool {
    left.storage === right.storage || left.storage.components == right.storage.components
  }

  /// Hashes the components.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.components) }
}

extension KVKeyPath: Comparable {
  /// Orders paths component by component.
  ///
  /// A path comes before those that it is a prefix of; indexes are ordered by number, all else by text.
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
  /// The path as text; parses back to an equal path (KP.7).
  public var description: String {
    var text = ""
    for (index, component) in components.enumerated() {
      if index > 0, component.takesDot { text += "." }
      text += component.description
    }
    return text
  }

  /// The text in quotes, behind the name of the type.
  public var debugDescription: String { "KVKeyPath(\(String(reflecting: description)))" }

}

extension KVKeyPath: ExpressibleByStringLiteral {
  /// Parses a literal.
  ///
  /// - Parameter value: The literal. One that is no key path is a programming error: it traps with the parser's
  ///   sentence (KP.6).
  public init(stringLiteral value: String) {
    do throws(KVError) {
      self = try KeyPathCache.shared.path(value)
      // Unlike a precondition, this prints its sentence in optimised programs too.
    } catch {
      fatalError(error.message)
    }
  }
}

extension KVKeyPath: Codable {
  /// Reads a path from its text.
  ///
  /// - Parameter decoder: The decoder, which holds one string.
  /// - Throws: `DecodingError.dataCorrupted` with the sentence of the parser; what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Writes the path as its text.
  ///
  /// - Parameter encoder: The encoder, which takes one string.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
