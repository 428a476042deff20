/// An optional of any type.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// The wrapped value, with nested optionals flattened; nil where one of them is nil (KVC.4).
  var flattenedValue: Any? { get }
  /// The nil of the type.
  static var nilValue: Any { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  var flattenedValue: Any? {
    switch self {
    case nil: nil
    case let value?: flattened(value)
    }
  }

  static var nilValue: Any { Self.none as Any }
}

/// Returns a value without the optionals around it, at any depth: nil if one of them is nil (KVC.4).
@usableFromInline
func flattened(_ any: Any) -> Any? {
  guard TypeInfo.of(any).kind == .optional, let optional = any as? any OptionalValue else { return any }
  return optional.flattenedValue
}
