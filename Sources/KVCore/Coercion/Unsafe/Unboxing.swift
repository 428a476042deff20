/// Returns a value if it is of exactly the given type.
///
/// This takes half the time of `as?`, which looks up conformances and bridging first. The bit cast is between a type
/// and itself: it is only reached if both names stand for one type.
@inlinable @inline(__always)
package func exactCast<Value>(_ any: Any, _ type: Value.Type) -> Value? {
  func open<T>(_ value: T) -> Value? {
    T.self == Value.self ? unsafeBitCast(value, to: Value.self) : nil
  }
  return _openExistential(any, do: open)
}

extension OrderedValue {
  /// Returns a value if it is of exactly this type; without an optional of the type, whose metadata the runtime would have
  /// to find.
  static func exactCast(_ any: Any) -> (any OrderedValue)? {
    func open<T>(_ value: T) -> (any OrderedValue)? {
      T.self == Self.self ? unsafeBitCast(value, to: Self.self) : nil
    }
    return _openExistential(any, do: open)
  }
}

extension CollectionValue {
  /// Returns a value as a collection if it is of exactly this type; in a tenth of the time of `as?`.
  static func opened(_ any: Any) -> (any CollectionValue)? {
    func open<T>(_ value: T) -> (any CollectionValue)? {
      T.self == Self.self ? unsafeBitCast(value, to: Self.self) : nil
    }
    return _openExistential(any, do: open)
  }
}

/// Returns a value in a box of its own type.
///
/// Generic code that boxes an element of `[any P]` creates a box around the existential instead of the value. Such a
/// box opens as `any P`, whose memory is not that of the value.
@inline(never)
package func unwrappingExistentials(_ any: Any) -> Any {
  func open<T>(_ type: T.Type) -> Any {
    guard let value = any as? T else { preconditionFailure("\(type) is not the type of its own value") }
    return value
  }
  return _openExistential(type(of: any), do: open)
}

/// Returns whether the values of a type that is known to contain an object are plain references.
///
/// An existential is none, even if it is one word like `any Error`.
@inline(__always)
private func isReference<T>(_ type: T.Type) -> Bool { type is AnyClass }

/// Calls a function with a value as an owner: the object itself, or the memory within the box.
@inline(__always)
func withOwner<Result>(in any: Any, isObject: Bool, _ body: (Owner) -> Result) -> Result {
  func open<T>(_ value: T) -> Result {
    if isObject ? !isReference(T.self) : T.self != type(of: any) {
      return withOwner(in: unwrappingExistentials(any), isObject: isObject, body)
    }
    if isObject { return body(Owner(unsafeBitCast(value, to: AnyObject.self))) }
    return withAddress(of: value) { body(Owner(at: Address($0))) }
  }
  return _openExistential(any, do: open)
}

/// Returns the object in a value whose type is known to be a class; `as AnyObject` takes 180 ns on other platforms than
/// Apple's.
@inline(__always)
package func object(in any: Any) -> AnyObject {
  func open<T>(_ value: T) -> AnyObject {
    isReference(T.self)
      ? unsafeBitCast(value, to: AnyObject.self) : object(in: unwrappingExistentials(any))
  }
  return _openExistential(any, do: open)
}

/// Returns a changed copy of a value that is not an object.
func copy(_ any: Any, changedBy change: (Address) throws -> Void) rethrows -> Any {
  func open<T>(_ value: T) throws -> Any {
    if T.self != type(of: any) { return try KVCore.copy(unwrappingExistentials(any), changedBy: change) }
    var copy = value
    try withAddress(of: &copy) { try change(Address($0)) }
    return copy
  }
  return try _openExistential(any, do: open)
}

/// Returns an element as `Any`, without an optional around it unless it is nil.
package func asAny(_ element: Any?) -> Any { element ?? Any?.none as Any }
