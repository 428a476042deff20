// The same methods that every `KeyValueCoding` type has, for objects, which need no `mutating`: a key of the table is
// found without a lock, and a value that is read or written as its own type is never boxed.

extension KeyValueCoding where Self: AnyObject {
  /// Returns the value of a key, without optionals around it (KVC.1, KVC.4).
  ///
  /// - Parameter key: The key, which is not taken apart at dots.
  /// - Throws: ``KVError``: `undefinedKey`, `invalidTable`.
  /// - Complexity: O(1) for keys of a table; up to 2 µs where the key is reflected.
  public func value(forKey key: String) throws(KVError) -> Any? { try ObjectAccess.value(ofKey: key, of: self) }

  /// Returns the value of a key as a type (KVC.17).
  ///
  /// - Parameters:
  ///   - key: The key, which is not taken apart at dots.
  ///   - type: The type wanted; an optional one if the value may be nil. Fastest where it is the property's own.
  /// - Throws: As the untyped form, and `typeMismatch`, `numberOutOfRange` and `nilValue`.
  /// - Complexity: O(1) for keys of a table; up to 2 µs where the key is reflected.
  @inlinable
  public func value<Value>(forKey key: String, as type: Value.Type) throws(KVError) -> Value {
    try MismatchedRead.value(as: type) { memory throws(KVError) in
      try ObjectAccess.read(key, of: self, as: ObjectIdentifier(type), into: memory)
    }
  }

  /// Sets the value of a key (KVC.8).
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO. Fastest where it is of the property's own type.
  ///   - key: The key, which is not taken apart at dots.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable`, `nilValue`, `typeMismatch`, `numberOutOfRange`,
  ///   `invalidTable`, `invalidValue` if the setter throws. Nothing has changed then (KVC.14).
  @inlinable
  public func setValue<Value>(_ value: Value, forKey key: String) throws(KVError) {
    try NewValue.with(value) { value throws(KVError) in try ObjectAccess.set(value, forKey: key, of: self) }
  }

  /// Sets the value of a key (KVC.8); see the generic form, which is faster.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO, or nil.
  ///   - key: The key, which is not taken apart at dots.
  /// - Throws: As the generic form.
  public func setValue(_ value: consuming Any?, forKey key: String) throws(KVError) {
    try ObjectAccess.set(boxed: value, forKey: key, of: self)
  }

  /// Returns the value of a key path; see ``KVC/value(of:forKeyPath:)``.
  ///
  /// - Parameter path: The path, or its text.
  /// - Returns: The value, without optionals around it; nil also where a nil stands in the middle of the path.
  /// - Throws: ``KVError``, as ``KVC/value(of:forKeyPath:)``.
  @inlinable
  public func value(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> Any? {
    try ObjectAccess.value(of: self, path.keyPath())
  }

  /// Returns the value of a key path as a type; see ``KVC/value(of:forKeyPath:as:)``.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - type: The type wanted; an optional one if the value may be nil. Fastest where it is the property's own.
  /// - Returns: The value, converted by the rules of CO.
  /// - Throws: ``KVError``, as ``KVC/value(of:forKeyPath:as:)``.
  @inlinable
  public func value<Value>(
    forKeyPath path: some KVKeyPathConvertible, as type: Value.Type
  ) throws(KVError) -> Value {
    let path = try path.keyPath()
    return try MismatchedRead.value(as: type) { memory throws(KVError) in
      try ObjectAccess.read(path.storage, of: self, as: ObjectIdentifier(type), into: memory)
    }
  }

  /// Returns the value of a key path as a type, the path given as text; see ``KVC/value(of:forKeyPath:as:)``.
  ///
  /// - Parameters:
  ///   - path: The text of the path, which is parsed only when it is used first.
  ///   - type: The type wanted; an optional one if the value may be nil. Fastest where it is the property's own.
  /// - Returns: The value, converted by the rules of CO.
  /// - Throws: ``KVError``, as ``KVC/value(of:forKeyPath:as:)``.
  @inlinable
  public func value<Value>(forKeyPath path: String, as type: Value.Type) throws(KVError) -> Value {
    try MismatchedRead.value(as: type) { memory throws(KVError) in
      try ObjectAccess.read(text: path, of: self, as: ObjectIdentifier(type), into: memory)
    }
  }

  /// Sets the value of a key path that is given as text; see ``KVC/setValue(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO. Fastest where it is of the property's own type.
  ///   - path: The text of the path, which is parsed only when it is used first.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``; nothing has changed then (KVC.14).
  @inlinable
  public func setValue<Value>(_ value: Value, forKeyPath path: String) throws(KVError) {
    try NewValue.with(value) { value throws(KVError) in try ObjectAccess.set(value, text: path, of: self) }
  }

  /// Sets the value of a key path; see ``KVC/setValue(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO. Fastest where it is of the property's own type.
  ///   - path: The path, or its text.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``; nothing has changed then (KVC.14).
  @inlinable
  public func setValue<Value>(
    _ value: Value, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    let path = try path.keyPath()
    try NewValue.with(value) { value throws(KVError) in try ObjectAccess.set(value, path.storage, of: self) }
  }

  /// Sets the value of a key path; see ``KVC/setValue(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO; nil removes the entry of a dictionary.
  ///   - path: The path, or its text.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``; nothing has changed then (KVC.14).
  public func setValue(_ value: consuming Any?, forKeyPath path: some KVKeyPathConvertible) throws(KVError) {
    try ObjectAccess.set(boxed: value, path.keyPath(), of: self)
  }

  /// Sets the value of a key path unless a nil stands in the middle; see ``KVC/setValueIfResolved(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO; nil removes the entry of a dictionary.
  ///   - path: The path, or its text.
  /// - Returns: Whether the value was set.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``, but for `unresolvedPath`.
  @discardableResult
  public func setValueIfResolved(
    _ value: consuming Any?, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) -> Bool {
    try ObjectAccess.set(boxed: value, path.keyPath(), of: self, throwsIfUnresolved: false)
  }

  /// Sets the values of several keys, in the order of their names, once all of them are known to be settable (KVC.15).
  ///
  /// Keys that a hook sets, or a setter that throws, come first, since only these know whether they take their values.
  /// The call is one step of undo (UND.4).
  ///
  /// - Parameter values: The values by key.
  /// - Throws: As `setValue(_:forKey:)`. A key that does not exist, cannot be set or does not take its value fails
  ///   before anything is set.
  public func setValues(forKeys values: [String: Any?]) throws(KVError) {
    var values = try KVC.checked(values, of: self)
    try WriteGroup.perform { () throws(KVError) in
      for index in values.indices { try setValue(values[index].value.take(), forKey: values[index].key) }
    }
  }
}
