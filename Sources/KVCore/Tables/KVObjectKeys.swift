/// Records the keys of a class, one call a key.
///
/// ```swift
/// super.keyTable.extended(for: Order.self) { key in
///   key("number", \.number)                                // a native key path: read, and written if it can be
///   key("total") { $0.lines.map(\.price).reduce(0, +) }    // a closure: read-only
///   key("note", { $0.note ?? "" }, set: { $0.note = $1 })  // two closures
/// }
/// ```
///
/// A key path that is written out here is read as fast as by a closure, and written in about twice the time
/// (Docs/Decisions/0002). Only a key path makes the key known to ``KVTable/key(for:)`` and to typed paths.
public final class KVObjectKeys<Root: AnyObject>: KVKeys<Root> {
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
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
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
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "",
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in
        asObject(object, Root.self)[keyPath: keyPath()] = asMemory(value, Value.self).move()
      })
  }

  /// Declares an array key by a native key path that can be written.
  ///
  /// Views of the key edit the array where it is stored, if the property is a stored one (Docs/Decisions/0009).
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.items`.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Element>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, [Element]>
  ) -> KVKeyHandle<Root, [Element]> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "",
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in
        asObject(object, Root.self)[keyPath: keyPath()] = asMemory(value, [Element].self).move()
      },
      modify: { object, edit in
        withUnsafeMutablePointer(to: &asObject(object, Root.self)[keyPath: keyPath()]) { edit($0) }
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
      read: { object, _, out in store(get(asObject(object, Root.self)), in: out) },
      write: refusingWrite)
  }

  /// Declares a key by two closures.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (Root, __owned Value) -> Void
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: nil, readOnlyReason: "",
      read: { object, _, out in store(get(asObject(object, Root.self)), in: out) },
      write: { object, _, value in
        set(asObject(object, Root.self), asMemory(value, Value.self).move())
      })
  }
}
