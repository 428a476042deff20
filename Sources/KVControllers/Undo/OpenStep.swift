import KVBinding
import KVCore

/// The edits of a manager in an outermost change, scope, transaction or group that has not ended.
///
/// The boundary retains it, and it retains the manager; the manager references it weakly.
final class OpenStep: ChangeBoundary.Participant {
  private let manager: KVUndoManager
  let boundary: ChangeBoundary
  /// The name of the outermost group.
  private(set) var name: String?
  private(set) var hasGroup = false
  /// Whether the step was begun in a scope or transaction, whose settings are not merged.
  let isScope: Bool
  /// Whether an object of the edits may have been deallocated.
  var mayHaveDead = false
  private(set) var edits: ContiguousArray<UndoEdit> = []
  /// The number of edits that were taken before the end.
  private var consumedCount = 0
  /// The indexes of changes that were made without recording in a transaction, which reverts them if it fails.
  private var unrecorded: Set<Int> = []
  /// The selections before their first changes.
  private var selections: [ObjectIdentifier: UndoSelection.Saved] = [:]
  /// The keys that stand for several of the edits; a rolled back transaction leaves its own, which does no harm.
  private(set) var aggregateKeys = AggregateKeys()
  /// The objects that have left their places in a tree.
  private var left: [UndoNode] = []
  /// The keys that a transaction had written before they were recorded: if it fails, it restores values that no edit has.
  ///
  /// They are retained, so that no other key gets the identity of one.
  private var writtenBefore: [ObjectIdentifier: UndoKey] = [:]
  /// The count when the models were saved; nil if they were not.
  private var savedCount: Int?

  init(_ manager: KVUndoManager, _ boundary: ChangeBoundary) {
    self.manager = manager
    self.boundary = boundary
    isScope = KVCoalescing.isCoalescing
  }

  @inline(__always)
  func append(_ edit: consuming UndoEdit) { edits.append(edit) }

  /// Adds a change that is not recorded unless its transaction fails, which makes its reverse.
  func appendUnrecorded(_ edit: UndoEdit) {
    unrecorded.insert(edits.count)
    edits.append(edit)
  }

  /// Takes the recorded edits.
  func removeAllEdits() -> ContiguousArray<UndoEdit> {
    let (all, unrecorded) = (edits, unrecorded)
    consumedCount += all.count
    (edits, self.unrecorded) = ([], [])
    if unrecorded.isEmpty { return all }
    return ContiguousArray(all.indices.filter { !unrecorded.contains($0) }.map { all[$0] })
  }

  /// Removes the edits, and returns them to be released.
  ///
  /// In a transaction they are only not recorded any more: if it fails, it makes their reverse.
  func removeEdits() -> ContiguousArray<UndoEdit> {
    if !WriteLog.isCurrent { return removeAllEdits() }
    unrecorded.formUnion(edits.indices)
    return []
  }

  var hasEdits: Bool { edits.count > unrecorded.count }

  func noteWrittenBefore(_ key: UndoKey) { writtenBefore[ObjectIdentifier(key)] = key }

  func beginGroup(_ name: String?) {
    if hasGroup { return }
    (hasGroup, self.name) = (true, name)
  }

  // MARK: Objects that leave

  /// Notes an object that may leave its tree at the end of the step: handlers may edit what was removed, and undoing the
  /// step has to undo that as well.
  func didRemove(_ node: UndoNode) { left.append(node) }

  func takeLeft() -> [UndoNode] {
    defer { left = [] }
    return left
  }

  // MARK: Selections

  /// Keeps what was selected before the first change of a selection in the step.
  func note(_ selection: UndoSelection, _ items: [Any]) {
    let id = ObjectIdentifier(selection)
    if selections[id] == nil { selections[id] = selection.saved(items) }
  }

  func selection(of selection: UndoSelection) -> UndoSelection.Saved? { selections[ObjectIdentifier(selection)] }

  // MARK: Saving

  func markSaved() { savedCount = count }

  /// Whether the models were saved during the step and have not changed since; nil if they were not saved.
  var isSaved: Bool? { savedCount.map { $0 == count } }

  // MARK: ChangeBoundary.Participant

  var collector: AnyObject { manager }
  var count: Int { consumedCount + edits.count }

  func didChangeAggregate(_ key: InternedKey, of object: AnyObject) {
    aggregateKeys.insert([key], of: WeakReference(object))
  }

  /// Removes the registered edits of a transaction, and its changes of each key that has its former value again.
  func didRollBack(to count: Int) {
    if let savedCount, savedCount > count { self.savedCount = -1 }
    let start = max(0, count - consumedCount)
    guard start < edits.count else { return }
    let kept = UndoEdit.byKey(edits[start...]).filter { key, changes in
      writtenBefore[key] == nil && !Self.isUndone(changes)
    }
    let removed = edits
    let previousUnrecorded = unrecorded
    edits.removeSubrange(start...)
    unrecorded = unrecorded.filter { $0 < start }
    for index in removed.indices[start...] {
      guard let key = removed[index].key, kept[ObjectIdentifier(key)] != nil else { continue }
      if previousUnrecorded.contains(index) { unrecorded.insert(edits.count) }
      edits.append(removed[index])
    }
    withExtendedLifetime(removed) {}
  }

  private static func isUndone(_ changes: [UndoEdit]) -> Bool {
    guard let key = changes.first?.key, let object = key.object else { return true }
    let value = key.value(of: object)
    return Equality.areIdentical(ToManyParts.undone(changes.map { $0.change(of: key) }, from: value), value)
  }

  func didEnd() { manager.finish(self) }
}
