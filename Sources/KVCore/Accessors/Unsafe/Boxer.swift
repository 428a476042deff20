/// Moves, copies and boxes values of one type, at addresses.
///
/// Code that does not know the type passes the metatype of the boxer, which costs nothing.
@usableFromInline
package protocol ValueBoxing {
  associatedtype Value
  /// Whether values are boxed without unwrapping: the type is neither an optional nor `Any`.
  static var isPlain: Bool { get }
  /// The size of the values, and their alignment less one.
  static var layout: (size: Int, alignmentMask: Int) { get }
  /// Whether a box has the bits of a value, and does not refer to it.
  static var fitsBox: Bool { get }
  /// Returns the value at an address; nil for a nil optional.
  static func box(_ address: Address) -> Any?
  /// Initializes two boxes with the values at two addresses as ``box(_:)`` does, nil where there is none, and returns
  /// whether the boxes own copies; if not, they have the bits of the values, and must not be destroyed.
  static func initializeBoxes(_ first: Address?, _ second: Address?, to boxes: AddressOf<Any?>) -> Bool
  /// Returns the value at an address without unwrapping it.
  static func boxWhole(_ address: Address) -> Any
  /// Initializes memory with a value in a box, which is of the type.
  static func unbox(_ any: Any, to memory: Address)
  /// Destroys the value at an address.
  static func destroy(_ address: Address)
  /// Initializes memory with a copy of the value at an address.
  static func initialize(_ memory: Address, copyOf address: Address)
  /// Returns new memory with a copy of the value at an address.
  static func copy(_ address: Address) -> Address
  /// Replaces a value by a copy of the value at an address. The old value is released last, since that can run any
  /// code.
  static func replace(_ value: Address, by address: Address)
  /// Frees the memory that ``copy(_:)`` returned. The value is released last.
  static func free(_ value: Address)
}

/// Whether a box has the bits of values of a type: it has room for three words, and else refers to the value.
@inlinable @inline(__always)
package func isBoxed<Value>(inline type: Value.Type) -> Bool {
  MemoryLayout<Value>.size <= 3 * MemoryLayout<Int>.size && MemoryLayout<Value>.alignment <= MemoryLayout<Int>.alignment
    && _isBitwiseTakable(type)
}

/// Returns the boxer of a type.
@inlinable @inline(__always)
package func valueBoxer<Value>(of type: Value.Type) -> any ValueBoxing.Type {
  // The compiler knows the results of these comparisons where it knows the type.
  if type == String.self { return StringBoxer.self }
  if type == Int.self { return IntBoxer.self }
  if type == Double.self { return DoubleBoxer.self }
  if type == Bool.self { return BoolBoxer.self }
  return Boxer<Value>.self
}

// The boxers of common types, whose functions are compiled for the type. Those of `Boxer` ask the type how to move its
// values.

@usableFromInline
package enum StringBoxer: ValueBoxing {
  @usableFromInline package typealias Value = String
  @usableFromInline package static var isPlain: Bool { true }
}

@usableFromInline
package enum IntBoxer: ValueBoxing {
  @usableFromInline package typealias Value = Int
  @usableFromInline package static var isPlain: Bool { true }
}

@usableFromInline
package enum DoubleBoxer: ValueBoxing {
  @usableFromInline package typealias Value = Double
  @usableFromInline package static var isPlain: Bool { true }
}

@usableFromInline
package enum BoolBoxer: ValueBoxing {
  @usableFromInline package typealias Value = Bool
  @usableFromInline package static var isPlain: Bool { true }
}

/// The boxer of any other type.
@usableFromInline
package enum Boxer<Value>: ValueBoxing {
  @usableFromInline
  package static var isPlain: Bool { TypeTraits.isPlain(Value.self) }
}

