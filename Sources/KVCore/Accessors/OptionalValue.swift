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
  // An info is asked for, never made: making one reads the value's fields, which may lead back to where this began.
  if let info = TypeInfo.existing(of: any), info.kind != .optional { return any }
  guard let optional = any as? any OptionalValue else { return any }
  return optional.flattenedValue
}
