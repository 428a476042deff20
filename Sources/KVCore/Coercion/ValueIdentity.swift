/// A hashable identity that equal values share (CO.7), if they can be found by hashing.
package indirect enum ValueIdentity: Hashable {
  case none
  /// The elements of an array.
  case list([ValueIdentity])
  /// The members of a set.
  case members(Set<ValueIdentity>)
  /// The values of a dictionary by the texts of their keys.
  case entries([String: ValueIdentity])
  case integer(Int128)
  case fraction(Double)
  /// A number that is neither of these.
  case number(NumberValue)
  /// A number that no number of another type equals.
  case unequaled(NumberValue)
  case value(AnyHashable)
  case instance(ObjectIdentifier)

  /// Creates `nil` for a value that has to be compared with each other one.
  package init?(of value: Any) { self.init(of: value, depth: 0) }

  private init?(of value: Any, depth: Int) {
    let info = TypeInfo.of(value)
    if info.kind == .ordered || info.kind == .unordered, let collection = collectionValue(value) {
      // Elements are equal across types, which those of two hashable arrays are not.
      guard NestingFault.entering(depth) == nil, (try? collection.checkCount()) != nil,
        let elements = Self.identities(of: collection.elements, depth: depth + 1)
      else { return nil }
      self = info.kind == .ordered ? .list(elements) : .members(Set(elements))
    } else if info.kind == .keyed, let entries = keyedValue(value)?.namedEntries {
      guard NestingFault.entering(depth) == nil,
        let values = Self.identities(of: entries.map(\.value), depth: depth + 1)
      else { return nil }
      self = .entries([:].merging(zip(entries.map(\.name), values)) { value, _ in value })
    } else if info.kind == .number, let number = AnyNumber(of: value) {
      self.init(number)
    } else if let hashable = value as? AnyHashable {
      self = .value(hashable)
    } else if info.isObject, !(value is any Equatable) {
      self = .instance(ObjectIdentifier(object(in: value)))
    } else {
      return nil
    }
  }

  private static func identities(of elements: [Any?], depth: Int) -> [ValueIdentity]? {
    var result: [ValueIdentity] = []
    for element in elements {
      guard let element = element.flatMap(unwrappingOptionals) else {
        result.append(.none)
        continue
      }
      guard let identity = ValueIdentity(of: element, depth: depth) else { return nil }
      result.append(identity)
    }
    return result
  }

  /// Creates the identity of a number without its type, which `true`, 1 and 1.0 share.
  init(_ number: AnyNumber) {
    switch number {
    case .integer(let value): self = .integer(value)
    case .floating(let value): self = Int128(exactly: value).map { .integer($0) } ?? .fraction(value)
    case .wide(let wide):
      let value = wide.value
      if let integer = value.truncated, NumberValue(integer) == value {
        self = .integer(integer)
      } else {
        self = wide.isBetweenPrinted ? .number(value) : .unequaled(value)
      }
    case .exact(let exact):
      guard let value = exact.value else {
        self = .fraction(.nan)
        return
      }
      if let integer = value.truncated, NumberValue(integer) == value {
        self = .integer(integer)
      } else if case let double = exact.double, NumberValue(double) == value {
        self = .fraction(double)
      } else {
        self = .number(value)
      }
    }
  }
}
