/// The traits of a type, which need no value: how its values are boxed, and whether they are numbers or
/// collections.
///
/// A look-up of a conformance costs 50 ns or more. The results are therefore kept, and found without a lock.
@usableFromInline
final class TypeTraits: @unchecked Sendable {  // guard: immutable
  private static let known = SnapshotMap<TypeTraits>()

  /// The type as that of an optional.
  let optional: (any OptionalValue.Type)?
  /// The type as that of a number.
  let number: (any NumericValue.Type)?
  /// The type as that of a collection.
  let collection: (any CollectionValue.Type)?
  /// The type as that of an array.
  let ordered: (any OrderedValue.Type)?
  /// Whether values are boxed without unwrapping: the type is neither an optional nor `Any`.
  private let isPlain: Bool
  /// Whether values have optionals or an `AnyHashable` around them.
  let isWrapper: Bool
  /// Whether values are objects, and none of Foundation's.
  let containsOwnObjects: Bool
  /// Whether the value stands for a null.
  let isNull: Bool
  /// Whether values are numbers, texts or objects, also if the type is that of a box, which is `any P` where generic code
  /// has boxed a value of that type.
  let isScalar: Bool

  private init(_ type: Any.Type) {
    optional = type as? any OptionalValue.Type
    number = type as? any NumericValue.Type
    let collection = type as? any CollectionValue.Type
    self.collection = collection
    ordered = collection as? any OrderedValue.Type
    isPlain = optional == nil && !isAnyType(type)
    isWrapper = optional != nil || type == AnyHashable.self
    isNull = type is any NullValue.Type
    containsOwnObjects =
      containsObjects(type) && type != AnyObject.self
      && !["Foundation.", "NS"].contains(where: String(reflecting: type).hasPrefix)
    isScalar = number != nil || type is AnyClass || type == String.self
  }

  /// Returns the traits of a type.
  @inline(__always)
  static func of(_ type: Any.Type) -> _KVReference<TypeTraits> {
    existing(ObjectIdentifier(type)) ?? make(type)
  }

  /// Returns the traits of the type of an identity, if they are known already.
  @inline(__always)
  static func existing(_ type: ObjectIdentifier) -> _KVReference<TypeTraits>? {
    known.unmanagedValue(for: StringBits(type))
  }

  @inline(never)
  private static func make(_ type: Any.Type) -> _KVReference<TypeTraits> {
    _KVReference(known.insert(TypeTraits(type), for: StringBits(ObjectIdentifier(type))))
  }

  /// Returns a type as that of an optional.
  static func optional(_ type: Any.Type) -> (any OptionalValue.Type)? {
    of(type).borrow { $0.optional }
  }

  /// Returns a type as that of a number.
  static func number(_ type: Any.Type) -> (any NumericValue.Type)? { of(type).borrow { $0.number } }

  /// Returns a type as that of a collection.
  static func collection(_ type: Any.Type) -> (any CollectionValue.Type)? {
    of(type).borrow { $0.collection }
  }

  // MARK: Boxing

  /// Returns whether values of a type are boxed without unwrapping.
  @usableFromInline
  static func isPlain(_ type: Any.Type) -> Bool { of(type).borrow { $0.isPlain } }

  /// Boxes the value in an optional or in an `Any`.
  @usableFromInline @inline(never)
  static func box<Value>(wrapped value: Value) -> Any? {
    guard let optional = optional(Value.self) else { return unwrappingOptionals(value) }
    return withAddress(of: value) { optional.asAny(at: Address($0)) }
  }

  /// Boxes a value that was unwrapped from an optional.
  static func box<Value>(unwrapped value: Value) -> Any? { isUnwrapped(value) ? value : unwrappingOptionals(value) }

  /// Returns whether a value has certainly no optionals around it: it is neither one nor in an existential.
  static func isUnwrapped<Value>(_ value: Value) -> Bool {
    // Without the box, the type of a value in an existential is that of the existential.
    of(Value.self).borrow { traits in
      traits.isScalar || traits.isPlain && !traits.isWrapper && type(of: value as Any) == Value.self
    }
  }
}
