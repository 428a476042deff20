import KVCore

/// A value that is passed to a function without counting a reference, because the caller retains it.
///
/// A record for a handler would retain and release the old value, the new value and the path: six atomic operations of
/// 5 ns for each observer, three quarters of the cost of a delivery. They are unnecessary, because the notice retains
/// the values, and the observation the path, until the handler has returned. The record is therefore assembled in
/// memory from the bits of the values (``unretainedValue(at:as:)``), and passed to the handler as a borrowed value.
/// This type cannot be copied, so that no copy is made. The memory is not destroyed. This is sound for bitwise-takable
/// types, as nearly all are; ``typedDelivery(_:_:)`` tests it. It is not sound for types whose values are registered by
/// address, such as weak references. A handler that stores a value copies it, and the copy is retained as usual.
@usableFromInline
struct Unretained<Value>: ~Copyable {
  @usableFromInline let value: Value

  private init(_ value: Value) { self.value = value }

  /// Calls a function with the value.
  @inlinable @inline(__always)
  borrowing func pass(to function: (Value) -> Void) { function(value) }
}

/// Returns the value in memory, which still owns it; the result must not be destroyed.
@inlinable @inline(__always)
func unretainedValue<Value>(at address: Address, as type: Value.Type) -> Value { address.of(type).move() }

/// Calls a function with a record that is assembled from bits; the record is not destroyed.
@inlinable @inline(__always)
func withUnretainedChange<Value>(_ handler: (Value) -> Void, _ record: () -> Value) {
  withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
    let address = memory.baseAddress.unsafelyUnwrapped
    address.initialize(to: record())
    UnsafeRawPointer(address).assumingMemoryBound(to: Unretained<Value>.self).pointee.pass(to: handler)
  }
}

/// Calls a function with the object of a property, if it has one, without counting a reference: the caller knows that
/// the property keeps it.
///
/// The compiler retains an object that it loads from a property of a class for as long as it is used. A pair of
/// reference counts takes 10 ns.
@inline(__always)
func withUnretained<Object: AnyObject>(_ property: @autoclosure () -> Object?, _ body: (Object) -> Void) {
  guard let reference = property().map({ _KVReference($0) }) else { return }
  reference.borrow(body)
}
