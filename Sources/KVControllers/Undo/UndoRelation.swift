import KVBinding
import KVCore

/// A key of an object that leads to further objects of an ``UndoTree``: one, those of a collection, or those of a value.
final class UndoRelation {
  let node: UndoNode
  /// The recorded key; nil for a constant.
  let key: UndoKey?
  private let name: String
  private let path: KVKeyPath
  /// The rule of the objects.
  private let rule: UndoRule
  /// Whether only records are followed.
  private let isOfRecords: Bool
  /// The declared type of the values; nil if it is not known.
  private let valueType: Any.Type?
  private var members = CountedElements<UndoNode.ID, UndoNode>()
  /// Whether elements are values or collections, of which a change does not tell what they have lost.
  private var isNested = false
  /// Whether an element was an object, or a value in which relationships lead on, and whether the rule knows.
  private var hasLead = false
  private var isLeadNoted = false

  /// - Parameters:
  ///   - node: The node of the object that has the key.
  ///   - key: The key.
  ///   - recorded: The recorded key; nil for a constant.
  ///   - rule: The rule of the objects to which the key leads.
  init(_ node: UndoNode, _ key: UndoRule.Key, _ recorded: UndoKey?, _ rule: UndoRule) {
    (self.node, name, self.key) = (node, key.name, recorded)
    path = recorded?.path ?? KVKeyPath(listedKey: key.name)
    (self.rule, isOfRecords, valueType) = (rule, key.isOfRecords, key.valueType)
  }

  /// The nodes of the objects.
  var nodes: [UndoNode] { members.all }

  func removeAll() -> [UndoNode] { members.takeAll() }

  // MARK: Changes

  /// Follows a change of the key.
  func follow(_ notice: borrowing _KVChangeNotice) {
    guard !node.hasLeft else { return }
    defer { node.tree.enterPending() }
    if notice.kind != .setting, !isNested {
      // First what is added: a replaced element that stays is recorded without interruption.
      let added = DynamicCollection.list(notice.newValue)
      for element in added { add(element) }
      if !added.isEmpty { checkLead(added[0], of: notice.object) }
      for element in DynamicCollection.list(notice.oldValue) { remove(element) }
      if !isNested, DynamicCollection.count(of: value(of: notice.object)) == members.count { return }
    }
    read(notice.object)
  }

  /// Reads all objects anew.
  func read(_ object: AnyObject) {
    (isNested, hasLead) = (false, false)
    members.restart()
    let value = value(of: object)
    let elements = elements(of: value)
    for element in elements { add(element) }
    for previous in members.removeUncounted() { node.tree.detach(previous, from: self) }
    checkLead(elements.isEmpty ? nil : value, of: object)
  }

  /// Notes whether the key of a tree leads to objects, or may lead to them later: a relationship that no object has so is a
  /// mistake (UND.16).
  ///
  /// - Parameter value: The value that was read, or an added element; nil if there is no element.
  private func checkLead(_ value: Any?, of object: AnyObject) {
    if isLeadNoted || isOfRecords || rule.isOfElements || rule.names != nil { return }
    let hasModels = valueType.flatMap { DynamicCollection.areModels(in: $0) }
    if hasLead || value == nil && hasModels == true {
      isLeadNoted = true
      return rule.noteLead(name)
    }
    if value == nil, hasModels == nil { return rule.noteOpenEnd(name) }
    let found = value.map { type(of: $0) } ?? valueType ?? Any.self
    if let error = rule.deadEnd(name, of: type(of: object), found, isCertain: hasModels != nil) {
      node.tree.report(error, path, object)
    }
  }

  private func value(of object: AnyObject) -> Any? { (try? Reader(path).value(of: object)) ?? nil }

  private func elements(of value: Any?) -> [Any] {
    guard let value else { return [] }
    let isCollection = DynamicCollection.areInside(type(of: value))
    if isCollection, isOfRecords, !DynamicCollection.mayContainObjects(value) { return [] }
    do throws(KVError) {
      if isDictionary(value), !rule.isOfElements, rule.names != nil { return [value] }
      if isCollection, let all = try DynamicCollection.all(of: value) { return all.map { asAny($0) } }
      if rule.isOfElements, !isOfRecords { throw noCollection }
      return [value]
    } catch {
      fail(error)
      return []
    }
  }

