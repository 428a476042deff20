import KVCore

/// The edits of a manager in an outermost change, scope, transaction or group that has not ended.
final class OpenStep: ChangeBoundary.Participant {
  private let manager: KVUndoManager
  let boundary: ChangeBoundary
  /// The name of the outermost group.
  private(set) var name: String?
  private(set) var hasGroup = false
  private(set) var edits: ContiguousArray<UndoEdit> = []

  init(_ manager: KVUndoManager, _ boundary: ChangeBoundary) {
    self.manager = manager
    self.boundary = boundary
  }

  @inline(__always)
  func append(_ edit: consuming UndoEdit) { edits.append(edit) }

  /// Takes the edits.
  func takeEdits() -> ContiguousArray<UndoEdit> {
    defer { edits = [] }
    return edits
  }

  func beginGroup(_ name: String?) {
    if hasGroup { return }
    (hasGroup, self.name) = (true, name)
  }

  // MARK: ChangeBoundary.Participant

  var collector: AnyObject { manager }
  var count: Int { edits.count }

  /// Removes the registered edits of a transaction, and its changes of each key that has its former value again.
  func didRollBack(to count: Int) {
    var changes: [UndoKey.ID: [UndoChange]] = [:]
    for change in edits[count...].compactMap(\.change) { changes[change.key.id, default: []].append(change) }
    let kept = changes.filter { !Self.isUndone($0.value) }
    let removed = edits
    edits.removeSubrange(count...)
    edits += removed[count...].filter { $0.change.map { kept[$0.key.id] != nil } ?? false }
    withExtendedLifetime(removed) {}
  }

  private static func isUndone(_ changes: [UndoChange]) -> Bool {
    guard let key = changes.first?.key, let object = key.object else { return true }
    let value = key.value(of: object)
    return Equality.areEqual(ToManyParts.undone(changes.map(\.part), from: value), value)
  }

  func didEnd() { manager.finish(self) }
}
