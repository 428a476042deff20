/// The recorder of a class's keys, one call per key.
///
/// ```swift
/// super.keyTable.extended(for: Order.self) { key in
///   key("number", \.number)                                // a native key path: read and, if possible, written
///   key("total") { $0.lines.map(\.price).reduce(0, +) }    // a closure: read-only
///   key("note", { $0.note ?? "" }, set: { $0.note = $1 })  // two closures
/// }
/// ```
///
/// A key path that is written out at the call reads as fast as a closure, and writes in about twice the time (TAB.2,
/// Docs/Decisions/0002). Only keys that are declared with a key path are known to ``KVTable/key(for:)`` and to
/// ``KVTypedKeyPath``.
public struct KVObjectKeys<Root: AnyObject> {
  @usableFromInline let lines: KeyLines<Root>

  /// Says which properties notify of their changes themselves, with or without a line.
  ///
  /// It is not API: the code that ``KVModel(_:)`` generates calls it.
  public func _notify(_ keys: _KVKeys) { notify(keys.names) }

  /// Says the same of some of the properties: the others are compiled under conditions.
  public func _notify(_ names: String...) { notify(names) }

  private func notify(_ names: [String]) {
    lines.notifying.formUnion(names)
    lines.areGenerated = true
  }

  /// Declares a key by a read-only native key path: of a `let`, or of a computed property without a setter.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. A key path in a variable is not optimized away and is slow: a
  ///     read takes 65 ns instead of 20.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> KeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: keyPath(), readOnlyReason: lines.unwritableKeyPath,
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: lines.refusingWrite)
  }

  /// Declares a key by a writable native key path.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`. A key path in a variable is not optimized away and is slow: a
  ///     read takes 65 ns instead of 20, a write 140 ns instead of 45.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: keyPath(),
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in
        asObject(object, Root.self)[keyPath: keyPath()] = value.of(Value.self).move()
      })
  }

  /// Declares an array key by a writable native key path.
  ///
  /// Collection views of the key edit the array in place if the property is stored (COL.2, Docs/Decisions/0009).
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.items`.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Element>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, [Element]>
  ) -> KVKeyHandle<Root, [Element]> {
    lines.add(
      name, keyPath: keyPath(),
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in
        asObject(object, Root.self)[keyPath: keyPath()] = value.of([Element].self).move()
      },
      modify: { object, edit in
        withAddress(of: &asObject(object, Root.self)[keyPath: keyPath()]) { edit(Address($0)) }
      })
  }

  /// Declares a key of a model by a key path and a setter.
  ///
  /// It is not API: the code that ``KVModel(_:)`` generates calls it. The compiler retains the object and the value around
  /// an assignment through a key path, and not around one in a closure (Docs/Decisions/0002).
  ///
  /// - Parameter keepsValues: Whether the property has any value that is set, so that a binding need not read it again.
  @inlinable @inline(__always) @discardableResult
  public func _stored<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Value>,
    keepsValues: Bool = false, _ set: @escaping (Root, __owned Value) -> Void
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: keyPath(), keepsValues: keepsValues,
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in set(asObject(object, Root.self), value.of(Value.self).move()) })
  }

  /// Declares an array key of a model, whose accessors change it in place.
  ///
  /// It is not API: the code that ``KVModel(_:)`` generates calls it. A key path to a computed property would not change
  /// the array in place where the program is not optimized.
  @inlinable @inline(__always) @discardableResult
  public func _array<Element>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, [Element]>,
    _ modify: @escaping (Root, (inout [Element]) -> Void) -> Void
  ) -> KVKeyHandle<Root, [Element]> {
    lines.add(
      name, keyPath: keyPath(),
      read: { object, _, out in store(asObject(object, Root.self)[keyPath: keyPath()], in: out) },
      write: { object, _, value in
        asObject(object, Root.self)[keyPath: keyPath()] = value.of([Element].self).move()
      }
    ).inPlace(modify)
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
      read: { object, _, out in store(get(asObject(object, Root.self)), in: out) },
      write: lines.refusingWrite)
  }

  /// Declares a key by two closures.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value.
  /// - Returns: A handle, whose methods add to the declaration.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (Root, __owned Value) -> Void
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name, keyPath: nil,
      read: { object, _, out in store(get(asObject(object, Root.self)), in: out) },
      write: { object, _, value in
        set(asObject(object, Root.self), value.of(Value.self).move())
      })
  }

  /// Declares a key by a getter and a setter that throws (TAB.10).
  ///
  /// The value is not stored unboxed, as by a setter that does not throw: a write takes the time of one that converts.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - get: Returns the value.
  ///   - set: Stores a value, or throws and changes nothing. A write by key throws ``KVError`` with the code
  ///     `invalidValue` then, whose cause is the error; a `KVError` is passed on as it is.
  /// - Returns: A handle, whose methods add to the declaration.
  @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ get: @escaping (Root) -> Value, set: @escaping (Root, Value) throws -> Void
  ) -> KVKeyHandle<Root, Value> {
    lines.add(
      name,
      read: { object, _, out in store(get(asObject(object, Root.self)), in: out) },
      throwingWrite: { owner, value in
        try set(asObject(owner.object, Root.self), value.of(Value.self).pointee)
      })
  }
}