  // MARK: Elements

  private func add(_ element: Any) {
    members.countOne()
    forEachObject(in: element, rule, depth: 0) { object, rule in
      let id = UndoNode.ID(object, rule)
      // A dead object may have had the same identity.
      if members.addOccurrence(id, where: { $0.object === object && !$0.hasLeft }) { return }
      guard let entered = node.tree.enter(object, rule, by: self) else { return }
      if let previous = members.keep(entered, of: id), previous !== entered { node.tree.detach(previous, from: self) }
    }
  }

  private func remove(_ element: Any) {
    let object = objectCast(element, to: (any KVObservable).self).flatMap { isFollowed($0) ? $0 : nil }
    if let previous = members.remove(object.map { UndoNode.ID($0, rule) }) { node.tree.detach(previous, from: self) }
  }

  private func isFollowed(_ object: any KVObservable) -> Bool { !isOfRecords || object is KVRecord }

  /// Calls a function with each object that an element is or has, and its rule.
  private func forEachObject(
    in element: Any, _ rule: UndoRule, depth: Int, _ body: (any KVObservable, UndoRule) -> Void
  ) {
    guard let element = unwrappingOptionals(element) else { return }
    if type(of: element) is AnyClass {
      hasLead = true
      if let object = objectCast(element, to: (any KVObservable).self) {
        if isFollowed(object) { body(object, rule) }
      } else if !isOfRecords {
        fail(notObservable(element))
      }
      return
    }
    if rule.isOfElements, !isOfRecords { return fail(notObservable(element)) }
    do throws(KVError) {
      try DynamicCollection.checkNesting(depth, at: "\"\(path)\"")
      for (value, rule) in try contents(of: element, rule) {
        isNested = true
        forEachObject(in: value, rule, depth: depth + 1, body)
      }
    } catch {
      fail(error)
    }
  }

  /// Returns what a value that is no object may lead on to, each with its rule.
  private func contents(of value: Any, _ rule: UndoRule) throws(KVError) -> [(Any, UndoRule)] {
    if rule.names == nil || !isDictionary(value), let elements = try DynamicCollection.all(of: value) {
      return elements.compactMap { element in element.map { ($0, rule) } }
    }
    if let names = rule.names {
      var contents: [(Any, UndoRule)] = []
      for name in names {
        let content = try Reader(KVKeyPath(listedKey: name.text)).value(of: value)
        if let rule = name.rule, let content { contents.append((content, rule)) }
      }
      return contents
    }
    guard !rule.relationships.isEmpty, value is any KeyValueCoding else { return [] }
    let relationships = rule.relationships(among: try KVC.keys(of: value))
    if !relationships.isEmpty { hasLead = true }
    return relationships.compactMap { key in
      ((try? Reader(KVKeyPath(listedKey: key.name)).value(of: value)) ?? nil).map { ($0, rule) }
    }
  }

  private func isDictionary(_ value: Any) -> Bool { TypeInfo.of(value).kind == .keyed }

  // MARK: Errors

  private func fail(_ error: KVError) { node.tree.fail(error, path, node.object) }

  private var noCollection: KVError {
    let owner = node.object.map { "\(type(of: $0))" } ?? "an object"
    return KVError(
      .unsupported,
      "\"\(path)\" of \(owner) is not a collection, and has no elements. Record it by record(_:keys:).",
      keyPath: path.description, rootType: owner)
  }

  private func notObservable(_ value: Any) -> KVError {
    let noun = rule.isOfElements ? "an element" : "a value"
    return KVError(
      .notObservable,
      """
      \(noun) of "\(path)" is \(withArticle(type(of: value))), whose changes cannot be observed. Record the key \
      "\(path)" only, by record(_:keys:).
      """, component: "\(path)")
  }
}
