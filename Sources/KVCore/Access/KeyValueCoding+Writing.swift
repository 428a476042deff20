extension KeyValueCoding {
  /// Sets the value of a key (KVC.8).
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO.
  ///   - key: The key, which is not taken apart at dots.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable`, `nilValue`, `typeMismatch`, `numberOutOfRange`,
  ///   `invalidTable`, `invalidValue` if the setter throws. Nothing has changed then (KVC.14).
  public mutating func setValue(_ value: Any?, forKey key: String) throws(KVError) {
    if let info = TypeInfo.ofStructs(Self.self) {
      let isSet = try withAddress(of: &self) { address throws(KVError) in
        try info.set(value, forKey: key, at: Address(address))
      }
      if isSet { return }
    }
    _ = try KVC.set(value, KVKeyPath(singleKey: key), in: &self, throwsIfUnresolved: true)
  }

  /// Sets the value of a key (KVC.8), in place where the table has it and it is of the property's own type.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, which is not taken apart at dots.
  /// - Throws: As the untyped form.
  @inlinable
  public mutating func setValue<Value>(_ value: Value, forKey key: String) throws(KVError) {
    if let accessor = TypeInfo.accessor(ofValueType: Self.self, key),
      accessor.borrow({ $0.accepts(ObjectIdentifier(Value.self)) })
    {
      withAddress(of: &self) { address in
        accessor.borrow { $0.writeTyped(value, to: $0, Address(address)) }
      }
    } else {
      try setValue(value as Any?, forKey: key)
    }
  }

  /// Sets the value of a key path; see ``KVC/setValue(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO; nil removes the entry of a dictionary.
  ///   - path: The path, or its text.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``; nothing has changed then (KVC.14).
  public mutating func setValue(_ value: Any?, forKeyPath path: some KVKeyPathConvertible) throws(KVError) {
    try KVC.setValue(value, forKeyPath: path, in: &self)
  }

  /// Sets the value of a key path unless a nil stands in the middle; see ``KVC/setValueIfResolved(_:forKeyPath:in:)``.
  ///
  /// - Parameters:
  ///   - value: The value, which is made to fit by the rules of CO; nil removes the entry of a dictionary.
  ///   - path: The path, or its text.
  /// - Returns: Whether the value was set.
  /// - Throws: ``KVError``, as ``KVC/setValue(_:forKeyPath:in:)``, but for `unresolvedPath`.
  @discardableResult
  public mutating func setValueIfResolved(
    _ value: Any?, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) -> Bool {
    try KVC.setValueIfResolved(value, forKeyPath: path, in: &self)
  }

  /// Sets the values of several keys, in the order of their names, once all of them are known to be settable (KVC.15).
  ///
  /// Keys that a hook sets, or a setter that throws, come first, since only these know whether they take their values.
  ///
  /// - Parameter values: The values by key.
  /// - Throws: As `setValue(_:forKey:)`. A key that does not exist, cannot be set or does not take its value fails
  ///   before anything is set.
  public mutating func setValues(forKeys values: [String: Any?]) throws(KVError) {
    for (key, value) in try KVC.checked(values, of: self) { try setValue(value, forKey: key) }
  }
}

extension KVKeyPath {
  /// A path of one component that is any text at all: a key that is given as such is not parsed.
  package init(singleKey key: String) { self.init(storage: Storage([.key(key)])) }

  /// A path of one key that `KVC.keys(of:)` lists: that of a record may begin with "@", which no other key can.
  package init(listedKey key: String) {
    self.init(storage: Storage([key.utf8.first == UInt8(ascii: "@") ? .entry(key) : .key(key)]))
  }
}

extension KVC {
  /// Checks that all keys can be set to their values, before any is.
  ///
  /// - Returns: The keys in the order to set them: those that a hook or a setter that throws answers, which may still
  ///   refuse, and the others.
  ///   Values are converted once, since a conversion may create objects.
  static func checked(_ values: [String: Any?], of owner: Any) throws(KVError) -> [(key: String, value: Any?)] {
    let info = TypeInfo.of(owner)
    var entries = Array(values)
    if entries.count > 1 { entries.sort { $0.key < $1.key } }
    var hooked: Set<Int> = []
    for index in entries.indices {
      let key = entries[index].key
      let type = withAddress(of: &entries[index].value) { $0.boxedType }
      if let accessor = info.unmanagedAccessor(key),
        accessor.borrow({ $0.flags.contains(.isWritable) && $0.valueID == type })
      {
        continue
      }
      if try check(key, &entries[index].value, of: owner, info) { hooked.insert(index) }
    }
    if hooked.isEmpty { return entries }
    let order = entries.indices.filter(hooked.contains) + entries.indices.filter { !hooked.contains($0) }
    return order.map { entries[$0] }
  }

  /// Checks that a key can be set to a value, and converts the value; returns whether a hook or a setter decides.
  @inline(never)
  private static func check(
    _ key: String, _ value: inout Any?, of owner: Any, _ info: TypeInfo
  ) throws(KVError) -> Bool {
    let given = value.flatMap(unwrappingOptionals)
    value = given
    let isHooked = try KVError.locating(key, of: info.type) { () throws(KVError) -> Bool in
      try Failure.checkNoOperator(key, of: owner)
      guard let given, let accessor = try info.accessor(key), accessor.isSettable else {
        return try Writer.check(given, forKey: key, of: owner, info)
      }
      let converted = try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) in
        try accessor.value.converted(given, accessor.declaration.coercion)
      }
      value = unwrappingOptionals(converted)
      return !accessor.flags.contains(.isWritable)
    }
    return isHooked
  }
}
