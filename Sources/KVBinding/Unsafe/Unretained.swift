import KVCore

/// A value that somebody else keeps alive, lent without counting a reference.
///
/// A record for a handler would retain and release the old value, the new one and the path: six atomic operations of 5 ns
/// for each observer, three quarters of what a delivery costs. They are needless: the notice keeps the values alive and
/// the observation the path, until the handler has returned. So the record is put together in memory from the bare bits
/// (``unretainedValue(at:as:)``), handed to the handler as a borrowed value (this type cannot be copied, so none is
/// made), and the memory is left behind without being destroyed. That is sound for types whose values are their bits,
/// as nearly all are; of others (``typedSink(_:_:)`` asks) somebody has to know where they stand, such as weak
/// references. What the handler keeps of it, it copies, and that counts as always.
@usableFromInline
struct Unretained<Value>: ~Copyable {
  @usableFromInline let value: Value

  private init(_ value: Value) { self.value = value }

  /// Calls a function with the value.
  @inlinable @inline(__always)
  borrowing func pass(to function: (Value) -> Void) { function(value) }
}

/// Returns a value as it stands in memory, which goes on to own it; the result must not be destroyed.
@inlinable @inline(__always)
func unretainedValue<Value>(at address: UnsafeRawPointer, as type: Value.Type) -> Value {
  UnsafeMutableRawPointer(mutating: address).assumingMemoryBound(to: type).move()
}

/// Calls a function with a record that is made of bits; it is not destroyed.
@inlinable @inline(__always)
func withUnretainedChange<Value>(_ handler: (Value) -> Void, _ record: () -> Value) {
  withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
    let address = memory.baseAddress.unsafelyUnwrapped
    address.initialize(to: record())
    UnsafeRawPointer(address).assumingMemoryBound(to: Unretained<Value>.self).pointee.pass(to: handler)
  }
}
