import KVBinding
import KVCore

// Several edits in one update (CTR.6).
extension ArrayModel {
  /// Returns the update that stands for all edits of the present one, and avoids an empty selection (CTR.30).
  ///
  /// - Parameters:
  ///   - changes: The changes of keys that the edits would have notified of.
  ///   - previous: The state before.
  ///   - addMappedKeys: Adds the changes of observed paths through arrays.
  func combined(
    _ changes: [KeyChange], since previous: ArraySnapshot<Element>,
    addMappedKeys: (inout KeyUpdate, _ changed: Set<InternedKey>) -> Void
  ) -> KeyUpdate {
    let summary = summary
    self.summary = UpdateSummary()
    let arranged = arrangement.elements
    let (before, old) = (previous.state, previous.arranged)
    if summary.isRearranged, state.avoidsEmptySelection { state.selection.avoidEmpty(count: arranged.count) }
    state.selection.endUpdate()
    let after = state.selection
    var update = KeyUpdate {}
    func isSetting(_ key: InternedKey) -> Bool { changes.contains { $0.key == key && $0.kind == .setting } }
    for key in [Keys.sortDescriptors, Keys.filterPredicate, Keys.automaticallyRearrangesObjects] {
      if isSetting(key) { update.changes.append(KeyChange(key)) }
    }
    if before.avoidsEmptySelection != state.avoidsEmptySelection {
      update.changes.append(KeyChange(Keys.avoidsEmptySelection))
    }
    if !Self.isSame(before.arrangementError, state.arrangementError) {
      update.changes.append(KeyChange(Keys.arrangementError))
    }
    let edits = IndexedEdit.composed(runs: summary.content)
    update.changes += Self.changes(
      of: Keys.content, edits, previous.content, content,
      isSetting: isSetting(Keys.content) || summary.isEditedByModel && edits.isEmpty)
    let rearrangement = IndexedEdit.composed(runs: summary.arranged)
    var arrangement = Self.changes(
      of: Keys.arrangedObjects, rearrangement, old, arranged, isSetting: isSetting(Keys.arrangedObjects))
    if arrangement.count == 2 {
      update.first = [arrangement.removeFirst()]
      update.applyFirst = { [self] in showRemoval(rearrangement.removedIndexes, previous) }
    }
    update.changes += arrangement
    addSelectionChanges(
      &update.changes, from: (before.selection, old.count), to: (after, arranged.count),
      isSame: Self.isSame(old[at: before.selection.indexes], arranged[at: after.indexes]))
    let known: Set = [
      Keys.content, Keys.arrangedObjects, Keys.sortDescriptors, Keys.filterPredicate, Keys.selection,
      Keys.automaticallyRearrangesObjects, Keys.avoidsEmptySelection, Keys.selectionIndexes, Keys.selectionIndex,
      Keys.selectedObjects, Keys.canSelectNext, Keys.canSelectPrevious, Keys.arrangementError,
    ]
    addMappedKeys(&update, summary.changedMappedKeys)
    // The base class leaves out those of its own keys that show the same.
    let others = changes.map(\.key).filter { !known.contains($0) } + [Keys.canRemove]
    for key in others where !update.changes.contains(where: { $0.key == key }) {
      update.changes.append(KeyChange(key))
    }
    return update
  }

  /// Returns how an array notifies that edits by index have changed.
  private static func changes(
    of key: InternedKey, _ edit: IndexedEdit<Never>, _ old: [Element], _ new: [Element], isSetting: Bool
  ) -> [KeyChange] {
    if isSetting { return [KeyChange(key)] }
    if edit.isEmpty { return [] }
    let (removed, inserted) = (edit.removedIndexes, edit.addedIndexes)
    let removal = KeyChange(key, .removal, at: removed, old: old[at: removed])
    if inserted.isEmpty { return [removal] }
    let elements = new[at: inserted]
    let insertion = KeyChange(key, .insertion, at: inserted, new: elements)
    if removed.isEmpty { return [insertion] }
    if removed.count == old.count, key != Keys.content {
      let ids = Set(old.compactMap(ArrangedContent<Element>.identity))
      let isShared = new.contains { ArrangedContent<Element>.identity(of: $0).map(ids.contains) ?? false }
      if !isShared { return [KeyChange(key)] }
    }
    if edit.kind == .replacement {
      return [KeyChange(key, .replacement, at: removed, old: old[at: removed], new: elements)]
    }
    return key == Keys.content ? [KeyChange(key)] : [removal, insertion]
  }

  /// Shows the state between the removal and the insertion of an update with several changes (CTR.11).
  private func showRemoval(_ removed: [Int], _ previous: ArraySnapshot<Element>) {
    var (state, arranged) = (previous.state, previous.arranged)
    arranged.remove(at: removed)
    state.selection.follow(removed: removed, inserted: [])
    state.version = -1
    presented = ArraySnapshot(state, previous.content, arranged: arranged)
  }
}