// The functions of all boxers. They are inlined where a boxer conforms.
extension ValueBoxing {
  @usableFromInline @inline(__always)
  package static var layout: (size: Int, alignmentMask: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment - 1)
  }

  @usableFromInline @inline(__always)
  package static var fitsBox: Bool { isBoxed(inline: Value.self) }

  @inlinable @inline(__always)
  package static func box(_ address: Address) -> Any? {
    if Value.self == Any?.self { return address.of(Any?.self).pointee }
    let address = address.of(Value.self)
    return isPlain ? address.pointee : TypeTraits.box(wrapped: address.pointee)
  }

  @usableFromInline @inline(__always)
  package static func initializeBoxes(_ first: Address?, _ second: Address?, to boxes: AddressOf<Any?>) -> Bool {
    let isBorrowed = Value.self == Any?.self || fitsBox && isPlain
    initialize(boxes, first, isBorrowed)
    initialize(boxes + 1, second, isBorrowed)
    return !isBorrowed
  }

  @inline(__always)
  private static func initialize(_ box: AddressOf<Any?>, _ address: Address?, _ isBorrowed: Bool) {
    guard let address else { return box.initialize(to: nil) }
    if !isBorrowed {
      box.initialize(to: self.box(address))
    } else if Value.self == Any?.self {
      box.initialize(to: address.of(Any?.self).move())
    } else {
      box.initialize(to: address.of(Value.self).move())
    }
  }

  @inlinable @inline(__always)
  package static func boxWhole(_ address: Address) -> Any {
    address.of(Value.self).pointee
  }

  @usableFromInline @inline(__always)
  package static func unbox(_ any: Any, to memory: Address) {
    // Without an optional of the type, whose metadata the runtime would have to find.
    func move<Boxed>(_ value: Boxed) -> Bool {
      guard Boxed.self == Value.self else { return false }
      memory.initialize(as: Boxed.self, to: value)
      return true
    }
    if !_openExistential(any, do: move) { unboxGeneral(any, to: memory) }
  }

  @inline(never)
  private static func unboxGeneral(_ any: Any, to memory: Address) {
    guard let value = any as? Value else {
      preconditionFailure("a value of type \(type(of: any)) is not \(withArticle(Value.self))")
    }
    memory.initialize(as: Value.self, to: value)
  }

  @inlinable @inline(__always)
  package static func destroy(_ address: Address) {
    // Half the time of `deinitialize(count: 1)`, which destroys arrays.
    _ = address.of(Value.self).move()
  }

  @usableFromInline @inline(__always)
  package static func initialize(_ memory: Address, copyOf address: Address) {
    memory.initialize(as: Value.self, to: address.of(Value.self).pointee)
  }

  @usableFromInline @inline(__always)
  package static func copy(_ address: Address) -> Address {
    let memory = Address(AddressOf<Value>.allocate(capacity: 1))
    initialize(memory, copyOf: address)
    return memory
  }

  @usableFromInline @inline(__always)
  package static func replace(_ value: Address, by address: Address) {
    let memory = value.of(Value.self)
    let old = memory.move()
    memory.initialize(to: address.of(Value.self).pointee)
    withExtendedLifetime(old) {}
  }

  @usableFromInline @inline(__always)
  package static func free(_ value: Address) {
    let memory = value.of(Value.self)
    let last = memory.move()
    memory.deallocate()
    withExtendedLifetime(last) {}
  }
}

extension AddressOf where Value == Any? {
  /// The type as which the value in a box was boxed; nil for nil.
  ///
  /// A box has three words for the value or a reference to it, and then the type. For an object that is the type of the
  /// reference, of which the object's own may be a subclass.
  package var boxedType: ObjectIdentifier? {
    (Address(self) + 3 * MemoryLayout<Int>.size).load(as: ObjectIdentifier?.self)
  }

  /// Calls a function with a copy of the box.
  ///
  /// A box that is no optional is copied and destroyed here; the compiler leaves an optional one to the runtime, which takes
  /// five times the instructions.
  @inline(__always)
  func withCopy(_ body: (AddressOf) -> Void) {
    withMemory(of: Any?.self) { copy in
      if boxedType == nil {
        copy.initialize(to: nil)
      } else {
        Address(copy).initialize(as: Any.self, to: Address(self).of(Any.self).pointee)
      }
      body(copy)
      if copy.boxedType != nil { _ = Address(copy).of(Any.self).move() }
    }
  }

  /// Moves the value, which is of a type, out of the box; the box has nil then.
  @inline(__always)
  func take<Boxed>(_ type: Boxed.Type) -> Boxed {
    guard isBoxed(inline: type) else { return takeLarge(type) }
    let value = Address(self).of(type).move()
    initialize(to: nil)
    return value
  }

  // The type of the optional is only looked up here.
  @inline(never)
  private func takeLarge<Boxed>(_ type: Boxed.Type) -> Boxed {
    guard let value = pointee.flatMap({ exactCast($0, type) }) else { preconditionFailure("the box has no \(type)") }
    pointee = nil
    return value
  }
}
