import KVBinding
import KVCore

extension KVUndoManager {
  /// Records the changes of an object's keys from now on (UND.1).
  ///
  /// ```swift
  /// try undo.record(song)
  /// try undo.record(settings, keys: ["volume", "window.width"])
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object, which is referenced weakly.
  ///   - keys: The keys, or key paths through further objects, whose keys are recorded as far as the path leads; nil for
  ///     all settable keys of the table that notify of changes. A warning names the keys that notify and are left out.
  ///     Of a ``KVRecord``, all keys, also later ones, and those of the records in it.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable` or `notObservable`; `unsupported` if the list of keys is empty;
  ///   `wrongThread` off the executor. Nothing is recorded then. Errors of objects to which a path leads later are
  ///   reported through ``KVDiagnostics``.
  /// - Complexity: O(1) for each key.
  public func record(
    _ object: some KVObservable, keys: [String]? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try checkExecutor("record")
    if keys?.isEmpty == true {
      throw KVError(
        .unsupported,
        "the list of keys of \(type(of: object)) is empty: nothing would be recorded. Name the keys, or leave the list out."
      )
    }
    try record(object, UndoRule(keys?.map { UndoRule.Name($0) }), Site(file, line))
  }

  /// Records the changes of a tree of objects: of a root, and of all objects to which relationships lead from it while
  /// they do, and until the end of the step in which they leave (UND.16).
  ///
  /// ```swift
  /// try undo.record(tree: library, relationships: ["albums", "tracks", "cover"])
  /// ```
  ///
  /// Of each object the keys are recorded that ``record(_:keys:file:line:)`` records. Objects may be shared, and refer to
  /// each other in cycles; each is recorded once.
  ///
  /// - Parameters:
  ///   - root: The root, which is referenced weakly.
  ///   - relationships: The keys that lead from an object to others: to one, to those of a collection, or to those in a
  ///     value with a table. An object need not have all of them. Of a ``KVRecord``, the keys of records need no name.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: `undefinedKey` if none of the relationships is a key of the root; `notSettable` or
  ///   `notObservable`; `unsupported` if there are no relationships, and the root is no record, if one is a key path, or if one
  ///   leads to no objects wherever it is a key; `wrongThread` off the executor. Nothing is recorded then. Errors of objects that come later are reported through ``KVDiagnostics``.
  /// - Complexity: O(*n*) in the number of objects; O(*k*) for *k* objects that come or leave.
  public func record(
    tree root: some KVObservable, relationships: [String] = [], file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try checkExecutor("record")
    let rule = UndoRule(nil, relationships: relationships)
    if !(root is KVRecord) {
      guard let name = relationships.first else {
        throw KVError(
          .unsupported,
          """
          the list of relationships of \(type(of: root)) is empty: the tree would be the root alone. Name the keys that lead \
          to other objects, or record the root by record(_:).
          """)
      }
      let known = rule.relationships(among: try KVC.keys(of: root))
      for name in relationships where !known.contains(where: { $0.name == name || $0.aliases.contains(name) }) {
        try checkIsKey(name, of: root)
      }
      if known.isEmpty {
        try KVC.checkSettable(KVKeyPath(listedKey: name), of: root)
      }
    }
    try record(root, rule, Site(file, line))
  }

  /// Throws if a relationship is no name of a key.
  private func checkIsKey(_ name: String, of root: some KVObservable) throws(KVError) {
    let path = try KVKeyPath(name)
    if path.components == [.key(name)] { return }
    let keys = path.keyNames.map { "\"\($0)\"" }
    throw KVError(
      .unsupported,
      """
      the relationship "\(shortened(name))" of a tree is a key path. A relationship is the name of one key, which is followed from \
      each object that has it: relationships: [\(keys.joined(separator: ", "))].
      """, keyPath: name, rootType: "\(type(of: root))")
  }

  /// Records the changes of a collection, and of keys of each element while it is a member, and until the end of the step
  /// in which it leaves (UND.1).
  ///
  /// Another call for the same collection adds keys.
  ///
  /// ```swift
  /// try undo.recordElements(of: "songs", in: library)
  /// try undo.recordElements(of: "albums.tracks", in: library)
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of an array or a set of observable objects, or a key path to it through further objects, whose keys
  ///     are recorded as far as the path leads.
  ///   - object: The object that has the key, which is referenced weakly.
  ///   - keys: The keys of the elements; nil for those that ``record(_:keys:file:line:)`` records of each.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: `undefinedKey`, `notSettable` or `notObservable`, for the collection and for its current
  ///   elements; `unsupported` if the key is no collection, or if the list of keys is empty; `wrongThread` off the executor. Nothing is recorded then.
  ///   Errors of elements that are inserted later are reported through ``KVDiagnostics``.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* inserted or removed elements.
  public func recordElements(
    of key: String, in object: some KVObservable, keys: [String]? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(KVError) {
    try checkExecutor("recordElements")
    if keys?.isEmpty == true {
      throw KVError(
        .unsupported,
        """
        the list of keys of the elements of "\(shortened(key))" is empty: no element would be recorded. Name the keys, or leave \
        the list out. To record the collection alone, use record(_:keys:).
        """, keyPath: key, rootType: "\(type(of: object))")
    }
    let elements = UndoRule(keys?.map { UndoRule.Name($0) }, isOfElements: true)
    try record(object, UndoRule([UndoRule.Name(key, to: elements)]), Site(file, line))
  }

  /// Ends the recording of what was recorded by calls with an object, and that of its selection (UND.1).
  ///
  /// The steps remain. If another object leads to it, the object is recorded further.
  ///
  /// - Parameter object: The object.
  public func stopRecording(_ object: some KVObservable) {
    if reportsOffExecutor("stopRecording") { return }
    removeDead()
    selections.removeAll { $0.id == ObjectIdentifier(object) }
    for tree in trees.removeValue(forKey: ObjectIdentifier(object)) ?? [] { tree.cancel() }
  }

  /// Records what a rule says, unless that is recorded already.
  private func record(_ root: some KVObservable, _ rule: UndoRule, _ site: Site) throws(KVError) {
    removeDead()
    let id = ObjectIdentifier(root)
    if trees[id]?.contains(where: { $0.rootObject === root && $0.rule == rule }) == true { return }
    let tree = try UndoTree(root, rule, self, site)
    trees[id, default: []].append(tree)
  }

  /// Ends the recording of a tree.
  func remove(_ tree: UndoTree, of root: ObjectIdentifier) {
    trees[root]?.removeAll { $0 === tree }
    if trees[root]?.isEmpty == true { trees[root] = nil }
    tree.cancel()
  }
}
