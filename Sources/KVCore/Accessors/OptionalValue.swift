/// An optional of any type.
///
/// Methods that take an address use `Self`: the witness passes the metatype, so it is not looked up; a method of
/// `Optional` looks up its own type at each call.
protocol OptionalValue: ExpressibleByNilLiteral {
  associatedtype Wrapped

  init(_ value: Wrapped)
  /// The wrapped value, in a box as it is.
  var wrappedValue: Any? { get }
  /// The wrapped value, boxed.
  var asAny: Any? { get }
  /// Moves the wrapped value to memory; false if there is none.
  consuming func move(to memory: Address) -> Bool
}

extension OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  /// The boxer of wrapped values.
  static var wrappedBoxer: any ValueBoxing.Type { valueBoxer(of: Wrapped.self) }

  /// The nil of the type.
  static var nilValue: Any { Self(nilLiteral: ()) as Any }

  /// Returns the wrapped value of an optional of the type, in a box as it is.
  static func wrappedValue(of any: Any) -> Any? {
    func open<T>(_ value: T) -> Any? {
      if T.self != Self.self { return (any as? any OptionalValue)?.wrappedValue }
      return withAddress(of: value) { Address($0).of(Self.self).pointee.wrappedValue }
    }
    return _openExistential(any, do: open)
  }

  /// Returns the wrapped value of the optional at an address, boxed.
  static func asAny(at address: Address) -> Any? { address.of(Self.self).pointee.asAny }

  // Conversions of an optional in memory to its wrapped value, and back. Both may be at the same address.

  /// Moves the wrapped value of an optional to memory; false if it is nil, and the memory is empty then.
  static func unwrap(_ optional: Address, to memory: Address) -> Bool { optional.of(Self.self).move().move(to: memory) }

  /// Moves a wrapped value into an optional.
  static func wrap(_ value: Address, to optional: Address) {
    optional.of(Self.self).initialize(to: Self(value.of(Wrapped.self).move()))
  }

  /// Returns whether a wrapped value at an address has certainly no further optionals around it.
  static func isUnwrapped(_ value: Address) -> Bool { TypeTraits.isUnwrapped(value.of(Wrapped.self).pointee) }

  /// Initialises memory with nil.
  static func initializeNil(_ memory: Address) { memory.of(Self.self).initialize(to: nil) }
}

extension Optional: OptionalValue {
  var wrappedValue: Any? {
    switch self {
    case nil: nil
    case let value?: value
    }
  }

  var asAny: Any? {
    switch self {
    case nil: nil
    case let value?: TypeTraits.box(unwrapped: value)
    }
  }

  consuming func move(to memory: Address) -> Bool {
    switch consume self {
    case nil: return false
    case let value?:
      memory.of(Wrapped.self).initialize(to: value)
      return true
    }
  }
}

/// Returns a value without the optionals and `AnyHashable`s around it, at any depth: nil if an optional is nil (KVC.4).
@usableFromInline
package func unwrappingOptionals(_ any: Any) -> Any? {
  // Most values are in no wrapper: each copy of a box costs as much as the look-up.
  TypeTraits.of(type(of: any)).borrow { $0.isWrapper } ? unwrapping(any) : any
}

private func unwrapping(_ any: Any) -> Any? {
  var current = any
  // A loop, since there may be more optionals than a stack has room for.
  while true {
    let traits = TypeTraits.of(type(of: current)).object
    guard traits.isWrapper else { return current }
    if let optional = traits.optional {
      guard let wrapped = optional.wrappedValue(of: current) else { return nil }
      current = wrapped
    } else if let hashable = current as? AnyHashable {
      current = hashable.base
    } else {
      return current
    }
  }
}

/// A value that stands for a null of a document, and is stored as nil by a record.
package protocol NullValue {}
