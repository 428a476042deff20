import KVCore

extension KVPredicate {
  /// The format, which parses to an equal predicate if all constants have a literal form (FLT.2).
  public var description: String { PredicateWriter(node).text }
}

extension KVPredicate {
  /// Returns whether two predicates have the same structure, equal constants and the same policies; closures are equal to
  /// themselves.
  ///
  /// - Parameters:
  ///   - left: A predicate.
  ///   - right: Another predicate.
  public static func == (left: KVPredicate, right: KVPredicate) -> Bool {
    if left.isCopy(of: right) { return true }
    let (left, right) = (PredicateWriter(left.node), PredicateWriter(right.node))
    return left.text == right.text && left.unwritable.count == right.unwritable.count
      && zip(left.unwritable, right.unwritable).allSatisfy { Equality.areSame($0, $1) }
      && left.policies.elementsEqual(right.policies) { $0 === $1 }
  }
}

extension KVPredicate {
  /// Decodes a predicate from its format.
  ///
  /// - Parameter decoder: A decoder of a single string.
  /// - Throws: `DecodingError.dataCorrupted` with the sentence of the parser; any error of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(KVError) { try self.init(format: text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes the format.
  ///
  /// - Parameter encoder: An encoder of a single string.
  /// - Throws: `EncodingError.invalidValue` for a closure, and for a constant without literal form, which it names; any
  ///   error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let writer = PredicateWriter(node)
    var container = encoder.singleValueContainer()
    if let value = writer.unwritable.first {
      let name = value is PredicateClosure ? "a closure" : "\(describe(value)), which has no literal form,"
      // The text, not the constant: Foundation's description of a date that is no point in time ends the process.
      throw EncodingError.invalidValue(
        writer.text,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "the predicate \(writer.text) cannot be encoded, since it contains \(name)."))
    }
    try container.encode(writer.text)
  }
}
