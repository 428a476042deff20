/// An optional of any type.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// The wrapped value.
  var wrappedValue: Any? { get }
  /// Returns the wrapped value of the optional at an address, in a box as it is.
  static func wrappedValue(at address: Address) -> Any?
  /// Returns the wrapped value of the optional at an address, boxed.
  static func asAny(at address: Address) -> Any?
  /// The nil of the type.
  static var nilValue: Any { get }

  // Conversions of an optional in memory to its wrapped value, and back.

  /// Replaces an optional in memory by its wrapped value; false if it is nil, and the memory is empty then.
  static func unwrap(in memory: Address) -> Bool
  /// Replaces a wrapped value in memory by an optional.
  static func wrap(in memory: Address)
  /// The boxer of wrapped values.
  static var wrappedBoxer: any ValueBoxing.Type { get }
}

extension OptionalValue {
  /// Returns the wrapped value of an optional of the type.
  static func wrappedValue(of any: Any) -> Any? {
    func open<T>(_ value: T) -> Any? {
      if T.self != Self.self { return (any as? any OptionalValue)?.wrappedValue }
      return withAddress(of: value) { wrappedValue(at: Address($0)) }
    }
    return _openExistential(any, do: open)
  }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  var wrappedValue: Any? {
    switch self {
    case nil: nil
    case let value?: value
    }
  }

  static func wrappedValue(at address: Address) -> Any? {
    address.of(Self.self).pointee.wrappedValue
  }

  static func asAny(at address: Address) -> Any? {
    address.of(Self.self).pointee.flatMap { TypeTraits.box(unwrapped: $0) }
  }

  static var nilValue: Any { Self.none as Any }

  static func unwrap(in memory: Address) -> Bool {
    guard let value = memory.of(Self.self).move() else { return false }
    memory.initialize(as: Wrapped.self, to: value)
    return true
  }

  static func wrap(in memory: Address) {
    memory.initialize(as: Self.self, to: memory.of(Wrapped.self).move())
  }

  static var wrappedBoxer: any ValueBoxing.Type { Boxer<Wrapped>.self }
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
