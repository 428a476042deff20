/// Reads the value of an accessor and boxes it; nil for a nil optional.
@usableFromInline typealias BoxFunction = (Accessor, AnyObject, Address) -> Any?

/// Moves a value from one object to another; returns whether the target has it then.
@usableFromInline typealias TransferFunction = (Accessor, AnyObject, Accessor, AnyObject, Accessor.TransferOptions) ->
  Bool

/// Converts any value to a type, and calls a function with its address.
@usableFromInline
typealias ConvertFunction = (Any?, Coercion, (Address) -> Void) throws(CoercionFailure) -> Void

/// The operations on the values of one type, for code that does not know the type.
@usableFromInline
package final class ValueType: @unchecked Sendable {  // guard: immutable; the closures keep no state
  package let type: Any.Type
  let id: ObjectIdentifier
  let isObjectReference: Bool
  /// Whether the type, or the one inside its optional, is one of numbers, texts or objects: none is an optional itself.
  let isScalar: Bool
  var isOptional: Bool { optional != nil }
  /// The type as that of an optional.
  let optional: (any OptionalValue.Type)?
  /// The type, or the one inside its optional, as that of a number.
  let number: (any NumericValue.Type)?
  /// The type, or the one inside its optional.
  package let unwrappedType: Any.Type
  /// The type, or the one inside its optional, as that of a collection: a look-up of a conformance costs 50 ns.
  let collection: (any CollectionValue.Type)?
  /// The type as that of an array; not if it is optional.
  let ordered: (any OrderedValue.Type)?
  /// Boxes values that a notice carries.
  let boxer: any ValueBoxing.Type
  let box: BoxFunction
  let convert: ConvertFunction
  let transfer: TransferFunction
  /// Whether values can be compared without boxing them.
  let canCompare: Bool

  @usableFromInline
  init(
    _ type: Any.Type, _ boxer: any ValueBoxing.Type, canCompare: Bool, box: @escaping BoxFunction,
    convert: @escaping ConvertFunction, transfer: @escaping TransferFunction
  ) {
    self.type = type
    id = ObjectIdentifier(type)
    optional = TypeTraits.optional(type)
    unwrappedType = optional?.wrappedType ?? type
    number = TypeTraits.number(unwrappedType)
    isObjectReference = unwrappedType is AnyClass
    isScalar = number != nil || isObjectReference || unwrappedType == String.self
    collection = TypeTraits.collection(innermostType(type))
    ordered = TypeTraits.collection(type) as? any OrderedValue.Type
    self.boxer = boxer
    self.box =
      isObjectReference && optional != nil
      ? { accessor, object, address in
        accessor.readRetained(object, address)?.takeObject()
      } : box
    self.convert = convert
    self.transfer = transfer
    self.canCompare = canCompare
  }

  /// Returns the operations of a type: common ones, which are compiled here, or those that ``make(of:)`` returns.
  @inlinable @inline(__always)
  static func of<Value>(_ type: Value.Type) -> ValueType {
    // The compiler knows the results of these comparisons.
    if type == Int.self { return .int }
    if type == String.self { return .string }
    if type == Double.self { return .double }
    if type == Bool.self { return .bool }
    if type == Int?.self { return .optionalInt }
    if type == String?.self { return .optionalString }
    if type == Double?.self { return .optionalDouble }
    return make(of: type)
  }

  @usableFromInline static let int = make(of: Int.self)
  @usableFromInline static let string = make(of: String.self)
  @usableFromInline static let double = make(of: Double.self)
  @usableFromInline static let bool = make(of: Bool.self)
  @usableFromInline static let optionalInt = make(of: Int?.self)
  @usableFromInline static let optionalString = make(of: String?.self)
  @usableFromInline static let optionalDouble = make(of: Double?.self)

  /// Creates the operations of a type; specialized where the type is known.
  @inlinable
  static func make<Value>(of type: Value.Type) -> ValueType {
    let isPlain = optionalWrappedType(type) == nil && !isAnyType(type)
    let equality = TypedEquality(of: type)
    return ValueType(
      type, valueBoxer(of: type), canCompare: equality != nil,
      box: isPlain
        ? { accessor, object, address in accessor.readTyped(object, address, as: Value.self) }
        : { accessor, object, address in TypeTraits.box(wrapped: accessor.readTyped(object, address, as: Value.self)) },
      convert: { any, coercion, body throws(CoercionFailure) in
        let value = try coercion.convert(any, to: Value.self)
        withAddress(of: value) { body(Address($0)) }
      },
      transfer: equality.map { transfer(of: type, by: $0) } ?? { _, _, _, _, _ in false })
  }

  /// Returns the function that moves values which an equality compares, to a property of the type or of its optional.
  @inlinable @inline(__always)
  static func transfer<Value>(of type: Value.Type, by equality: TypedEquality) -> TransferFunction {
    { reader, source, writer, target, options in
      if writer.valueID == ObjectIdentifier(type) {
        return withMemory(of: type) { memory in
          reader.read(source, noAddress, Address(memory))
          return writer.store(from: memory, in: target, options) { equality($0, $1) }
        }
      }
      return withMemory(of: Value?.self) { memory in
        memory.initialize(to: reader.readTyped(source, as: type))
        return writer.store(from: memory, in: target, options) { equality(some: $0, $1) }
      }
    }
  }

  /// Returns any value converted to the type, boxed without unwrapping.
  func converted(_ any: Any?, _ coercion: Coercion) throws(CoercionFailure) -> Any {
    var result: Any?
    try convert(any, coercion) { result = .some(boxer.boxWhole($0)) }
    guard let result else { preconditionFailure("a conversion passes on its result") }
    return result
  }
}

/// Whether a type is an existential that can contain an optional.
@usableFromInline func isAnyType(_ type: Any.Type) -> Bool { type == Any.self }

/// The `Wrapped` of an optional type, or nil.
@usableFromInline package func optionalWrappedType(_ type: Any.Type) -> Any.Type? {
  TypeTraits.optional(type)?.wrappedType
}

/// Returns the type inside all optionals of a type.
func innermostType(_ type: Any.Type) -> Any.Type { optionalWrappedType(type).map(innermostType) ?? type }
