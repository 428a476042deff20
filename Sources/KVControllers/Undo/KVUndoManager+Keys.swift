import KVBinding
import KVCore

extension KVUndoManager {
  /// Returns the keys of an object that a rule says to record or to follow, without aliases.
  ///
  /// - Throws: ``KVError`` if a key does not exist or cannot be set.
  func keys(of rule: UndoRule, _ object: any KVObservable, _ site: Site) throws(KVError) -> [UndoRule.Key] {
    let known = try KVC.keys(of: object)
    guard let names = rule.names else { return try defaultKeys(of: rule, object, known, site) }
    var byName: [String: KVKeyDescription] = [:]
    for key in known { for name in [key.name] + key.aliases { byName[name] = byName[name] ?? key } }
    var keys: [UndoRule.Key] = []
    for name in names {
      // A record may have the text of a path as a key.
      if byName[name.text] == nil, let step = name.step {
        keys.append(try key(step.key, step.rule, byName[step.key], of: object))
      } else {
        keys.append(try key(name.text, name.rule, byName[name.text], of: object))
      }
    }
    return keys
  }

  private func key(
    _ name: String, _ rule: UndoRule?, _ known: KVKeyDescription?, of object: any KVObservable
  ) throws(KVError) -> UndoRule.Key {
    if let known, rule != nil, known.isConstant {
      return UndoRule.Key(known.name, rule, isConstant: true, valueType: known.valueType)
    }
    if known?.hasToManyFunctions != true { try KVC.checkSettable(KVKeyPath(listedKey: name), of: object) }
    if known == nil { try checkNoPath(name, rule, of: object) }
    return UndoRule.Key(known?.name ?? name, rule, valueType: known?.valueType)
  }

  /// Returns the keys that are recorded by default, and those that are relationships.
  private func defaultKeys(
    of rule: UndoRule, _ object: any KVObservable, _ known: [KVKeyDescription], _ site: Site
  ) throws(KVError) -> [UndoRule.Key] {
    let isRecord = object is KVRecord
    let recorded = known.filter { key in
      key.canNotify && (!key.isReadOnly || key.hasToManyFunctions) && (!key.isReflected || isRecord)
    }
    if KVDiagnostics.isReported(.warning) {
      if typesReported.insert(ObjectIdentifier(type(of: object))).inserted {
        reportLeftOut(of: known, recorded, object, rule, site)
      }
      reportMistyped(rule, known, object, site)
    }
    let relationships = rule.relationships(among: known)
    let names = Set(relationships.map(\.name))
    var keys = recorded.filter { !names.contains($0.name) }.map { key in
      isRecord ? UndoRule.Key(key.name, rule, isOfRecords: true) : UndoRule.Key(key.name)
    }
    for relationship in relationships { keys.append(try key(relationship.name, rule, relationship, of: object)) }
    return keys
  }

  /// Throws if a name that an object does not have as a key is the text of a key path: a record can have any key later.
  private func checkNoPath(_ name: String, _ rule: UndoRule?, of object: any KVObservable) throws(KVError) {
    guard let path = try? KVKeyPath(name), path.components != [.key(name)], !path.first.isOperator else { return }
    let isOfElements = rule?.isOfElements == true
    let cure = path.first.observedName.map {
      isOfElements
        ? " Name the collection by its key: of: \"\($0)\"." : " Record keys by their names: keys: [\"\($0)\"]."
    }
    throw KVError(
      .undefinedKey,
      "\"\(shortened(name))\" is a key path, and the \(type(of: object)) does not have a key of this name.\(cure ?? "")",
      component: name, rootType: "\(type(of: object))")
  }

  // MARK: Reports

  /// Reports keys that notify of changes which are not recorded, not even as those of a key that depends on them.
  private func reportLeftOut(
    of known: [KVKeyDescription], _ recorded: [KVKeyDescription], _ object: any KVObservable, _ rule: UndoRule,
    _ site: Site
  ) {
    let known = known.filter { $0.canNotify && $0.affectingKeyPaths.isEmpty && !$0.notifiesManually }
    let covered = Set(recorded.flatMap { [$0.name] + $0.affectingKeyPaths })
    let leftOut = known.map(\.name).filter { !covered.contains($0) }
    if leftOut.isEmpty { return }
    let names = recorded.map { "\"\($0.name)\"" }.joined(separator: ", ")
    // Of a tree, only relationships are named.
    let cure = rule.relationships.isEmpty ? ", or name the keys to record: keys: [\(names)]" : ""
    KVDiagnostics.report(.warning, .undo, nil, object, site) {
      """
      recording \(type(of: object)) leaves out what cannot be set by key: \(leftOut.map { "\"\($0)\"" }.joined(separator: ", ")). \
      Undo does not restore it. Make it settable\(cure).
      """
    }
  }

  /// Reports relationships that look like mistyped keys of an object.
  private func reportMistyped(
    _ rule: UndoRule, _ known: [KVKeyDescription], _ object: any KVObservable, _ site: Site
  ) {
    for (name, suggestion) in rule.mistyped(known, of: type(of: object)) {
      KVDiagnostics.report(.warning, .undo, nil, object, site) {
        """
        no object of the tree has a relationship "\(name)", but \(type(of: object)) has a key "\(suggestion)", through which \
        the tree does not lead. If that is meant, name it: relationships: ["\(suggestion)"].
        """
      }
    }
  }
}

extension KVKeyDescription {
  /// Whether a key is neither set nor notifies, as a `let` is.
  fileprivate var isConstant: Bool { isReadOnly && !canNotify && !hasToManyFunctions }
}
