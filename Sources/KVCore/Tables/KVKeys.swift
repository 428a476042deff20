/// Records the keys of a table, one call a key.
///
/// ```swift
/// KVTable(Order.self) { key in
///   key("number", \.number)                                           // a native key path: read, and written if it can be
///   key("total") { $0.lines.map(\.price).reduce(0, +) }               // a closure: read-only
///   key("note", { $0.note ?? "" }, set: { $0.note = $1 })             // two closures
/// }
/// ```
///
/// The three spellings run equally fast: a key path that is written out here is compiled like a closure
/// (Docs/Decisions/0002). Only a key path makes the key known to ``KVTable/key(for:)`` and to typed paths.
public final class KVKeys<Root> {
  @usableFromInline let isolated: Bool
  var declarations: [KeyDeclaration] = []

  init(isolated: Bool) { self.isolated = isolated }

  /// Declares a key by a native key path that can only be read: a `let`, or a computed property without a setter.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property, written out: `\.name`.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> KeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "its key path is not writable: a \"let\", or computed without a setter",
      read: { base, out in withRoot(base, Root.self) { root in store(root[keyPath: keyPath()], in: out) } },
      write: nil)
  }

  /// Declares a key of a value type by a native key path that can be written.
  ///
  /// - Parameters: As for the read-only form.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> WritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "",
      read: { base, out in withRoot(base, Root.self) { root in store(root[keyPath: keyPath()], in: out) } },
      write: { base, value in
        withMutableRoot(base, Root.self) { root in
          root[keyPath: keyPath()] = value.assumingMemoryBound(to: Value.self).pointee
        }
      })
  }

  /// Declares a key of a class by a native key path that can be written.
  ///
  /// - Parameters: As for the read-only form.
  /// - Returns: The handle that says more about the key.
  @inlinable @inline(__always) @discardableResult
  public func callAsFunction<Value>(
    _ name: String, _ keyPath: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Value>
  ) -> KVKeyHandle<Root, Value> {
    add(
      name, keyPath: keyPath(), readOnlyReason: "",
      read: { base, out in withRoot(base, Root.self) { root in store(root[keyPath: keyPath()], in: out) } },
      write: { base, value in
        withRoot(UnsafeRawPointer(base), Root.self) { root in
          root[keyPath: keyPath()] = value.assumingMemoryBound(to: Value.self).pointee
        }
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
      name, keyPath: nil, readOnlyReason: "its table line has no setter",
      read: { base, out in withRoot(base, Root.self) { root in store(get(root), in: out) } },
      write: nil)
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
      read: { base, out in withRoot(base, Root.self) { root in store(get(root), in: out) } },
      write: { base, value in
        withMutableRoot(base, Root.self) { root in set(&root, value.assumingMemoryBound(to: Value.self).pointee) }
      })
  }

  /// Adds a line; the one place where the erased functions of an accessor come to be.
  @inlinable @inline(__always)
  func add<Value>(
    _ name: String, keyPath: AnyKeyPath?, readOnlyReason: String, read: @escaping ReadFunction, write: WriteFunction?
  ) -> KVKeyHandle<Root, Value> {
    let declaration = KeyDeclaration(
      name, value: ValueType.of(Value.self), keyPath: keyPath, readOnlyReason: readOnlyReason,
      read: isolated ? onMainActor(name, read) : read,
      write: isolated ? write.map { onMainActor(name, $0) } : write)
    append(declaration)
    return KVKeyHandle(declaration: declaration, isolated: isolated)
  }

  @usableFromInline
  func append(_ declaration: KeyDeclaration) { declarations.append(declaration) }
}
