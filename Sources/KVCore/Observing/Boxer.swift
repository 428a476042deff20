/// Boxes values of one type.
///
/// Only the code that creates a notice knows the type. It passes the metatype of the boxer, which costs nothing.
@usableFromInline
package protocol ValueBoxing {
  /// Returns the value at an address; nil for a nil optional.
  static func box(_ address: UnsafeRawPointer) -> Any?
  /// Returns the value at an address without unwrapping it.
  static func boxWhole(_ address: UnsafeRawPointer) -> Any
  /// Destroys the value at an address.
  static func destroy(_ address: UnsafeMutableRawPointer)
  /// Returns new memory with a copy of the value at an address.
  static func copy(_ address: UnsafeRawPointer) -> UnsafeMutableRawPointer
  /// Replaces a value by a copy of the value at an address. The old value is released last, since that can run any
  /// code.
  static func replace(_ value: UnsafeMutableRawPointer, by address: UnsafeRawPointer)
  /// Frees the memory that ``copy(_:)`` returned. The value is released last.
  static func free(_ value: UnsafeMutableRawPointer)
}

/// The boxer of a type.
@usableFromInline
package enum Boxer<Value>: ValueBoxing {
  @inlinable
  package static func box(_ address: UnsafeRawPointer) -> Any? {
    let address = address.assumingMemoryBound(to: Value.self)
    return BoxingStrategy.isPlain(Value.self) ? address.pointee : BoxingStrategy.box(wrapped: address.pointee)
  }
}

extension Boxer {
  @inlinable
  package static func boxWhole(_ address: UnsafeRawPointer) -> Any {
    address.assumingMemoryBound(to: Value.self).pointee
  }

  @inlinable
  package static func destroy(_ address: UnsafeMutableRawPointer) {
    address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  @usableFromInline
  package static func copy(_ address: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: address.assumingMemoryBound(to: Value.self).pointee)
    return UnsafeMutableRawPointer(memory)
  }

  @usableFromInline
  package static func replace(_ value: UnsafeMutableRawPointer, by address: UnsafeRawPointer) {
    var other = address.assumingMemoryBound(to: Value.self).pointee
    swap(&value.assumingMemoryBound(to: Value.self).pointee, &other)
  }

  @usableFromInline
  package static func free(_ value: UnsafeMutableRawPointer) {
    let memory = value.assumingMemoryBound(to: Value.self)
    let last = memory.move()
    memory.deallocate()
    withExtendedLifetime(last) {}
  }
}

/// The boxer of values that are boxed already.
@usableFromInline
package enum BoxedValue: ValueBoxing {
  @usableFromInline package static func box(_ address: UnsafeRawPointer) -> Any? {
    address.assumingMemoryBound(to: Any?.self).pointee
  }
  @usableFromInline package static func boxWhole(_ address: UnsafeRawPointer) -> Any { Boxer<Any?>.boxWhole(address) }
  @usableFromInline package static func destroy(_ address: UnsafeMutableRawPointer) { Boxer<Any?>.destroy(address) }
  @usableFromInline package static func copy(_ address: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    Boxer<Any?>.copy(address)
  }
  @usableFromInline package static func replace(_ value: UnsafeMutableRawPointer, by address: UnsafeRawPointer) {
    Boxer<Any?>.replace(value, by: address)
  }
  @usableFromInline package static func free(_ value: UnsafeMutableRawPointer) { Boxer<Any?>.free(value) }
}

/// A copy of the new value of a notice.
///
/// Its type is the static type of the notice, so no box is needed to replace it.
package struct RetainedValue: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private let type: Any.Type
  private let boxer: any ValueBoxing.Type

  /// Copies the new value of a notice; `nil` if the notice does not carry a new value.
  package init?(_ notice: borrowing _KVChangeNotice) {
    guard let address = notice.newAddress, let type = notice.valueType, let boxer = notice.boxer else { return nil }
    memory = boxer.copy(address)
    self.type = type
    self.boxer = boxer
  }

  deinit { boxer.free(memory) }

  /// Replaces the value by the new value of another notice.
  ///
  /// - Returns: Whether the notice carries a new value of the same type.
  @inline(__always)
  package borrowing func replace(from notice: borrowing _KVChangeNotice) -> Bool {
    guard let address = notice.newAddress, notice.valueType == type else { return false }
    boxer.replace(memory, by: address)
    return true
  }

  /// The value, erased.
  package var value: Any? { boxer.box(memory) }
}

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
