/// What equal values share (CO.7), if they can be found by hashing.
enum ValueIdentity: Hashable {
  case integer(Int128)
  case fraction(Double)
  case value(AnyHashable)
  case instance(ObjectIdentifier)

  /// Creates `nil` for a value that has to be compared with each other one.
  init?(of value: Any) {
    let info = TypeInfo.of(value)
    if info.kind == .number, let number = KVNumber(of: value), let identity = Self(number) {
      self = identity
    } else if let hashable = value as? AnyHashable {
      self = .value(hashable)
    } else if info.isObject, !(value is any Equatable) {
      self = .instance(ObjectIdentifier(object(in: value)))
    } else {
      return nil
    }
  }

  /// Creates the identity of a number without its type, which `true`, 1 and 1.0 share; `nil` for a number with its own
  /// arithmetic that equals no standard number.
  private init?(_ number: KVNumber) {
    switch number {
    case .integer(let value): self = .integer(value)
    case .floating(let value): self = Int128(exactly: value).map { .integer($0) } ?? .fraction(value)
    case .exact(let value):
      if let integer = value.truncated, value.isEqual(to: .integer(integer)) {
        self = .integer(integer)
      } else if value.isEqual(to: .floating(value.double)) {
        self = .fraction(value.double)
      } else {
        return nil
      }
    }
  }
}
