/// The name of a member in JSON.
struct JSONKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A value of any type, as `JSONDecoder` reads it.
struct JSONInput: Decodable {
  /// The value as documents have it in Swift; nil for null.
  let value: Any?

  init(from decoder: any Decoder) throws {
    var reader = Reader()
    var kind = Kind.object
    value = try reader.read(decoder, &kind, depth: 0)
  }

  /// What a value can be.
  ///
  /// A decoder does not tell, so each is tried, and every one in vain costs a thrown error.
  private enum Kind: CaseIterable {
    case string, number, object, array, bool
  }

  private struct Reader {
    /// What the members of a name were when one was read last: the next one is most often the same.
    private var kinds: [String: Kind] = [:]

    /// Reads a value; tries first what is expected, and says what it is.
    mutating func read(_ decoder: any Decoder, _ kind: inout Kind, depth: Int) throws -> Any? {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() { return nil }
      if let value = try read(decoder, container, as: kind, depth) { return value }
      for other in Kind.allCases where other != kind {
        if let value = try read(decoder, container, as: other, depth) {
          kind = other
          return value
        }
      }
      throw Self.corrupted(decoder, nil)
    }

    /// Reads a value as what it may be; nil if it is something else.
    private mutating func read(
      _ decoder: any Decoder, _ container: any SingleValueDecodingContainer, as kind: Kind, _ depth: Int
    ) throws -> Any? {
      do {
        switch kind {
        case .string: return try container.decode(String.self)
        case .number: return try Self.number(container)
        case .bool: return try container.decode(Bool.self)
        case .object: return try object(try decoder.container(keyedBy: JSONKey.self), depth + 1)
        case .array: return try array(try decoder.unkeyedContainer(), depth + 1)
        }
      } catch DecodingError.typeMismatch {
        return nil
      } catch let error as KVError {
        throw error
      } catch let error as DecodingError {
        throw error
      } catch {
        // Off Apple's platforms some errors come bare, without the place.
        throw Self.corrupted(decoder, error)
      }
    }

    private static func number(_ container: any SingleValueDecodingContainer) throws -> Any {
      let double: Double
      do { double = try container.decode(Double.self) } catch let error {
        if case DecodingError.typeMismatch = error { throw error }
        // A number that is too near to zero for a double is zero.
        guard let integer = try? container.decode(Int.self) else { throw error }
        return integer
      }
      // Only what looks like an integer is tried as one. Negative zero is none.
      if double.rounded(.towardZero) != double || abs(double) > 0x1p64 { return double }
      if double == 0, double.sign == .minus { return double }
      if let integer = try? container.decode(Int.self) { return integer }
      return (try? container.decode(UInt64.self)) ?? double
    }

    private mutating func object(_ container: KeyedDecodingContainer<JSONKey>, _ depth: Int) throws -> [String: Any] {
      try Self.check(depth)
      let keys = container.allKeys
      var object: [String: Any] = [:]
      object.reserveCapacity(keys.count)
      for key in keys {
        let name = key.stringValue
        let expected = kinds[name]
        var kind = expected ?? .string
        // Only a null is boxed as an optional: it has to stay an entry.
        object[name] =
          try read(container.superDecoder(forKey: key), &kind, depth: depth) ?? (Any?.none as Any)
        if kind != expected { kinds[name] = kind }
      }
      return object
    }

    private mutating func array(_ container: any UnkeyedDecodingContainer, _ depth: Int) throws -> Any {
      try Self.check(depth)
      var container = container
      var kind = Kind.object
      var values: [Any] = []
      values.reserveCapacity(container.count ?? 0)
      var nilIndexes: [Int] = []
      while !container.isAtEnd {
        if let value = try read(container.superDecoder(), &kind, depth: depth) {
          values.append(value)
        } else {
          nilIndexes.append(values.count)
          values.append(0)
        }
      }
      if nilIndexes.isEmpty { return values }
      var optionals = values.map { Optional($0) }
      for index in nilIndexes { optionals[index] = nil }
      return optionals
    }

    private static func check(_ depth: Int) throws {
      if depth > KVJSON.maximumDepth { throw KVJSON.tooDeep(nil) }
    }

    private static func corrupted(_ decoder: any Decoder, _ error: (any Error)?) -> DecodingError {
      .dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "a number or a string is malformed, or out of range",
          underlyingError: error))
    }
  }
}
