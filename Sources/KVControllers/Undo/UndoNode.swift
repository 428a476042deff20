import KVBinding
import KVCore

/// An object of an ``UndoTree``, whose keys are recorded.
///
/// It retains its tree and its relations, and these retain it, until it leaves the tree.
final class UndoNode {
  /// The identity: an object that several rules lead to has a node for each.
  struct ID: Hashable {
    let object: ObjectIdentifier
    let rule: ObjectIdentifier

    init(_ object: AnyObject, _ rule: UndoRule) {
      (self.object, self.rule) = (ObjectIdentifier(object), ObjectIdentifier(rule))
    }
  }

  let id: ID
  let rule: UndoRule
  let tree: UndoTree
  private let reference: WeakReference<AnyObject>
  private var keys: [UndoKey] = []
  /// The names of the keys of a record that may get others, and the recording of these.
  private var names: Set<String> = []
  private var additions: KVObservation?
  /// The keys that lead to further objects.
  private(set) var relations: [UndoRelation] = []
  /// The relations that lead to the object.
  var incoming: [ObjectIdentifier: UndoRelation] = [:]
  /// The one of them that is part of the spanning tree; nil for the root, and until the end of the step in which the
  /// object has left it.
  var parent: UndoRelation?
  private(set) var hasLeft = false

  init(_ object: any KVObservable, _ rule: UndoRule, _ tree: UndoTree) {
    (id, reference, self.rule, self.tree) = (ID(object, rule), WeakReference(object), rule, tree)
  }

  /// The object; nil from the begin of its `deinit`.
  var object: AnyObject? { reference.object }

  // MARK: Recording

  /// Records the keys of the object that its rule names.
  ///
  /// - Throws: ``KVError`` if a key cannot be recorded. None is then.
  func begin(_ object: any KVObservable, _ manager: KVUndoManager) throws(KVError) {
    do throws(KVError) {
      for key in try manager.keys(of: rule, object, tree.site) { try add(key, object, manager) }
      if rule.names == nil, let record = object as? KVRecord { try followAdditions(to: record) }
    } catch {
      detachFromTree()
      end()
      throw error
    }
  }

  private func add(_ key: UndoRule.Key, _ object: any KVObservable, _ manager: KVUndoManager) throws(KVError) {
    var recorded: UndoKey?
    if !key.isConstant {
      let used = manager.key(key.name, of: object)
      try used.use(object, tree.site)
      keys.append(used)
      recorded = used
    }
    guard let rule = key.rule else { return }
    let relation = UndoRelation(self, key, recorded, rule)
    recorded?.relations.append(relation)
    relations.append(relation)
  }

  /// Records the keys that a record gets later.
  private func followAdditions(to record: KVRecord) throws(KVError) {
    names = Set(record.keys)
    additions = try record.recordChanges(
      KVKeyPath(listedKey: InternedKey.addedKey.name), [.new], tree.site, isRecorded: { _, _ in false },
      objectDidDeallocate: {}
    ) { [weak self] notice in
      if let self, let name = notice.newValue as? String { willAdd(name, to: notice.object) }
    }
  }

  private func willAdd(_ name: String, to object: AnyObject) {
    guard let manager = tree.manager.object, let record = object as? KVRecord, !hasLeft else { return }
    if manager.isOffExecutor { return manager.reportThread(KVKeyPath(listedKey: name), record) }
    guard names.insert(name).inserted else { return }
    let key = UndoRule.Key(name, rule, isOfRecords: !rule.relationships.contains(name))
    // A key of a record can always be observed.
    try? add(key, record, manager)
  }

  // MARK: Leaving

  /// Takes the object out of its tree, except for what ``end()`` does afterwards.
  func detachFromTree() {
    hasLeft = true
    for relation in relations { relation.key?.relations.removeAll { $0 === relation } }
    (relations, incoming, parent) = ([], [:], nil)
  }

  /// Ends the recording of the keys, which reports the end of registrations, and so may run any code.
  func end() {
    let (keys, additions) = (keys, additions)
    (self.keys, self.additions) = ([], nil)
    additions?.cancel()
    for key in keys { key.endUse() }
  }
}
