/// The sentences of the errors; each says what failed, where, and how to put it right (KVC.18).
package enum Failure {
  package static func undefinedKey(
    _ key: String, of owner: Any, forPaths method: String = "value(forKeyPath:) or setValue(_:forKeyPath:)"
  ) -> KVError {
    let info = TypeInfo.of(owner)
    // The keys of one value may be others when the message is asked for; those of a type stay.
    let known = info.keysVary ? knownKeys(of: owner) : nil
    return KVError(.undefinedKey, component: key) { undefinedKey(key, of: info, known ?? info.knownKeys, method) }
  }

  private static func undefinedKey(
    _ key: String, of info: TypeInfo, _ known: [String], _ method: String
  ) -> KVError.Words.Made {
    let suggestion = Suggestion.nearest(to: key, among: known)
    var sentences = ["undefined key \"\(key)\" of \(info.name).\(Suggestion.question(suggestion))"]
    var cure: String?
    if key.contains(".") || key.contains("["), info.kind == .object || info.kind == .structure {
      sentences.append("It looks like a key path; use \(method) for those.")
    } else if Int(key) != nil, info.kind != .keyed, info.kind != .record {
      sentences.append("For an element of an array write [\(key)].")
    } else if info.kind == .number || info.type == String.self, info.table === KVTable.empty {
      cure =
        """
        Values of type \(info.name) have no keys: leave \(key) out (behind an operator write self, as in @sum.self), or \
        declare it: extension \(info.name): @retroactive KeyValueCoding { public static var keyTable: KVTable { \
        KVTable(\(info.name).self) { key in key("\(key)") { value in … } } } }.
        """
    } else if key == "rawValue", info.kind == .enumeration {
      sentences.append("Leave rawValue out: an enum is compared and converted as its raw value.")
    } else if info.fields.lazyNames.contains(key) {
      sentences.append("It is lazy, which reflection cannot read; \(tableLine(key, info)).")
    } else {
      sentences.append(known.isEmpty ? "It has no keys." : "Known keys: \(list(known)).")
      let isSlip = suggestion.map { Suggestion.isSlip(key, $0) } ?? false
      let isReflected = info.kind == .object || (info.kind == .structure && info.type != String.self)
      if !isSlip, isReflected, isIdentifier(key), !info.table.listsAllKeys,
        !info.table.hidden.contains(ObjectIdentifier(info.type))
      {
        let invisible =
          info.isModel
          ? "If \(key) is a property that @KVModel does not see, as in an extension, "
          : "Computed, static and lazy properties are invisible to reflection: "
        cure = "\(invisible)\(tableLine(key, info))."
      }
    }
    if !known.contains(key), BuiltInOperator(rawValue: key) != nil {
      cure = "The operator of a collection is written @\(key).\(cure.map { " \($0)" } ?? "")"
    }
    return KVError.Words.Made(
      text: sentences.joined(separator: " "), cure: cure, knownKeys: known, suggestion: suggestion)
  }

  /// Returns whether a property of Swift may have a name.
  private static func isIdentifier(_ name: String) -> Bool {
    name.first.map { $0.isLetter || $0 == "_" } ?? false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Throws if a key begins with "@", which only operators of key paths do.
  static func checkNoOperator(_ key: String, of owner: Any) throws(KVError) {
    guard key.utf8.first == UInt8(ascii: "@") else { return }
    let kind = TypeInfo.of(owner).kind
    let hasEntries = kind == .keyed || kind == .record
    let entry = hasEntries ? ", or forKeyPath: \"[\"\(key)\"]\" for the entry of that name" : ""
    throw KVError(
      .undefinedKey,
      """
      "\(key)" is not a key: what begins with "@" is an operator, which only key paths have. Use forKeyPath: \
      "\(key)"\(entry).
      """, component: key)
  }

  /// The error of a stored property, an element of a tuple or a payload that is a function.
  static func reflectedFunction(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let line = info.kind == .object || info.kind == .structure ? "; \(tableLine(key, info))" : ""
    return KVError(
      .unsupported, "\"\(key)\" of \(info.name) is a function, which reflection cannot read\(line).", component: key)
  }

  /// Throws if a key that no table lists is one that reflection can only read: a part of a tuple or an enum, or a field.
  ///
  /// - Returns: Whether the key is a field, which can be set.
  static func checkField(_ key: String, of owner: Any, _ info: TypeInfo) throws(KVError) -> Bool {
    try checkNoPart(key, of: owner, info)
    guard let field = info.fields(of: owner).field(key) else { return false }
    if !field.isSettable { throw unsettableReflected(key, of: owner) }
    return true
  }

  static func unsettableReflected(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let line = tableLine(key, info, property: info.fields(of: owner).field(key)?.property)
    if info.isModel {
      return KVError(
        .notSettable,
        """
        key "\(key)" of \(info.name) cannot be set: @KVModel does not list it, and reflection can only read; \(line).
        """, component: key)
    }
    if info.fields.isObservableProperty(key) {
      return KVError(
        .notSettable,
        """
        key "\(key)" of \(info.name) cannot be set: it is a @KVProperty that no table lists as "\(key)", and reflection can \
        only read; \(line).
        """, component: key)
    }
    return KVError(
      .notSettable,
      """
      key "\(key)" of \(info.name) cannot be set: it is a plain stored property, which reflection can only read. If it is a \
      "var", \(line).
      """, component: key)
  }

  static func notSettable(_ accessor: Accessor, _ key: String, of owner: Any) -> KVError {
    let declaration = accessor.declaration
    if let table = TypeInfo.of(owner).table.chain.last(where: { $0.declarations.contains { $0 === declaration } }),
      table.hidden.contains(ObjectIdentifier(table.type))
    {
      let settable = TypeInfo.of(owner).table.merged.filter(\.isWritable).map(\.name).sorted()
      let others = settable.isEmpty ? "" : " Keys that can be set: \(list(settable))."
      return KVError(
        .notSettable,
        "key \"\(key)\" of \(typeName(type(of: owner))) cannot be set: the library computes it.\(others)",
        component: key)
    }
    let setter = "give the line a setter: key(\"\(accessor.key.name)\", { … }, set: { owner, value in … })."
    let (reason, cure) =
      if TypeInfo.of(owner).isModel {
        declaration.isReadOnly
          ? (
            "it is read-only, or its setter is private",
            "Remove .readOnly from its @KVKey, or let the setter be as visible as the property."
          ) : ("it is a \"let\", or computed without a setter", "Make it a settable \"var\".")
      } else if declaration.isReadOnly {
        ("its line in the keyTable says readOnly()", "Remove that if the key is meant to be written.")
      } else if declaration.keyPath == nil {
        (declaration.readOnlyReason, "To make it settable, " + setter)
      } else {
        (declaration.readOnlyReason, "Make the property a settable \"var\", or " + setter)
      }
    return KVError(
      .notSettable, "key \"\(key)\" of \(typeName(type(of: owner))) cannot be set: \(reason). \(cure)", component: key)
  }

  /// Throws if a key is an element of a tuple or the payload of an enum, which can only be read (KVC.8).
  static func checkNoPart(_ key: String, of owner: Any, _ info: TypeInfo) throws(KVError) {
    if Reader.part(key, of: owner, info) != nil { throw unsettableChild(key, of: owner) }
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
    let isCollection = owner is any CollectionValue.Type
    let text =
      "cannot set \"\(key)\" of \(typeName(owner)): \(failure.reason)\(isCollection ? "" : failure.hint)."
    let cure: String
    switch failure.code {
    case .nilValue where isCollection: cure = " Make the elements optional, or remove the element."
    case .nilValue where failure.isOfElement: cure = " Make the elements optional, or leave the nil out."
    case .nilValue:
      // A binding has options for nil.
      return KVError(
        failure.code, text,
        replaceableCure: "Make the property optional, or override setNilValue(forKey:) to choose a value.",
        component: key, underlying: failure.underlying)
    default: cure = ""
    }
    return KVError(failure.code, text + cure, component: key, underlying: failure.underlying)
  }

  /// The error of an element that a view cannot add to a collection.
  static func element(_ failure: CoercionFailure, key: String, of owner: Any.Type) -> KVError {
    guard failure.code == .nilValue else { return coercion(failure, key: key, of: owner) }
    return KVError(
      failure.code,
      """
      cannot set "\(key)" of \(typeName(owner)): \(failure.reason). Make the elements of the property optional, or add no nil.
      """, component: key, underlying: failure.underlying)
  }

  /// The error of a validator or a setter that refuses a value.
  static func refused(_ value: Any?, _ key: String, of owner: TypeInfo, by error: any Error) -> KVError {
    if let error = error as? KVError { return error }
    let shown = value.flatMap(unwrappingOptionals).map { describe($0) } ?? "nil"
    return KVError(
      .invalidValue, "\(shown) is not valid for \"\(key)\" of \(owner.name): \(error)", component: key,
      underlying: error)
  }

  /// Calls a function that converts a value for a key, and translates its failure.
  @inline(__always)
  static func converting<Result>(
    for key: String, of owner: Any.Type, _ body: () throws(CoercionFailure) -> Result
  ) throws(KVError) -> Result {
    do throws(CoercionFailure) { return try body() } catch { throw coercion(error, key: key, of: owner) }
  }

  static func nilValue(_ key: String, of owner: Any) -> KVError {
    let info = TypeInfo.of(owner)
    let type = ((try? info.accessor(key)) ?? nil)?.value.type ?? Any.self
    return coercion(.nilValue(type), key: key, of: info.type)
  }

  /// The error for an entry that a dictionary or record does not have, where the value must not be nil; nil for other
  /// owners.
  static func missing(_ key: String, of owner: Any) -> KVError? {
    let info = TypeInfo.of(owner)
    guard info.kind == .keyed || info.kind == .record, info.unmanagedAccessor(key) == nil else { return nil }
    let known = knownKeys(of: owner)
    guard !known.contains(key) else { return nil }
    let suggestion = Suggestion.nearest(to: key, among: known)
    let keys = known.isEmpty ? "It has no keys." : "Known keys: \(list(known))."
    return KVError(
      .nilValue,
      "there is no \"\(key)\" in the \(info.name).\(Suggestion.question(suggestion)) \(keys) If it may be missing, ask for an optional type.",
      component: key, knownKeys: known, suggestion: suggestion)
  }

  static func reading(_ failure: CoercionFailure, key: String, isText: Bool = false) -> KVError {
    let cure =
      failure.code == .nilValue
      ? " Ask for an optional type."
      : isText
        ? " Write @KVKey(.lenient) before the property, or .lenient() in its table, to have its values read as text."
        : ""
    return KVError(
      failure.code, "cannot read \"\(key)\" as the type asked for: \(failure.reason).\(cure)", component: key,
      underlying: failure.underlying)
  }

  static func operatorInPath(_ component: String) -> KVError {
    KVError(
      .notSettable,
      "\(component) computes a value, which cannot be written; only keys, indexes and entries can.",
      component: component)
  }

  static func unresolved(_ component: String, value missing: String, of owner: Any) -> KVError {
    let subject = unwrappingOptionals(owner) == nil ? "the root" : "\(missing) of \(typeName(type(of: owner)))"
    return KVError(
      .unresolvedPath,
      """
      nothing was set: \(subject) is nil. Set it first, or use setValueIfResolved(_:forKeyPath:) \
      to have this ignored.
      """, component: component)
  }

  package static func indexOutOfRange(_ index: Int, count: Int) -> KVError {
    let range =
      switch count {
      case 0: "the collection is empty"
      case 1: "the only valid index is 0"
      default: "valid indexes are 0 to \(count - 1)"
      }
    return KVError(.indexOutOfRange, "index \(index) is out of range: \(range).", component: "[\(index)]")
  }

  package static func notOrdered(_ index: Int, _ owner: Any) -> KVError {
    KVError(
      .unsupported,
      "[\(index)] needs an ordered collection, and \(typeName(type(of: owner))) is not one. Use a key, or [\"…\"] for an entry.",
      component: "[\(index)]")
  }

  static func notACollection(_ key: String, _ value: Any?, wanted: String) -> KVError {
    let found = value.map { "it holds \(describe($0))" } ?? "it is nil"
    return KVError(.unsupported, "\"\(key)\" is not \(wanted): \(found).", component: key)
  }

  /// Throws if a level of nested collections cannot be entered at a component (KVC.18).
  @inline(__always)
  package static func checkNesting(
    _ depth: Int, limit: Int = Limits.nesting, at component: @autoclosure () -> String
  ) throws(KVError) {
    if let fault = NestingFault.entering(depth, limit: limit) { throw tooDeep(component(), fault) }
  }

  @inline(never)
  package static func tooDeep(
    _ component: String, _ fault: NestingFault, of nested: String = "collections"
  ) -> KVError {
    KVError(
      .limitExceeded,
      "\(nested) are \(fault.nested) at \"\(component)\"\(fault.cure("address the inner ones by index")).",
      component: component)
  }

  /// The keys that work on a value, sorted; entries of a dictionary included.
  static func knownKeys(of owner: Any) -> [String] {
    let info = TypeInfo.of(owner)
    switch info.kind {
    case .keyed: return keyedValue(owner)?.entryNames.sorted() ?? []
    case .record: return (KVRecord.record(owner)?.keys ?? []).sorted()
    case .enumeration where !info.table.listsAllKeys, .tuple:
      return (info.knownKeys + ReflectedValue.childNames(of: owner)).sorted()
    default:
      guard info.fields.variesByValue else { return info.knownKeys }
      return Set(info.accessors.map(\.key.name) + ReflectedFields(of: owner).listedNames).sorted()
    }
  }

  /// At most 20 names, then how many more there are.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { $0.isEmpty ? "\"\"" : shortened($0) }.joined(separator: ", ")
    return names.count <= 20 ? shown : shown + " and \(names.count - 20) more"
  }

  /// Returns how to declare a key that a property has, by its own name or another one: by the macro first, if the type has no
  /// table.
  ///
  /// - Parameter alternative: Another cure, which comes before a table by hand.
  package static func tableLine(
    _ key: String, _ info: TypeInfo, property: String? = nil, or alternative: String? = nil
  ) -> String {
    let line = "key(\"\(key)\", \\.\(property ?? key))"
    let lazy = info.fields.lazyNames.contains(key) ? key : nil
    if info.isModel {
      if let property = property ?? info.fields.field(key)?.property ?? lazy {
        return "write @KVKey, not @KVIgnored, before \(property) of \(info.name)"
      }
      let keys = info.isObject ? "KVObjectKeys" : "KVValueKeys"
      let type = declaredName(info.type)
      return "add static func furtherKeys(_ key: \(keys)<\(type)>) { \(line) } to \(type)"
    }
    let macro = info.hasOwnTable ? nil : attribute(info, lazy)
    return [macro, alternative, table(with: line, info)].compactMap(\.self).joined(separator: ", or ")
  }

  /// Returns how a type without a table becomes a model; nil if it is not the program's.
  private static func attribute(_ info: TypeInfo, _ lazyProperty: String?) -> String? {
    let module = String(reflecting: info.type).prefix { $0 != "." }
    if module == "Swift" || module.hasPrefix("Foundation") { return nil }
    let isRoot = info.isObject && !info.isKVObject && info.table === KVTable.empty
    let option = isRoot ? "(.root)" : ""
    let slot = isRoot && info.isObservable ? " in place of its registrarSlot" : ""
    return "mark \(info.name) with @KVModel\(option)\(slot)\(lazyProperty.map { " and \($0) with @KVKey" } ?? "")"
  }

  /// Returns how a table by hand gets a line.
  private static func table(with line: String, _ info: TypeInfo) -> String {
    if !info.isCoding {
      return "make \(info.name) conform to KeyValueCoding, with a keyTable that has the line \(line)"
    }
    if info.hasOwnTable { return "add the line \(line) to the keyTable of \(info.name)" }
    let (declaration, table) =
      info.isKVObject || info.table !== KVTable.empty
      ? ("override class", "super.keyTable.extended(for: ") : ("static", "KVTable(")
    return """
      add \(declaration) var keyTable: KVTable { \(table)\(info.name).self) { key in \(line) } } to \(info.name), which has \
      no keyTable of its own (a property of another name, or of instances, is not one)
      """
  }
}
