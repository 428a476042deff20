/// An optional of any type.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// The wrapped value.
  var wrappedValue: Any? { get }
  /// Returns the wrapped value of the optional at an address, boxed.
  static func asAny(at address: UnsafeRawPointer) -> Any?
  /// The nil of the type.
  static var nilValue: Any { get }

  // Conversions of an optional in memory to its wrapped value, and back.

  /// Replaces an optional in memory by its wrapped value; false if it is nil, and the memory is empty then.
  static func unwrap(in memory: UnsafeMutableRawPointer) -> Bool
  /// Replaces a wrapped value in memory by an optional.
  static func wrap(in memory: UnsafeMutableRawPointer)
  /// The boxer of wrapped values.
  static var wrappedBoxer: any ValueBoxing.Type { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  var wrappedValue: Any? {
    switch self {
    case nil: nil
    case let value?: value
    }
  }

  static func asAny(at address: UnsafeRawPointer) -> Any? {
    address.assumingMemoryBound(to: Self.self).pointee.flatMap { BoxingStrategy.box(unwrapped: $0) }
  }

  static var nilValue: Any { Self.none as Any }

  static func unwrap(in memory: UnsafeMutableRawPointer) -> Bool {
    guard let value = memory.assumingMemoryBound(to: Self.self).move() else { return false }
    memory.initializeMemory(as: Wrapped.self, to: value)
    return true
  }

  static func wrap(in memory: UnsafeMutableRawPointer) {
    memory.initializeMemory(as: Self.self, to: memory.assumingMemoryBound(to: Wrapped.self).move())
  }

  static var wrappedBoxer: any ValueBoxing.Type { Boxer<Wrapped>.self }
}

/// Returns a value without the optionals and `AnyHashable`s around it, at any depth: nil if an optional is nil (KVC.4).
@usableFromInline
package func unwrappingOptionals(_ any: Any) -> Any? {
  var current = any
  while true {
    // An existing info is used, and none is created: creating one reads the value's fields, which can recurse to here.
    let info = TypeInfo.existing(of: current)
    if let info, info.kind != .optional, info.kind != .hashable { return current }
    if let optional = current as? any OptionalValue {
      guard let wrapped = optional.wrappedValue else { return nil }
      current = wrapped
    } else if type(of: current) == AnyHashable.self, let hashable = current as? AnyHashable {
      current = hashable.base
    } else {
      return current
    }
  }
}
