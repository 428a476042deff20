extension Writer {
  /// Sets a key of something that is not an array or a set.
  static func set(_ value: Any?, forKey key: String, of owner: Any, _ info: TypeInfo) throws(KVError) -> Any? {
    guard WriteLog.isActive, info.isObject, info.kind != .record, let log = WriteLog.current else {
      return try setUnlogged(value, forKey: key, of: owner, info)
    }
    let name = try info.accessor(key)?.key.name ?? key
    if log.hasLogged(name, of: object(in: owner)) { return try setUnlogged(value, forKey: key, of: owner, info) }
    // A key that cannot be read cannot be restored, and in most cases cannot be set.
    let old = (try? Reader.value(ofEntry: key, in: owner)) ?? nil
    let undo = { () throws(KVError) in _ = try setUnlogged(old, forKey: key, of: owner, info) }
    return try log.log(name, of: object(in: owner), undo: undo) { () throws(KVError) in
      try setUnlogged(value, forKey: key, of: owner, info)
    }
  }

  private static func setUnlogged(
    _ value: Any?, forKey key: String, of owner: Any, _ info: TypeInfo
  ) throws(KVError) -> Any? {
    if let accessor = try info.accessor(key) {
      return try set(value, by: accessor, key, of: owner, info)
    }
    switch info.kind {
    case .keyed:
      return try setEntry(value, key, of: owner, by: Coercion())
    case .record:
      try KVRecord.record(owner)?.set(value, forKey: key)
      return nil
    case .enumeration, .tuple:
      try Failure.checkNoPart(key, of: owner, info)
    default:
      if let field = info.fields(of: owner).field(key) { return try setReflected(value, field, key, of: owner, info) }
    }
    return try setUndefined(value, key, of: owner, info)
  }

  /// Throws what setting a key would throw, except the errors of hooks.
  ///
  /// - Returns: Whether a hook decides, so that setting can still fail.
  static func check(_ value: Any?, forKey key: String, of owner: Any, _ info: TypeInfo) throws(KVError) -> Bool {
    if let accessor = try info.accessor(key) {
      guard accessor.isSettable else { throw Failure.notSettable(accessor, key, of: owner) }
      if let value, ObjectIdentifier(type(of: value)) == accessor.valueID { return false }
      if value.flatMap(unwrappingOptionals) == nil, !accessor.value.isOptional { return true }
      try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) in
        try accessor.value.convert(value, accessor.declaration.coercion) { _ in }
      }
      return false
    }
    if info.kind == .keyed || info.kind == .record { return false }
    if try Failure.checkField(key, of: owner, info) { return false }
    if !info.isCoding { throw Failure.undefinedKey(key, of: owner) }
    return true
  }

  private static func set(
    _ value: Any?, by accessor: Accessor, _ key: String, of owner: Any, _ info: TypeInfo
  ) throws(KVError) -> Any? {
    guard accessor.isSettable else { throw Failure.notSettable(accessor, key, of: owner) }
    if value.flatMap(unwrappingOptionals) == nil, !accessor.value.isOptional {
      return try setNil(accessor.key.name, of: owner, info)
    }
    var changed: Any?
    var refusal: (any Error)?
    try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) in
      try accessor.value.convert(value, accessor.declaration.coercion) { address in
        do {
          if info.isObject {
            let object = object(in: owner)
            guard let write = accessor.declaration.throwingWrite else {
              return accessor.writeNotifying(copyOf: address, to: object)
            }
            try accessor.writeNotifying(copyOf: address, to: object, by: write)
          } else {
            changed = try copy(owner) { try accessor.writeCopyThrowing(of: address, to: Owner(at: $0)) }
          }
        } catch {
          refusal = error
        }
      }
    }
    if let refusal { throw Failure.refused(value, key, of: info, by: refusal) }
    return changed
  }

  /// Returns a copy of a dictionary with another entry.
  static func setEntry(
    _ value: Any?, _ key: String, of owner: Any, by coercion: Coercion
  ) throws(KVError) -> Any? {
    guard let dictionary = keyedValue(owner) else { return nil }
    let changed = try Failure.converting(for: key, of: type(of: owner)) { () throws(CoercionFailure) in
      try dictionary.settingEntry(key, to: value.flatMap(unwrappingOptionals), with: coercion)
    }
    guard let changed else {
      throw KVError(
        .unsupported,
        """
        "\(key)" is the text of no key of \(typeName(type(of: owner))), so it cannot be set; integers are written without \
        signs and leading zeros.
        """,
        component: key)
    }
    return changed
  }

  private static func setReflected(
    _ value: Any?, _ field: ReflectedFields.Field, _ key: String, of owner: Any, _ info: TypeInfo
  ) throws(KVError) -> Any? {
    do throws(CoercionFailure) {
      if try ReflectedValue.write(value, to: field, of: owner) { return info.isObject ? nil : owner }
    } catch {
      if error.code == .nilValue { return try setNil(key, of: owner, info) }
      throw Failure.coercion(error, key: key, of: info.type)
    }
    throw Failure.unsettableReflected(key, of: owner)
  }

  // MARK: Hooks

  private static func setNil(_ key: String, of owner: Any, _ info: TypeInfo) throws(KVError) -> Any? {
    guard var coding = owner as? any KeyValueCoding else {
      throw Failure.coercion(.nilValue(info.type), key: key, of: info.type)
    }
    try coding.setNilValue(forKey: key)
    return info.isObject ? nil : coding
  }

  private static func setUndefined(
    _ value: Any?, _ key: String, of owner: Any, _ info: TypeInfo
  ) throws(KVError) -> Any? {
    guard var coding = owner as? any KeyValueCoding else { throw Failure.undefinedKey(key, of: owner) }
    guard info.isObject, case let object = object(in: owner), let registrar = info.registrar(of: object),
      let known = InternedKey.existing(key), registrar.shouldNotifyKeyedWrite(known)
    else {
      try coding.setValue(value, forUndefinedKey: key)
      return info.isObject ? nil : coding
    }
    // Only the hook knows where the value is stored.
    var outcome: Result<Void, KVError> = .success(())
    try registrar.notifySetting(
      known, of: object, to: value, reading: { () throws(KVError) in try coding.value(forUndefinedKey: key) }
    ) {
      do throws(KVError) { try coding.setValue(value, forUndefinedKey: key) } catch { outcome = .failure(error) }
    }
    try outcome.get()
    return nil
  }
}
