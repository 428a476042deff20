/// When two values are equal for the package (CO.7).
package enum Equality {
  /// Whether two values are equal: `Equatable` says so; numbers compare across types; objects that are not `Equatable`
  /// compare by identity; collections compare by element; anything else is different.
  package static func areEqual(_ left: Any?, _ right: Any?, depth: Int = 0) -> Bool {
    guard let left = left.flatMap(flattened) else { return right.flatMap(flattened) == nil }
    guard let right = right.flatMap(flattened), depth < Limits.nesting else { return false }
    let info = TypeInfo.of(left)
    let other = TypeInfo.of(right)
    if info.kind == .number, other.kind == .number { return numbersAreEqual(left, right) }
    if let collection = left as? any CollectionValue {
      guard info.kind == other.kind, let counterpart = right as? any CollectionValue else { return false }
      return collection.isEqual(to: counterpart, depth: depth + 1)
    }
    if info.isObject, other.isObject, object(in: left) === object(in: right) { return true }
    // Of an object and one of its superclass either may come first; the superclass's equality decides.
    if let equatable = left as? any Equatable, let answer = isEqual(equatable, right) { return answer }
    if let equatable = right as? any Equatable, let answer = isEqual(equatable, left) { return answer }
    return false
  }

  /// Whether putting one value in the place of the other changes nothing: they are equal, or neither is a number.
  package static func areSame(_ left: Any?, _ right: Any?) -> Bool {
    areEqual(left, right) || isNotANumber(left) && isNotANumber(right)
  }

  private static func isNotANumber(_ value: Any?) -> Bool { (value as? any BinaryFloatingPoint)?.isNaN ?? false }

  /// Asks the type of the first value; nil if the second one is of another type.
  private static func isEqual<T: Equatable>(_ left: T, _ right: Any) -> Bool? { (right as? T).map { left == $0 } }

  private static func numbersAreEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any KVNumeric, let right = right as? any KVNumeric else { return false }
    return KVNumber.compare(left.number, right.number) == .same
  }
}
