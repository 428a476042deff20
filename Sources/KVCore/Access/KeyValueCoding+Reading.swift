extension KeyValueCoding {
  /// Returns the value of a key, without optionals around it (KVC.1, KVC.4).
  ///
  /// - Parameter key: The key, which is not taken apart at dots.
  /// - Throws: ``KVError``: `undefinedKey`, `invalidTable`.
  /// - Complexity: O(1) for keys of a table; up to 2 µs where the key is reflected.
  @inlinable
  public func value(forKey key: String) throws(KVError) -> Any? {
    if let accessor = TypeInfo.accessor(ofValueType: Self.self, key) {
      return withAddress(of: self) { address in accessor.borrow { $0.readAny(at: Address(address)) } }
    }
    return try unlistedValue(forKey: key)
  }

  @usableFromInline @inline(never)
  func unlistedValue(forKey key: String) throws(KVError) -> Any? {
    try KVError.locating(key, of: type(of: self)) { () throws(KVError) in
      try Reader.value(ofKey: key, in: self)
    }
  }

  /// Returns the value of a key as a type (KVC.17).
  ///
  /// - Parameters:
  ///   - key: The key, which is not taken apart at dots.
  ///   - type: The type wanted; an optional one if the value may be nil.
  /// - Throws: As the untyped form, and `typeMismatch`, `numberOutOfRange` and `nilValue`.
  @inlinable
  public func value<Value>(forKey key: String, as type: Value.Type) throws(KVError) -> Value {
    if let accessor = TypeInfo.accessor(ofValueType: Self.self, key),
      accessor.borrow({ $0.valueID == ObjectIdentifier(type) })
    {
      return withAddress(of: self) { address in
        accessor.borrow { $0.readTyped($0, Address(address), as: type) }
      }
    }
    let value = try value(forKey: key)
    if let value, let value = exactCast(value, type) { return value }
    return try MismatchedRead(value, key, self).converted(to: type)
  }

  /// Returns the value of a key path; see ``KVC/value(of:forKeyPath:)``.
  ///
  /// - Parameter path: The path, or its text.
  /// - Returns: The value, without optionals around it; nil also where a nil stands in the middle of the path.
  /// - Throws: ``KVError``, as ``KVC/value(of:forKeyPath:)``.
  @inlinable
  public func value(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> Any? {
    let path = try path.keyPath()
    guard let info = TypeInfo.ofStructs(Self.self) else { return try KVC.value(of: self, forKeyPath: path) }
    return try withAddress(of: self) { address throws(KVError) in try info.value(path, at: Address(address)) }
  }

  /// Returns the value of a key path as a type; see ``KVC/value(of:forKeyPath:as:)``.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - type: The type wanted; an optional one if the value may be nil.
  /// - Returns: The value, converted by the rules of CO.
  /// - Throws: ``KVError``, as ``KVC/value(of:forKeyPath:as:)``.
  @inlinable
  public func value<Value>(
    forKeyPath path: some KVKeyPathConvertible, as type: Value.Type
  ) throws(KVError) -> Value {
    let path = try path.keyPath()
    guard let info = TypeInfo.ofStructs(Self.self) else {
      return try KVC.value(of: self, forKeyPath: path, as: type)
    }
    return try MismatchedRead.value(as: type) { memory throws(KVError) in
      try withAddress(of: self) { address throws(KVError) in
        try info.read(path, at: Address(address), as: ObjectIdentifier(type), into: memory)
      }
    }
  }

  /// Returns the values of several keys; a nil value stays nil (KVC.15).
  ///
  /// - Parameter keys: The keys; each must exist.
  /// - Throws: As `value(forKey:)`, for the first key that fails.
  public func dictionaryWithValues(forKeys keys: [String]) throws(KVError) -> [String: Any?] {
    var result: [String: Any?] = [:]
    for key in keys { result.updateValue(try value(forKey: key), forKey: key) }
    return result
  }

  /// Asks the validator of a key path about a value; see ``KVC/validate(_:forKeyPath:of:)``.
  ///
  /// - Parameters:
  ///   - value: The value that is to be set.
  ///   - path: The path, or its text.
  /// - Returns: `.valid`, or `.replaced(with:)` and the value to set instead.
  /// - Throws: ``KVError``: `invalidValue` if the validator refused; else as ``KVC/validate(_:forKeyPath:of:)``.
  public func validate(_ value: Any?, forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVValidation {
    try KVC.validate(value, forKeyPath: path, of: self)
  }
}
