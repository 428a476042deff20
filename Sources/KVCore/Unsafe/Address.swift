/// The address of a value whose type the code around it knows.
///
/// The caller that passes an address guarantees that the memory stays during the call, is aligned for the value, and has one, or
/// room for one where the function says that it initialises memory. The type is that of the accessor, the boxer or the
/// notice with which the address is passed.
#if compiler(>=6.2)
  @safe
#endif
@frozen @usableFromInline
package struct Address: BitwiseCopyable {
  @usableFromInline let raw: UnsafeMutableRawPointer

  @usableFromInline @_transparent
  init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }

  /// An address of which is only read if the pointer was not mutable.
  @usableFromInline @_transparent
  init(_ raw: UnsafeRawPointer) { self.raw = UnsafeMutableRawPointer(mutating: raw) }

  /// The address of a value of a known type.
  @usableFromInline @_transparent
  init<Value>(_ pointer: UnsafeMutablePointer<Value>) { raw = UnsafeMutableRawPointer(pointer) }

  /// The address of a value of a known type, of which is only read.
  @usableFromInline @_transparent
  init<Value>(_ pointer: UnsafePointer<Value>) { raw = UnsafeMutableRawPointer(mutating: pointer) }

  /// The address of a value of a known type.
  @usableFromInline @_transparent
  package init<Value>(_ address: AddressOf<Value>) { raw = UnsafeMutableRawPointer(address.pointer) }

  /// Returns the address as that of a type.
  @usableFromInline @_transparent
  package func of<Value>(_ type: Value.Type) -> AddressOf<Value> { AddressOf(raw.assumingMemoryBound(to: type)) }

  /// Returns the value in the memory as one of a type, which need not be its own: of the same bits.
  @usableFromInline @_transparent
  package func load<Value>(as type: Value.Type) -> Value { raw.load(as: type) }

  /// Initialises the memory with a value.
  @usableFromInline @_transparent
  package func initialize<Value>(as type: Value.Type, to value: consuming Value) {
    _ = raw.initializeMemory(as: type, to: value)
  }

  @usableFromInline @_transparent
  package static func + (address: Address, count: Int) -> Address { Address(address.raw + count) }
}

/// The address of one or several values of a type; what ``Address`` says holds for it, too.
#if compiler(>=6.2)
  @safe
#endif
@frozen @usableFromInline
package struct AddressOf<Value: ~Copyable>: BitwiseCopyable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @usableFromInline @_transparent
  package init(_ pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

  @usableFromInline @_transparent
  package init(_ pointer: UnsafePointer<Value>) { self.pointer = UnsafeMutablePointer(mutating: pointer) }

  /// The value.
  @inlinable @inline(__always)
  package var pointee: Value {
    unsafeAddress { UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { pointer }
  }

  /// The value at an index.
  @inlinable @inline(__always)
  package subscript(index: Int) -> Value {
    unsafeAddress { UnsafePointer(pointer + index) }
    nonmutating unsafeMutableAddress { pointer + index }
  }

  /// The address as a number, to compare it.
  @usableFromInline @_transparent
  package var number: UInt { UInt(bitPattern: pointer) }

  @usableFromInline @_transparent
  package static func + (address: AddressOf, count: Int) -> AddressOf { AddressOf(address.pointer + count) }

  /// Initialises the memory with a value.
  @usableFromInline @_transparent
  package func initialize(to value: consuming Value) { pointer.initialize(to: value) }

  /// Returns new uninitialised memory for values.
  @usableFromInline @_transparent
  package static func allocate(capacity: Int) -> AddressOf { AddressOf(.allocate(capacity: capacity)) }

  /// Destroys values.
  @usableFromInline @_transparent
  package func deinitialize(count: Int) { pointer.deinitialize(count: count) }

  /// Frees memory that ``allocate(capacity:)`` returned.
  @usableFromInline @_transparent
  package func deallocate() { pointer.deallocate() }

  /// Returns the value, and leaves its memory uninitialised.
  @usableFromInline @_transparent
  package func move() -> Value { pointer.move() }
}

// MARK: Memory of values

/// Calls a function with the address of a value, which must not be changed.
@usableFromInline @_transparent
package func withAddress<Value, Result, Refusal: Error>(
  of value: borrowing Value, _ body: (AddressOf<Value>) throws(Refusal) -> Result
) throws(Refusal) -> Result {
  try withUnsafePointer(to: value) { pointer throws(Refusal) in try body(AddressOf(pointer)) }
}

/// Calls a function with the address of a variable.
@usableFromInline @_transparent
package func withAddress<Value, Result, Refusal: Error>(
  of value: inout Value, _ body: (AddressOf<Value>) throws(Refusal) -> Result
) throws(Refusal) -> Result {
  try withUnsafeMutablePointer(to: &value) { pointer throws(Refusal) in try body(AddressOf(pointer)) }
}

/// Calls a function with uninitialised memory of a size and an alignment, which it leaves uninitialised.
@usableFromInline @_transparent
package func withMemory<Result, Refusal: Error>(
  size: Int, alignmentMask: Int, _ body: (Address) throws(Refusal) -> Result
) throws(Refusal) -> Result {
  try withUnsafeTemporaryAllocation(byteCount: size, alignment: alignmentMask + 1) { buffer throws(Refusal) in
    try body(Address(buffer.baseAddress.unsafelyUnwrapped))
  }
}

/// Calls a function with uninitialised memory for a value, which it leaves uninitialised.
@usableFromInline @_transparent
package func withMemory<Value, Result, Refusal: Error>(
  of type: Value.Type, _ body: (AddressOf<Value>) throws(Refusal) -> Result
) throws(Refusal) -> Result {
  try withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer throws(Refusal) in
    try body(AddressOf(buffer.baseAddress.unsafelyUnwrapped))
  }
}
