/// How values of one type are boxed.
///
/// A look-up of a conformance costs 50 ns. The result is therefore cached, and found without a lock.
@usableFromInline
final class BoxingStrategy: @unchecked Sendable {  // guard: immutable
  private static let known = SnapshotMap<BoxingStrategy>()

  private let isPlain: Bool
  private let isClass: Bool
  private let optional: (any OptionalValue.Type)?

  private init(_ type: Any.Type) {
    optional = type as? any OptionalValue.Type
    isPlain = optional == nil && !isAnyType(type)
    isClass = type is AnyClass
  }

  @inline(__always)
  private static func of(_ type: Any.Type) -> Unmanaged<BoxingStrategy> {
    known.unmanagedValue(for: StringBits(ObjectIdentifier(type))) ?? make(type)
  }

  @inline(never)
  private static func make(_ type: Any.Type) -> Unmanaged<BoxingStrategy> {
    .passUnretained(known.insert(BoxingStrategy(type), for: StringBits(ObjectIdentifier(type))))
  }

  /// Returns whether values of a type are boxed without unwrapping: the type is neither an optional nor `Any`.
  @usableFromInline
  static func isPlain(_ type: Any.Type) -> Bool { of(type)._withUnsafeGuaranteedRef { $0.isPlain } }

  /// Boxes the value in an optional or in an `Any`.
  @usableFromInline @inline(never)
  static func box<Value>(wrapped value: Value) -> Any? {
    guard let optional = of(Value.self)._withUnsafeGuaranteedRef({ $0.optional }) else {
      return unwrappingOptionals(value)
    }
    return withUnsafePointer(to: value) { optional.asAny(at: UnsafeRawPointer($0)) }
  }

  /// Boxes a value that was unwrapped from an optional.
  static func box<Value>(unwrapped value: Value) -> Any? {
    let isItself = of(Value.self)._withUnsafeGuaranteedRef { strategy in
      strategy.isClass || strategy.isPlain && type(of: value) == Value.self && Value.self != AnyHashable.self
    }
    return isItself ? value : unwrappingOptionals(value)
  }
}
