/// The equality of values of any type (CO.7).
package enum Equality {
  /// Returns whether two values are equal.
  ///
  /// Values are equal if `Equatable` says so. Numbers compare across types, objects that are not `Equatable` by
  /// identity, collections by element. All other values are different, and so are collections nested too deeply.
  package static func areEqual(_ left: Any?, _ right: Any?, depth: Int = 0) -> Bool {
    if depth < Limits.nesting, let areEqual = scalarsAreEqual(left, right) { return areEqual }
    guard let left = left.flatMap(unwrappingOptionals) else { return right.flatMap(unwrappingOptionals) == nil }
    guard let right = right.flatMap(unwrappingOptionals), NestingFault.entering(depth) == nil else { return false }
    let info = TypeInfo.of(left)
    let other = TypeInfo.of(right)
    if info.kind == .number, other.kind == .number { return numbersAreEqual(left, right) }
    if info.collection != nil, let collection = left as? any CollectionValue {
      guard info.kind == other.kind, let counterpart = right as? any CollectionValue else { return false }
      return collection.isEqual(to: counterpart, depth: depth + 1)
    }
    if info.isObject, other.isObject, object(in: left) === object(in: right) { return true }
    // Either value may be of the other's superclass, whose equality decides.
    if let equatable = left as? any Equatable, let answer = isEqual(equatable, right) { return answer }
    if let equatable = right as? any Equatable, let answer = isEqual(equatable, left) { return answer }
    return false
  }

  /// Returns whether replacing one value by the other changes nothing: they are equal, or both are NaN.
  package static func areSame(_ left: Any?, _ right: Any?) -> Bool {
    if let areEqual = scalarsAreEqual(left, right) { return areEqual }
    return areEqual(left, right) || isNotANumber(left) && isNotANumber(right)
  }

  /// Returns whether the values in two boxes are equal.
  ///
  /// Texts and integers are compared there: to copy an optional box takes 100 instructions.
  @inline(__always)
  package static func areEqual(boxes left: AddressOf<Any?>, _ right: AddressOf<Any?>) -> Bool {
    scalarsAreEqual(boxes: left, right) ?? areEqual(left.pointee, right.pointee)
  }

  /// Returns whether two texts or two integers are equal; nil for other values, of which conformances are looked up.
  @inline(__always)
  private static func scalarsAreEqual(_ left: Any?, _ right: Any?) -> Bool? {
    withAddress(of: left) { left in withAddress(of: right) { right in scalarsAreEqual(boxes: left, right) } }
  }

  private static func scalarsAreEqual(boxes left: AddressOf<Any?>, _ right: AddressOf<Any?>) -> Bool? {
    guard let type = left.boxedType, type == right.boxedType else { return nil }
    func areEqual<Value: Equatable>(_ type: Value.Type) -> Bool {
      Address(left).of(type).pointee == Address(right).of(type).pointee
    }
    if type == ObjectIdentifier(String.self) { return areEqual(String.self) }
    return type == ObjectIdentifier(Int.self) ? areEqual(Int.self) : nil
  }

  private static func isNotANumber(_ value: Any?) -> Bool { (value as? any BinaryFloatingPoint)?.isNaN ?? false }

  /// Returns whether two values are equal by the type of the first one, or by that of a superclass that the second one has,
  /// too; `nil` if the second one is of another type.
  private static func isEqual<T: Equatable>(_ left: T, _ right: Any) -> Bool? {
    if let right = valueCast(right, to: T.self) { return left == right }
    func areEqual<Class: Equatable>(_ type: Class.Type) -> Bool? {
      guard let left = left as? Class, let right = right as? Class else { return nil }
      return left == right
    }
    return (commonSuperclass(left, right) as? any Equatable.Type).flatMap { areEqual($0) }
  }

  private static func numbersAreEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = AnyNumber(of: left), let right = AnyNumber(of: right) else { return false }
    return AnyNumber.compare(left, right) == .same
  }
}
