/// The equality of the values of a type that is `Equatable`.
@usableFromInline
package struct TypedEquality {
  @usableFromInline let areEqual: (Address, Address) -> Bool

  /// Creates the equality of a type; nil if the type is not `Equatable`.
  @usableFromInline
  package init?(of type: Any.Type) {
    func areEqual<T: Equatable>(_ type: T.Type) -> (Address, Address) -> Bool {
      { $0.of(type).pointee == $1.of(type).pointee }
    }
    guard let equatable = type as? any Equatable.Type else { return nil }
    self.areEqual = areEqual(equatable)
  }

  /// Returns whether two values of the type are equal, or both are NaN.
  @inlinable @inline(__always)
  func callAsFunction<Value>(_ left: Value, _ right: Value) -> Bool {
    // For these types, the compiler inlines the comparison.
    if Value.self == String.self {
      return unsafeBitCast(left, to: String.self) == unsafeBitCast(right, to: String.self)
    }
    if Value.self == Int.self { return unsafeBitCast(left, to: Int.self) == unsafeBitCast(right, to: Int.self) }
    if Value.self == Double.self {
      let (left, right) = (unsafeBitCast(left, to: Double.self), unsafeBitCast(right, to: Double.self))
      return left == right || left.isNaN && right.isNaN
    }
    if Value.self == Bool.self { return unsafeBitCast(left, to: Bool.self) == unsafeBitCast(right, to: Bool.self) }
    return withAddress(of: left) { left in withAddress(of: right) { right in areEqual(Address(left), Address(right)) } }
  }

  /// Returns whether two optionals have equal values of the type.
  @inlinable @inline(__always)
  func callAsFunction<Value>(some left: Value?, _ right: Value?) -> Bool {
    if let left, let right { self(left, right) } else { false }
  }
}
