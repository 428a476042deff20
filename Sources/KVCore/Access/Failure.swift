/// The sentences of the errors; each says what failed, where, and how to put it right (KVC.18).
enum Failure {
  static func undefinedKey(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let known = knownKeys(of: owner)
    let suggestion = Suggestion.nearest(to: key, among: known)
    var sentences = ["undefined key \"\(key)\" of \(info.name)."]
    if let suggestion { sentences.append("Did you mean \"\(suggestion)\"?") }
    if info.fields.lazyNames.contains(key) {
      sentences.append("It is lazy, which reflection cannot read; \(tableLine(key, info)).")
    } else if known.isEmpty {
      sentences.append("It has no keys.")
    } else {
      sentences.append("Known keys: \(list(known)).")
      if suggestion == nil, info.kind == .object || info.kind == .structure, !info.table.listsAllKeys {
        sentences.append("Computed, static and lazy properties are invisible to reflection: \(tableLine(key, info)).")
      }
    }
    return KVError(
      .undefinedKey, sentences.joined(separator: " "), component: key, knownKeys: known, suggestion: suggestion)
  }

  static func unsettableReflected(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    return KVError(
      .notSettable,
      """
      key "\(key)" of \(info.name) cannot be set: it is a plain stored property, which reflection can only read. If it is a \
      "var", \(tableLine(key, info)).
      """, component: key)
  }

  static func notSettable(_ accessor: Accessor, _ key: String, of owner: Any) -> KVError {
    let reason =
      accessor.declaration.isReadOnly ? "its table line says readOnly()" : accessor.declaration.readOnlyReason
    return KVError(
      .notSettable,
      """
      key "\(key)" of \(typeName(type(of: owner))) cannot be set: \(reason). Make the property a settable "var", or give the \
      line a setter: key("\(key)", { $0.\(key) }, set: { $0.\(key) = $1 }).
      """, component: key)
  }

  static func unsettableChild(_ key: String, of owner: Any) -> KVError {
    KVError(
      .notSettable,
      """
      "\(key)" of \(typeName(type(of: owner))) cannot be set: elements of tuples and payloads of enums can only be read. Set the \
      whole value instead, or use a struct.
      """, component: key)
  }

  static func coercion(_ failure: CoercionFailure, key: String, of owner: Any.Type) -> KVError {
    let cure =
      switch failure.code {
      case .nilValue: " Make the property optional, or override setNilValue(forKey:) to choose a value."
      default: ""
      }
    return KVError(
      failure.code, "cannot set \"\(key)\" of \(typeName(owner)): \(failure.reason).\(cure)", component: key)
  }

  static func nilValue(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let type = ((try? info.accessor(key)) ?? nil)?.value.type ?? Any.self
    return coercion(.nilValue(type), key: key, of: info.type)
  }

  static func reading(_ failure: CoercionFailure, key: String) -> KVError {
    KVError(failure.code, "the value of \"\(key)\" cannot be read so: \(failure.reason).", component: key)
  }

  static func unresolved(_ component: String, value missing: String, of owner: Any) -> KVError {
    KVError(
      .unresolvedPath,
      """
      nothing was set: \(missing) of \(typeName(type(of: owner))) is nil. Set it first, or use setValueIfResolved(_:forKeyPath:) \
      to have this ignored.
      """, component: component)
  }

  static func indexOutOfRange(_ index: Int, count: Int) -> KVError {
    let range = count == 0 ? "the collection is empty" : "valid indexes are 0 to \(count - 1)"
    return KVError(.indexOutOfRange, "index \(index) is out of range: \(range).", component: "[\(index)]")
  }

  static func notOrdered(_ index: Int, _ owner: Any) -> KVError {
    KVError(
      .unsupported,
      "[\(index)] needs an ordered collection, and \(typeName(type(of: owner))) is none. Use a key, or [\"…\"] for an entry.",
      component: "[\(index)]")
  }

  static func notKeyed(_ key: String, _ owner: Any) -> KVError {
    KVError(
      .unsupported,
      """
      ["\(key)"] needs a dictionary, and \(typeName(type(of: owner))) is none. Use [0] for an element, or .\(key) to read the key \
      of every element.
      """, component: "[\"\(key)\"]")
  }

  static func notACollection(_ key: String, _ value: Any?, wanted: String) -> KVError {
    let found = value.map { "it holds \(describe($0))" } ?? "it is nil"
    return KVError(.unsupported, "\"\(key)\" is no \(wanted): \(found).", component: key)
  }

  static func tooDeep(_ key: String) -> KVError {
    KVError(
      .limitExceeded,
      "collections are nested more than \(Limits.nesting) deep at \"\(key)\"; address the inner ones by index.",
      component: key)
  }

  static func needsObject(_ what: String, _ type: Any.Type) -> KVError {
    KVError(
      .unsupported,
      "\(what) needs an object that stays the same, and \(typeName(type)) is a value. Make it a class, or change a copy.")
  }

  /// The keys that work on a value, sorted; entries of a dictionary included.
  static func knownKeys(of owner: Any) -> [String] {
    let info = TypeInfo.of(owner)
    switch info.kind {
    case .keyed: return (owner as? any KeyedValue)?.entryNames.sorted() ?? []
    case .record: return ((owner as? KVRecord)?.keys ?? []).sorted()
    case .tuple, .enumeration: return (info.knownKeys + ReflectedValue.childNames(of: owner)).sorted()
    default:
      return info.fields.variesByValue
        ? (info.knownKeys + ReflectedFields(of: owner).names).sorted() : info.knownKeys
    }
  }

  /// At most 20 names, then how many more there are.
  static func list(_ names: [String]) -> String {
    names.count <= 20
      ? names.joined(separator: ", ") : names.prefix(20).joined(separator: ", ") + " and \(names.count - 20) more"
  }

  private static func tableLine(_ key: String, _ info: TypeInfo) -> String {
    let line = "key(\"\(key)\", \\.\(key))"
    return info.isCoding
      ? "add the line \(line) to the keyTable of \(info.name)"
      : "make \(info.name) conform to KeyValueCoding, with a keyTable that has the line \(line)"
  }
}
