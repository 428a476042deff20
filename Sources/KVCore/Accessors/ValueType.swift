/// What can be done with the values of one type, knowing nothing of it but this.
@usableFromInline
package final class ValueType: @unchecked Sendable {  // guard: immutable; the closures keep no state
  package let type: Any.Type
  let id: ObjectIdentifier
  let isObjectReference: Bool
  let isOptional: Bool
  /// The type as that of an optional.
  let optional: (any OptionalValue.Type)?
  /// The type, or the one inside its optional.
  let unwrappedType: Any.Type
  let size: Int
  let alignment: Int
  /// The type, or the one inside its optional, as that of a collection: a look-up of a conformance costs 50 ns.
  let collection: (any CollectionValue.Type)?
  /// The type as that of an array; not where it is optional.
  let ordered: (any OrderedValue.Type)?
  /// Reads the value of an accessor of the type and boxes it; nil for a nil optional.
  let box: (Accessor, AnyObject, UnsafeMutableRawPointer) -> Any?
  /// Writes a value to an owner by an accessor of the type if it is of exactly the type; false if it is not.
  let assign: (Any, Accessor, AnyObject, UnsafeMutableRawPointer) -> Bool
  /// Boxes values where a notice carries them.
  let boxer: any ValueBoxing.Type
  /// Destroys a value in memory.
  let destroy: (UnsafeMutableRawPointer) -> Void
  /// Returns a value in memory, boxed as it is.
  let boxWhole: (UnsafeMutableRawPointer) -> Any
  /// Converts any value to the type and hands over its address.
  let convert: (Any?, Coercion, (UnsafeRawPointer) -> Void) throws(CoercionFailure) -> Void

  /// Moves a value of the type from one object to another; returns whether that holds it then.
  let transfer: (Accessor, AnyObject, Accessor, AnyObject, TransferOptions) -> Bool
  /// Whether values can be compared without boxing them.
  let canCompare: Bool

  @usableFromInline
  init(
    type: Any.Type, isObjectReference: Bool, isOptional: Bool, size: Int, alignment: Int, canCompare: Bool,
    transfer: @escaping (Accessor, AnyObject, Accessor, AnyObject, TransferOptions) -> Bool,
    box: @escaping (Accessor, AnyObject, UnsafeMutableRawPointer) -> Any?,
    assign: @escaping (Any, Accessor, AnyObject, UnsafeMutableRawPointer) -> Bool,
    boxer: any ValueBoxing.Type,
    destroy: @escaping (UnsafeMutableRawPointer) -> Void,
    boxWhole: @escaping (UnsafeMutableRawPointer) -> Any,
    convert: @escaping (Any?, Coercion, (UnsafeRawPointer) -> Void) throws(CoercionFailure) -> Void
  ) {
    self.type = type
    id = ObjectIdentifier(type)
    self.isObjectReference = isObjectReference
    self.isOptional = isOptional
    optional = type as? any OptionalValue.Type
    unwrappedType = optional?.wrappedType ?? type
    self.size = size
    self.alignment = alignment
    self.boxer = boxer
    self.destroy = destroy
    self.boxWhole = boxWhole
    collection = innermostType(type) as? any CollectionValue.Type
    ordered = type as? any OrderedValue.Type
    self.box = box
    self.assign = assign
    self.convert = convert
    self.transfer = transfer
    self.canCompare = canCompare
  }

  /// Makes the operations of a type; specialised where the type is known.
  @inlinable
  static func of<Value>(_ type: Value.Type) -> ValueType {
    let wrapped = optionalWrappedType(type)
    let convert: (Any?, Coercion, (UnsafeRawPointer) -> Void) throws(CoercionFailure) -> Void = {
      any, coercion, body throws(CoercionFailure) in
      let value = try coercion.convert(any, to: Value.self)
      withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
    }
    let assign: (Any, Accessor, AnyObject, UnsafeMutableRawPointer) -> Bool = {
      any, accessor, object, address in
      guard let value = exactCast(any, Value.self) else { return false }
      accessor.writeTyped(value, to: object, address)
      return true
    }
    let box: (Accessor, AnyObject, UnsafeMutableRawPointer) -> Any?
    if wrapped == nil, !isAnyType(type) {
      box = { accessor, object, address in accessor.readTyped(object, address, as: Value.self) }
    } else {
      box = { accessor, object, address in unwrappingOptionals(accessor.readTyped(object, address, as: Value.self)) }
    }
    let equality = equalityFunction(of: type)
    let transfer: (Accessor, AnyObject, Accessor, AnyObject, TransferOptions) -> Bool = {
      reader, source, writer, target, options in
      guard let equality else { return false }
      let value = reader.readTyped(source, as: Value.self)
      if options.contains(.skippingEqual), areEqual(value, writer.readTyped(target, as: Value.self), by: equality) {
        return true
      }
      writer.writeNotifying(value, to: target)
      return !options.contains(.checking) || areEqual(value, writer.readTyped(target, as: Value.self), by: equality)
    }
    return ValueType(
      type: type, isObjectReference: isClass(wrapped ?? type), isOptional: wrapped != nil,
      size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment, canCompare: equality != nil,
      transfer: transfer, box: box, assign: assign,
      boxer: Boxer<Value>.self,
      destroy: { asMemory($0, Value.self).deinitialize(count: 1) },
      boxWhole: { asMemory($0, Value.self).pointee }, convert: convert)
  }

  /// Returns a value in memory that was taken out of its optional, boxed.
  func boxUnwrapped(_ memory: UnsafeMutableRawPointer) -> Any { optional?.boxWrapped(memory) ?? boxWhole(memory) }
}

/// Whether a type is a class, so that its values are one reference.
@usableFromInline func isClass(_ type: Any.Type) -> Bool { type is AnyClass }

/// Whether a type is an existential that may itself hold an optional.
@usableFromInline func isAnyType(_ type: Any.Type) -> Bool { type == Any.self }

/// The `Wrapped` of an optional type, or nil.
@usableFromInline package func optionalWrappedType(_ type: Any.Type) -> Any.Type? {
  (type as? any OptionalValue.Type)?.wrappedType
}

/// Returns what is inside the optionals of a type.
func innermostType(_ type: Any.Type) -> Any.Type { optionalWrappedType(type).map(innermostType) ?? type }
