extension KVC {
  /// Returns a value converted to a type, by the rules of CO (CO.8).
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - type: The type. Nil converts to optional types only.
  ///   - lenient: Whether text converts to numbers and other values, and they to text, as for a key that is declared
  ///     `.lenient()` (CO.5).
  /// - Returns: The converted value.
  /// - Throws: ``KVError``: `typeMismatch`, `numberOutOfRange`, `nilValue`.
  /// - Complexity: O(1); O(*n*) in the elements of a collection.
  public static func convert<Value>(
    _ value: Any?, to type: Value.Type, lenient: Bool = false
  ) throws(KVError) -> Value {
    var coercion = Coercion(lenient: lenient)
    coercion.yieldsText = lenient
    do throws(CoercionFailure) { return try coercion.convert(value, to: type) } catch {
      let cure =
        error.code == .nilValue
        ? " Convert to an optional type." : error.hint.isEmpty ? "" : " Pass lenient: true to let strings convert."
      throw KVError(error.code, "cannot convert: \(error.reason).\(cure)", underlying: error.underlying)
    }
  }

  /// Returns whether a value fits a key path: it is of the type of the last component, or converts to it (CO.8).
  ///
  /// The conversions that the table declares for the key count. Nothing is set, and no validator and no hook for setting
  /// is called. The called code has to be free of effects: conversions run, and a ``KVDictionaryConvertible`` value is
  /// created and dropped. The path is read up to its last key, and a key that only a hook answers is read by
  /// `value(forUndefinedKey:)`.
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - path: The path, or its text.
  ///   - root: The root of the path.
  /// - Returns: Whether the value fits; `false` if an intermediate value is nil.
  /// - Throws: ``KVError``, as ``value(of:forKeyPath:)``.
  public static func canConvert(
    _ value: Any?, forKeyPath path: some KVKeyPathConvertible, of root: Any
  ) throws(KVError) -> Bool {
    let path = try path.keyPath()
    return try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      let value = value.flatMap(unwrappingOptionals)
      var fits = true
      do throws(KVError) {
        let isReached = try PathCursor.withLastOwner(path, of: root) { owner, line throws(KVError) in
          try path.check(at: path.count - 1, of: owner, writing: true)
          fits = try check(value, at: path.last, of: owner, line, depth: 0)
        }
        return isReached && fits
      } catch {
        switch error.code {
        case .typeMismatch, .numberOutOfRange, .nilValue: return false
        default: throw error
        }
      }
    }
  }

  /// Throws what setting a component to a value throws if the value does not fit.
  private static func check(
    _ value: Any?, at component: KVKeyPath.Component, of owner: Any, _ line: KeyDeclaration?, depth: Int
  ) throws(KVError) -> Bool {
    try Failure.checkNesting(depth, at: component.description)
    let info = TypeInfo.of(owner)
    let coercion = line?.coercion ?? Coercion()
    switch component {
    case .index(let index):
      _ = try Writer.set(value, at: index, of: owner, info, by: coercion)
    case .key(let key), .entry(let key):
      if info.kind == .keyed {
        _ = try Writer.setEntry(value, key, of: owner, by: coercion)
      } else if info.mapsKey(key, of: owner), let collection = collectionValue(owner) {
        try collection.checkCount()
        for case let element? in collection.elements {
          _ = try check(value, at: component, of: element, nil, depth: depth + 1)
        }
      } else if let accessor = try info.accessor(key) {
        try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) in
          try accessor.value.convert(value, accessor.declaration.coercion) { _ in }
        }
      } else if let field = info.fields(of: owner).field(key), let value {
        func open<T>(_ type: T.Type) throws(CoercionFailure) { _ = try coercion.convert(value, to: type) }
        try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) in
          try _openExistential(field.type, do: open)
        }
      } else {
        _ = try Reader(KVKeyPath(components: [component])).value(of: owner)
      }
    case .operator: return false
    }
    return true
  }
}

extension Accessor {
  /// Returns whether values of the key can be read as a type, as far as types show.
  package func canBeRead(as type: Any.Type) -> Bool {
    let coercion = declaration.readingCoercion
    return Coercion.canFit(value.type, in: type) || !coercion.conversions.isEmpty
      || coercion.yieldsText && Coercion.canFit(String.self, in: type)
  }
}
