import KVBinding
import KVCore

// Several changes in one update (CTR.6).
extension KVArrayController {
  /// Records what a call of `update(_:)` has changed by index.
  func record(_ edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>) {
    if let edit {
      if isSetByModel { composite.isEditedByModel = true }
      composite.editContent(IndexedEdit(removing: edit.removedIndexes, adding: edit.addedIndexes))
    }
    record(change)
  }

  /// Records a change of the arrangement.
  func record(_ change: ArrangementChange<Element>) {
    if change.kind == .none { return }
    composite.hasRearranged = true
    composite.editArranged(IndexedEdit(removing: change.removed, adding: change.inserted))
  }

  /// Returns the update that stands for all changes of a call of `update(_:)`, and avoids an empty selection (CTR.30).
  func combined(_ changes: [KeyChange], since former: FormerArrays<Element>) -> KeyUpdate {
    let composite = composite
    self.composite = Composite()
    let arranged = arrangement.elements
    let (before, old) = (former.state, former.arranged)
    if composite.hasRearranged, current.avoidsEmptySelection { current.selection.avoidEmpty(count: arranged.count) }
    current.selection.endUpdate()
    let after = current.selection
    var update = KeyUpdate {}
    func isSetting(_ key: KVKey) -> Bool { changes.contains { $0.key == key && $0.kind == .setting } }
    for key in [Keys.sortDescriptors, Keys.filterPredicate, Keys.automaticallyRearrangesObjects] {
      if isSetting(key) { update.changes.append(KeyChange(key)) }
    }
    if before.avoidsEmptySelection != current.avoidsEmptySelection {
      update.changes.append(KeyChange(Keys.avoidsEmptySelection))
    }
    if !Self.isSame(before.arrangementError, current.arrangementError) {
      update.changes.append(KeyChange(Keys.arrangementError))
    }
    let edits = IndexedEdit.composed(runs: composite.content)
    update.changes += Self.changes(
      of: Keys.content, edits, former.content, currentContent,
      isSetting: isSetting(Keys.content) || composite.isEditedByModel && edits.isEmpty)
    let rearrangement = IndexedEdit.composed(runs: composite.arranged)
    var arrangement = Self.changes(
      of: Keys.arrangedObjects, rearrangement, old, arranged, isSetting: isSetting(Keys.arrangedObjects))
    if arrangement.count == 2 {
      update.first = [arrangement.removeFirst()]
      update.applyFirst = { [self] in showRemoval(rearrangement.removedIndexes, former) }
    }
    update.changes += arrangement
    addSelectionChanges(
      &update.changes, from: (before.selection, old.count), to: (after, arranged.count),
      isSame: isSame(old[at: before.selection.indexes], arranged[at: after.indexes]))
    let known: Set = [
      Keys.content, Keys.arrangedObjects, Keys.sortDescriptors, Keys.filterPredicate, Keys.selection,
      Keys.automaticallyRearrangesObjects, Keys.avoidsEmptySelection, Keys.selectionIndexes, Keys.selectionIndex,
      Keys.selectedObjects, Keys.canSelectNext, Keys.canSelectPrevious, Keys.arrangementError,
    ]
    addMappedKeys(to: &update, changed: composite.changedMappedKeys, since: before.version)
    // The base class leaves out those of its own keys that show the same.
    let others = changes.map(\.key).filter { !known.contains($0) } + [Keys.canRemove]
    for key in others where !update.changes.contains(where: { $0.key == key }) {
      update.changes.append(KeyChange(key))
    }
    return update
  }

  /// Returns how an array notifies that edits by index have changed.
  private static func changes(
    of key: KVKey, _ edit: IndexedEdit<Never>, _ old: [Element], _ new: [Element], isSetting: Bool
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
  private func showRemoval(_ removed: [Int], _ former: FormerArrays<Element>) {
    var (state, arranged) = (former.state, former.arranged)
    arranged.remove(at: removed)
    state.selection.follow(removed: removed, inserted: [])
    state.version = -1
    shown = FormerArrays(state, former.content, arranged: arranged)
  }
}
