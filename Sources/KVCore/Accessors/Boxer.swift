/// Moves, copies and boxes values of one type, at addresses.
///
/// Code that does not know the type passes the metatype of the boxer, which costs nothing.
@usableFromInline
package protocol ValueBoxing {
  /// The size of the values, and their alignment less one.
  static var layout: (size: Int, alignmentMask: Int) { get }
  /// Returns the value at an address; nil for a nil optional.
  static func box(_ address: UnsafeRawPointer) -> Any?
  /// Initializes a box with the value at an address as ``box(_:)`` does, and returns whether the box owns a copy; if not,
  /// it has the bits of the value, and must not be destroyed.
  static func lend(_ address: UnsafeRawPointer, to box: UnsafeMutablePointer<Any?>) -> Bool
  /// Returns the value at an address without unwrapping it.
  static func boxWhole(_ address: UnsafeRawPointer) -> Any
  /// Initializes memory with a value in a box, which is of the type.
  static func unbox(_ any: Any, to memory: UnsafeMutableRawPointer)
  /// Destroys the value at an address.
  static func destroy(_ address: UnsafeMutableRawPointer)
  /// Initializes memory with a copy of the value at an address.
  static func initialize(_ memory: UnsafeMutableRawPointer, copyOf address: UnsafeRawPointer)
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
  @usableFromInline
  package static var layout: (size: Int, alignmentMask: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment - 1)
  }

  @inlinable
  package static func box(_ address: UnsafeRawPointer) -> Any? {
    if Value.self == Any?.self { return address.assumingMemoryBound(to: Any?.self).pointee }
    let address = address.assumingMemoryBound(to: Value.self)
    return TypeTraits.isPlain(Value.self) ? address.pointee : TypeTraits.box(wrapped: address.pointee)
  }

  @usableFromInline
  package static func lend(_ address: UnsafeRawPointer, to box: UnsafeMutablePointer<Any?>) -> Bool {
    let lent = UnsafeMutableRawPointer(mutating: address)
    if Value.self == Any?.self {
      box.initialize(to: lent.assumingMemoryBound(to: Any?.self).move())
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
    box.initialize(to: lent.assumingMemoryBound(to: Value.self).move())
    return false
  }

  @inlinable
  package static func boxWhole(_ address: UnsafeRawPointer) -> Any {
    address.assumingMemoryBound(to: Value.self).pointee
  }

  @usableFromInline
  package static func unbox(_ any: Any, to memory: UnsafeMutableRawPointer) {
    // Without an optional of the type, whose metadata the runtime would have to find.
    func move<Boxed>(_ value: Boxed) -> Bool {
      guard Boxed.self == Value.self else { return false }
      memory.initializeMemory(as: Boxed.self, to: value)
      return true
    }
    if !_openExistential(any, do: move) { unboxSlowly(any, to: memory) }
  }

  @inline(never)
  private static func unboxSlowly(_ any: Any, to memory: UnsafeMutableRawPointer) {
    guard let value = any as? Value else {
      preconditionFailure("a value of type \(type(of: any)) is no \(Value.self)")
    }
    memory.initializeMemory(as: Value.self, to: value)
  }

  @inlinable
  package static func destroy(_ address: UnsafeMutableRawPointer) {
    // Half the time of `deinitialize(count: 1)`, which destroys arrays.
    _ = address.assumingMemoryBound(to: Value.self).move()
  }

  @usableFromInline
  package static func initialize(_ memory: UnsafeMutableRawPointer, copyOf address: UnsafeRawPointer) {
    memory.initializeMemory(as: Value.self, to: address.assumingMemoryBound(to: Value.self).pointee)
  }

  @usableFromInline
  package static func copy(_ address: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: 1))
    initialize(memory, copyOf: address)
    return memory
  }

  @usableFromInline
  package static func replace(_ value: UnsafeMutableRawPointer, by address: UnsafeRawPointer) {
    let memory = value.assumingMemoryBound(to: Value.self)
    let old = memory.move()
    memory.initialize(to: address.assumingMemoryBound(to: Value.self).pointee)
    withExtendedLifetime(old) {}
  }

  @usableFromInline
  package static func free(_ value: UnsafeMutableRawPointer) {
    let memory = value.assumingMemoryBound(to: Value.self)
    let last = memory.move()
    memory.deallocate()
    withExtendedLifetime(last) {}
  }
}
