/// Reads and writes objects by key and by path, for the public methods, which know the type of the value.
///
/// A value of the property's own type is moved between the accessor and the memory of the caller, and never boxed.
@usableFromInline
package enum ObjectAccess {
  // MARK: Reading

  /// Reads a key into memory, if its value is of a type; else returns the value.
  @usableFromInline @inline(never)
  static func read(
    _ key: String, of object: AnyObject, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    guard let accessor = TypeInfo.accessor(of: object, key) else {
      return try readUnlisted(key, of: object, as: type, into: memory)
    }
    return accessor.borrow { accessor in
      guard accessor.valueID == type else {
        return accessor.readOther(object, noAddress, as: type, into: memory).unread(.key(key), of: object)
      }
      accessor.read(object, noAddress, memory)
      return nil
    }
  }

  @inline(never)
  private static func readUnlisted(
    _ key: String, of object: AnyObject, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    let reflected = TypeInfo.of(object: object).reflectedAccessor(key)
    if let reflected, reflected.borrow({ $0.valueID == type }) {
      reflected.borrow { $0.read(object, noAddress, memory) }
      return nil
    }
    return PathCursor.moving(try value(ofKey: key, of: object), as: type, into: memory, nil)
      .unread(.key(key), of: object)
  }

  /// Reads a path into memory, if its value is of a type; else returns the value.
  @usableFromInline @inline(never)
  static func read(
    _ path: KVKeyPath.Storage, of object: AnyObject, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    var objects = ObjectCursor(path, path.count - 1, object, at: 0)
    guard objects.advance() else {
      objects.end()
      if let optional = TypeTraits.existing(type)?.borrow({ $0.optional }) {
        optional.initializeNil(memory)
        return nil
      }
      return MismatchedRead(nil, .path(path), object, nil)
    }
    if let leaf = objects.leaf, leaf.borrow({ $0.valueID == type }) {
      objects.with(leaf) { accessor, object in accessor.read(object, noAddress, memory) }
      objects.end()
      return nil
    }
    if type == ObjectIdentifier(Int.self), let count = objects.elementCount {
      memory.initialize(as: Int.self, to: count)
      objects.end()
      return nil
    }
    return try readThroughValues(objects, path, of: object, as: type, into: memory)
  }

  /// Reads the rest of a path, which does not only lead over objects.
  @inline(never)
  private static func readThroughValues(
    _ objects: ObjectCursor, _ path: KVKeyPath.Storage, of object: AnyObject, as type: ObjectIdentifier,
    into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    try KVError.locating(KVKeyPath(storage: path).description, of: Swift.type(of: object)) { () throws(KVError) in
      try PathCursor.walk(objects) { cursor throws(KVError) in
        try cursor.value(as: type, into: memory).unread(.path(path), of: object)
      }
    }
  }

  /// Reads a path that is given as text into memory, if its value is of a type; else returns the value.
  @usableFromInline @inline(never)
  static func read(
    text: String, of object: AnyObject, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    guard let path = KeyPathCache.shared.existing(text) else {
      return try read(KeyPathCache.shared.pathByContent(text).storage, of: object, as: type, into: memory)
    }
    return try path.tryBorrow { path throws(KVError) in
      try read(path, of: object, as: type, into: memory)
    }
  }

  /// Returns the value of a key.
  static func value(ofKey key: String, of object: AnyObject) throws(KVError) -> Any? {
    try KVError.locating(key, of: Swift.type(of: object)) { () throws(KVError) in
      try Reader.value(ofKey: key, of: object)
    }
  }

  /// Returns the value of a path.
  @usableFromInline @inline(never)
  static func value(of object: AnyObject, _ path: KVKeyPath) throws(KVError) -> Any? {
    try KVError.locating(path.description, of: type(of: object)) { () throws(KVError) in
      try Reader.value(of: object, path.storage, path.storage.count)
    }
  }

  /// Returns the value of a path of an object, from where a cursor stands, which ends.
  static func value(of object: AnyObject, _ path: KVKeyPath, continuing cursor: ObjectCursor) throws(KVError) -> Any? {
    try KVError.locating(path.description, of: type(of: object)) { () throws(KVError) in
      try PathCursor.walk(cursor) { cursor throws(KVError) in try cursor.value() }
    }
  }

  // MARK: Writing

  /// Sets a key, and ends the value.
  @usableFromInline @inline(never)
  static func set(_ value: NewValue, forKey key: String, of object: AnyObject) throws(KVError) {
    guard let accessor = TypeInfo.accessor(of: object, key) else {
      return try setGeneral(value, forKey: key, of: object)
    }
    // The value is not changed here, so that the compiler inlines the closure.
    if let memory = value.memory, !WriteLog.isActive,
      accessor.borrow({ accessor in
        guard accessor.accepts(value.type) else {
          guard accessor.writeOther(value, to: object) else { return false }
          value.boxer.destroy(memory)
          return true
        }
        guard !accessor.needsNotification(of: object) else {
          accessor.writeNotifying(copyOf: memory, to: object)
          value.boxer.destroy(memory)
          return true
        }
        accessor.write(object, noAddress, memory)
        return true
      })
    {
      return
    }
    try setGeneral(value, forKey: key, of: object)
  }

  @inline(never)
  private static func setGeneral(_ value: NewValue, forKey key: String, of object: AnyObject) throws(KVError) {
    var value = value
    defer { value.end() }
    try setGeneral(value.any, forKey: key, of: object)
  }

  /// Sets a key of a record, which has no accessors.
  @usableFromInline
  static func set(_ value: consuming Any?, forKey key: String, of record: KVRecord) throws(KVError) {
    do throws(KVError) {
      try Failure.checkNoOperator(key, of: record)
      try record.set(value, forKey: key)
    } catch {
      throw error.located(path: key, root: "KVRecord")
    }
  }

  /// Sets a key to a value in a box, or nil.
  static func set(boxed value: consuming Any?, forKey key: String, of object: AnyObject) throws(KVError) {
    try NewValue.with(boxed: value) { value throws(KVError) in
      guard let accessor = TypeInfo.accessor(of: object, key),
        accessor.borrow({ value.move(by: $0, to: object) })
      else { return try setGeneral(value.any, forKey: key, of: object) }
    }
  }

  @inline(never)
  private static func setGeneral(_ value: consuming Any?, forKey key: String, of object: AnyObject) throws(KVError) {
    if type(of: object) == KVRecord.self { return try set(value, forKey: key, of: asObject(object, KVRecord.self)) }
    try KVError.locating(key, of: type(of: object)) { () throws(KVError) in
      try Failure.checkNoOperator(key, of: object)
      _ = try Writer.set(value, forKey: key, of: object, TypeInfo.of(object: object))
    }
  }

  /// Sets a path, and ends the value.
  @usableFromInline @inline(never)
  static func set(_ value: NewValue, _ path: KVKeyPath.Storage, of object: AnyObject) throws(KVError) {
    var value = value
    defer { value.end() }
    try KVError.locating(KVKeyPath(storage: path).description, of: type(of: object)) { () throws(KVError) in
      _ = try Writer(path).set(&value, of: object)
    }
  }

  /// Sets a path to a value in a box, or nil; false if a nil ends the path, and that is no error.
  @discardableResult
  package static func set(
    boxed value: consuming Any?, _ path: KVKeyPath, of object: AnyObject, throwsIfUnresolved: Bool = true
  ) throws(KVError) -> Bool {
    try NewValue.with(boxed: value) { value throws(KVError) in
      try KVError.locating(path.description, of: type(of: object)) { () throws(KVError) in
        try Writer(path.storage, throwsIfUnresolved: throwsIfUnresolved).set(&value, of: object)
      }
    }
  }

  /// Sets a path that is given as text, and ends the value.
  @usableFromInline @inline(never)
  static func set(_ value: NewValue, text: String, of object: AnyObject) throws(KVError) {
    guard let path = KeyPathCache.shared.existing(text) else {
      var value = value
      defer { value.end() }
      let path = try KeyPathCache.shared.pathByContent(text)
      return try KVError.locating(path.description, of: type(of: object)) { () throws(KVError) in
        _ = try Writer(path.storage).set(&value, of: object)
      }
    }
    try path.tryBorrow { path throws(KVError) in try set(value, path, of: object) }
  }
}
