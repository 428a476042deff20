extension KVC {
  /// Returns what is known of the keys of a value: those of its table, then stored properties that only reflection
  /// finds, then entries of a dictionary or record (TAB.8).
  ///
  /// Reflected properties, elements of tuples and payloads that are functions are no keys.
  ///
  /// - Parameter value: Any value.
  /// - Returns: The keys, in the order of their declaration; entries sorted by name.
  /// - Throws: ``KVError`` with the code `invalidTable` if the table of the type is faulty.
  public static func keys(of value: Any) throws(KVError) -> [KVKeyDescription] {
    guard let value = unwrappingOptionals(value) else { return [] }
    let info = TypeInfo.of(value)
    if let fault = info.fault { throw fault }
    var result = info.accessors.map { accessor in
      let canNotify = accessor.canNotify || info.fields.isObservableProperty(accessor.key.name)
      return KVKeyDescription(accessor.declaration, canNotify: info.isObservable && canNotify)
    }
    let listed = Set(result.map(\.name))
    switch info.kind {
    case .keyed, .record:
      for name in Failure.knownKeys(of: value) {
        let entry = try Reader.value(ofEntry: name, in: value)
        result.append(
          KVKeyDescription(
            reflected: name, valueType: entry.map { type(of: $0) } ?? Any.self, isReadOnly: false,
            canNotify: info.kind == .record))
      }
    case .enumeration where !info.table.listsAllKeys, .tuple:
      for name in ReflectedValue.childNames(of: value) {
        let child = ReflectedValue.childType(name, of: value) ?? Any.self
        if ReflectedValue.isFunction(child) { continue }
        result.append(KVKeyDescription(reflected: name, valueType: child, isReadOnly: true))
      }
    default:
      for field in info.fields(of: value).visible where !listed.contains(field.name) && !field.isFunction {
        let canNotify = info.isObservable && (field.isSettable || field.isObservable)
        result.append(
          KVKeyDescription(
            reflected: field.name, valueType: field.valueType, isReadOnly: !field.isSettable, canNotify: canNotify))
      }
    }
    return result
  }
}
