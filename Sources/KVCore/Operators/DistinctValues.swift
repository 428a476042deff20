/// Removes repeated values, by the equality of CO.7; keeps the order of first appearance (OP.5).
enum DistinctValues {
  /// - Complexity: O(*n*) for hashable values and objects, O(*n*²) for others.
  static func of(_ values: [Any]) -> [Any] {
    var numbers: Set<NumberIdentity> = []
    var hashed: Set<AnyHashable> = []
    var objects: Set<ObjectIdentifier> = []
    var others: [Any] = []
    return values.filter { value in
      let info = TypeInfo.of(value)
      if info.kind == .number, let number = value as? any KVNumeric, let identity = NumberIdentity(number.number) {
        return numbers.insert(identity).inserted
      }
      if let hashable = value as? AnyHashable { return hashed.insert(hashable).inserted }
      if info.isObject, !(value is any Equatable) {
        return objects.insert(ObjectIdentifier(object(in: value))).inserted
      }
      if others.contains(where: { Equality.areEqual($0, value) }) { return false }
      others.append(value)
      return true
    }
  }
}

/// The value of a number without its type, which `true`, 1 and 1.0 share.
private enum NumberIdentity: Hashable {
  case integer(Int128)
  case fraction(Double)

  /// Creates `nil` for a number with its own arithmetic that equals no standard number.
  init?(_ number: KVNumber) {
    switch number {
    case .integer(let value): self = .integer(value)
    case .floating(let value): self = Int128(exactly: value).map { .integer($0) } ?? .fraction(value)
    case .exact(let value):
      if let integer = value.truncated, value.isEqual(to: .integer(integer)) {
        self = .integer(integer)
      } else if value.isEqual(to: .floating(value.double)) {
        self = .fraction(value.double)
      } else {
        return nil  // equal to no standard number
      }
    }
  }
}
