/// Records the keys of a struct, an enum or a tuple, one call a key.
///
/// ```swift
/// KVTable(Order.self) { key in
///   key("number", \.number)                                           // a native key path: read, and written if it can be
///   key("total") { $0.lines.map(\.price).reduce(0, +) }               // a closure: read-only
///   key("note", { $0.note ?? "" }, set: { $0.note = $1 })             // two closures
/// }
/// ```
///
/// A key path that is written out here is read as fast as by a closure, and written in about twice the time
/// (Docs/Decisions/0002). Only a key path makes the key known to ``KVTable/key(for:)`` and to typed paths.
public final class KVValueKeys<Root>: KVKeys<Root> {
  /// Declares a key by a native key path that can only be read: a `let`, or a computed property without a setter.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. One that is not written out at the call (a variable) is not
  ///     folded away, and slow: 65 ns a read instead of 20.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> KeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: unwritableKeyPath,
      read: { _, address, out in store(asMemory(address, Root.self).pointee[keyPath: keyPath()], in: out) },
      write: refusingWrite)
  }

  /// Declares a key by a native key path that can be written.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. One that is not written out at the call (a variable) is not
  ///     folded away, and slow: 65 ns a read instead of 20, 140 ns a write instead of 45.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> WritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "",
      read: { _, address, out in store(asMemory(address, Root.self).pointee[keyPath: keyPath()], in: out) },
      write: { _, address, value in
        asMemory(address, Root.self).pointee[keyPath: keyPath()] = asMemory(value, Value.self).move()
      })
  }

  /// Declares a read-only key by a closure.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: nil, readOnlyReason: noSetter,
      read: { _, address, out in store(get(asMemory(address, Root.self).pointee), in: out) },
      write: refusingWrite)
  }

  /// Declares a key by two closures.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value; a value type is changed in place (TAB.4).
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (inout Root, Value) -> Void
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: nil, readOnlyReason: "",
      read: { _, address, out in store(get(asMemory(address, Root.self).pointee), in: out) },
      write: { _, address, value in
        set(&asMemory(address, Root.self).pointee, asMemory(value, Value.self).move())
      })
  }
}
