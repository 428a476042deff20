/// The recorder of a value type's keys, one call per key.
///
/// ```swift
/// KVTable(Order.self) { key in
///   key("number", \.number)                                       // a native key path: read and, if possible, written
///   key("total") { $0.lines.map(\.price).reduce(0, +) }           // a closure: read-only
///   key("note", { $0.note ?? "" }, set: { $0.note = $1 })         // two closures
/// }
/// ```
///
/// A key path that is written out at the call reads and writes as fast as a closure (TAB.2, Docs/Decisions/0002). Only
/// keys that are declared with a key path are known to ``KVTable/key(for:)`` and to ``KVTypedKeyPath``.
public struct KVValueKeys<Root> {
  @usableFromInline let lines: KeyLines<Root>

  /// Declares a key by a read-only native key path: of a `let`, or of a computed property without a setter.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. A key path in a variable is not optimized away and is slow: a
  ///     read takes 33 ns instead of 14.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> KeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: keyPath(), readOnlyReason: lines.unwritableKeyPath,
      read: { _, address, out in readProperty(of: address, keyPath(), into: out) },
      write: lines.refusingWrite)
  }

  /// Declares a key by a writable native key path.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. A key path in a variable is not optimized away and is slow: a
  ///     read takes 33 ns instead of 14, a write 27 ns instead of 16.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> WritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: keyPath(),
      read: { _, address, out in readProperty(of: address, keyPath(), into: out) },
      write: { _, address, value in
        address.of(Root.self).pointee[keyPath: keyPath()] = value.of(Value.self).move()
      })
  }

  /// Declares a read-only key by a closure.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: nil, readOnlyReason: lines.noSetter,
      read: { _, address, out in store(get(address.of(Root.self).pointee), in: out) },
      write: lines.refusingWrite)
  }

  /// Declares a key by two closures.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value in place (TAB.4).
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (inout Root, Value) -> Void
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: nil,
      read: { _, address, out in store(get(address.of(Root.self).pointee), in: out) },
      write: { _, address, value in
        set(&address.of(Root.self).pointee, value.of(Value.self).move())
      })
  }

  /// Declares a key by a getter and a setter that throws (TAB.10).
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value in place, or throws. A write by key throws ``KVError`` with the code `invalidValue` then,
  ///     whose cause is the error, and changes nothing; a `KVError` is passed on as it is.
  /// - Returns: A handle, whose methods add to the declaration.
  @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (inout Root, Value) throws -> Void
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name,
      read: { _, address, out in store(get(address.of(Root.self).pointee), in: out) },
      throwingWrite: { owner, value in
        try set(&owner.address.of(Root.self).pointee, value.of(Value.self).pointee)
      })
  }
}

/// Initialises memory with the property of a struct in memory.
///
/// The compiler knows the offset of a stored property of a key path that is written out. The key path itself would copy
/// the whole struct, with a reference counted for each of its properties.
@inlinable @inline(__always)
func readProperty<Root, Value>(
  of root: Address, _ keyPath: @autoclosure () -> KeyPath<Root, Value>, into memory: Address
) {
  if let offset = MemoryLayout<Root>.offset(of: keyPath()) {
    store((root + offset).of(Value.self).pointee, in: memory)
  } else {
    store(root.of(Root.self).pointee[keyPath: keyPath()], in: memory)
  }
}
