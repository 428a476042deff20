extension KVC {
  /// Returns a value converted to the type of the last key of a path (CO), if a table lists it; else the value itself.
  ///
  /// A value that was read by a key with conversions is converted by these, if it does not fit otherwise (TAB.10).
  ///
  /// - Throws: ``KVError``: `typeMismatch`, `numberOutOfRange`; a nil that does not fit is left to `setNilValue`.
  package static func coerced(
    _ value: Any?, forKeyPath path: KVKeyPath, of root: AnyObject,
    readBy sender: (path: KVKeyPath, root: AnyObject)? = nil
  ) throws(KVError) -> Any? {
    guard let value = value.flatMap(unwrappingOptionals), let (owner, accessor) = path.leaf(of: root) else {
      return value
    }
    let declaration = accessor.object
    if ObjectIdentifier(type(of: value)) == declaration.unwrappedID { return value }
    return try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      try Failure.converting(for: path.last.description, of: type(of: owner)) { () throws(CoercionFailure) -> Any? in
        do throws(CoercionFailure) {
          return unwrappingOptionals(try declaration.value.converted(value, declaration.declaration.coercion))
        } catch {
          guard error.code == .typeMismatch, let line = sender.flatMap({ line(of: $0.path, from: $0.root) }),
            let converted = try? declaration.value.converted(value, line.declaration.readingCoercion)
          else { throw error }
          return unwrappingOptionals(converted)
        }
      }
    }
  }

  /// Returns the line of the table by which the last key of a path is read; that of a collection, for its elements.
  ///
  /// Objects, structs, or an object that resolves the rest of the path may lead to it.
  private static func line(of path: KVKeyPath, from root: Any) -> Accessor? {
    if let (resolver, remainder) = path.resolver(from: root) {
      return resolver.pathOwners.first.flatMap { line(of: remainder, from: $0) }
    }
    switch path.last {
    case .index: return path.parent.flatMap { line(of: $0, from: root) }
    case .key(let key):
      return ((try? Reader(path).owner(of: root)) ?? nil).flatMap { (try? TypeInfo.of($0).accessor(key)) ?? nil }
    default: return nil
    }
  }

  /// Throws if a path leads to an operator that no object resolves, which can only be read.
  private static func checkNoOperator(_ path: KVKeyPath, of root: AnyObject) throws(KVError) {
    try PathCursor.walk(path.storage, path.count - 1, from: root, at: 0, nesting: Nesting()) { cursor throws(KVError) in
      while cursor.accessor != nil || cursor.resolver == nil {
        if cursor.component.isOperator { throw Failure.operatorInPath(cursor.component.description) }
        if cursor.index == cursor.last { return }
        switch try cursor.next() {
        case .object, .value: continue
        case .end, .collection, .operator: return
        }
      }
    }
  }

  /// Refuses a path whose last key cannot be set, as far as tables say, or may not be written, as its policy says; where
  /// a nil stands in its middle, nobody knows.
  ///
  /// A write into a struct or a collection sets the key that contains it, up to the nearest object (KVC.9, SEC.4).
  ///
  /// - Throws: ``KVError``: `notPermitted`; `notSettable`; `undefinedKey` if the key cannot be read. It may be one that a
  ///   hook sets.
  package static func checkSettable(_ path: KVKeyPath, of root: AnyObject) throws(KVError) {
    do throws(KVError) {
      if path.hasOperator { try checkNoOperator(path, of: root) }
      var resolvedCount = 0
      if let (resolver, remainder) = path.resolver(from: root) {
        try resolver.checkSettable(remainder, from: 0)
        resolvedCount = path.count - remainder.count
      }
      var next: KVKeyPath? = path
      while let path = next, path.count > resolvedCount {
        next = nil
        try PathCursor.withLastOwner(path, of: root) { owner, _ throws(KVError) in
          let info = TypeInfo.of(owner)
          try checkLast(of: path, of: owner, info)
          if !info.isObject { next = path.parent }
        }
      }
    } catch {
      if error.code == .indexOutOfRange { return }
      throw error.located(path: path.description, root: typeName(type(of: root)))
    }
  }

  /// Refuses the last component of a path, of a given owner.
  @inline(__always)
  private static func checkLast(of path: KVKeyPath, of owner: Any, _ info: TypeInfo) throws(KVError) {
    try path.check(at: path.count - 1, of: owner, writing: true)
    guard case .key(let key) = path.last else { return }
    guard let accessor = try info.accessor(key) else {
      _ = try Failure.checkField(key, of: owner, info)
      _ = try Reader.value(ofKey: key, in: owner)
      return
    }
    if !accessor.isSettable { throw Failure.notSettable(accessor, key, of: owner) }
  }
}
