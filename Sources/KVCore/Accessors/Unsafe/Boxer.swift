/// Moves, copies and boxes values of one type, at addresses.
///
/// Code that does not know the type passes the metatype of the boxer, which costs nothing.
@usableFromInline
package protocol ValueBoxing {
  /// The size of the values, and their alignment less one.
  static var layout: (size: Int, alignmentMask: Int) { get }
  /// Returns the value at an address; nil for a nil optional.
  static func box(_ address: Address) -> Any?
  /// Initializes a box with the value at an address as ``box(_:)`` does, and returns whether the box owns a copy; if not,
  /// it has the bits of the value, and must not be destroyed.
  static func lend(_ address: Address, to box: AddressOf<Any?>) -> Bool
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

/// The boxer of a type.
@usableFromInline
package enum Boxer<Value>: ValueBoxing {
  @usableFromInline
  package static var layout: (size: Int, alignmentMask: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment - 1)
  }

  @inlinable
  package static func box(_ address: Address) -> Any? {
    if Value.self == Any?.self { return address.of(Any?.self).pointee }
    let address = address.of(Value.self)
    return TypeTraits.isPlain(Value.self) ? address.pointee : TypeTraits.box(wrapped: address.pointee)
  }

  @usableFromInline
  package static func lend(_ address: Address, to box: AddressOf<Any?>) -> Bool {
    if Value.self == Any?.self {
      box.initialize(to: address.of(Any?.self).move())
      return false
    }
    // A box of an `Any` has room for three words.
    guard MemoryLayout<Value>.size <= 3 * MemoryLayout<Int>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Int>.alignment, _isBitwiseTakable(Value.self),
      TypeTraits.isPlain(Value.self)
    else {
      box.initialize(to: self.box(address))
      return true
    }
    box.initialize(to: address.of(Value.self).move())
    return false
  }

  @inlinable
  package static func boxWhole(_ address: Address) -> Any {
    address.of(Value.self).pointee
  }

  @usableFromInline
  package static func unbox(_ any: Any, to memory: Address) {
    // Without an optional of the type, whose metadata the runtime would have to find.
    func move<Boxed>(_ value: Boxed) -> Bool {
      guard Boxed.self == Value.self else { return false }
      memory.initialize(as: Boxed.self, to: value)
      return true
    }
    if !_openExistential(any, do: move) { unboxSlowly(any, to: memory) }
  }

  @inline(never)
  private static func unboxSlowly(_ any: Any, to memory: Address) {
    guard let value = any as? Value else {
      preconditionFailure("a value of type \(type(of: any)) is no \(Value.self)")
    }
    memory.initialize(as: Value.self, to: value)
  }

  @inlinable
  package static func destroy(_ address: Address) {
    // Half the time of `deinitialize(count: 1)`, which destroys arrays.
    _ = address.of(Value.self).move()
  }

  @usableFromInline
  package static func initialize(_ memory: Address, copyOf address: Address) {
    memory.initialize(as: Value.self, to: address.of(Value.self).pointee)
  }

  @usableFromInline
  package static func copy(_ address: Address) -> Address {
    let memory = Address(AddressOf<Value>.allocate(capacity: 1))
    initialize(memory, copyOf: address)
    return memory
  }

  @usableFromInline
  package static func replace(_ value: Address, by address: Address) {
    let memory = value.of(Value.self)
    let old = memory.move()
    memory.initialize(to: address.of(Value.self).pointee)
    withExtendedLifetime(old) {}
  }

  @usableFromInline
  package static func free(_ value: Address) {
    let memory = value.of(Value.self)
    let last = memory.move()
    memory.deallocate()
    withExtendedLifetime(last) {}
  }
}
