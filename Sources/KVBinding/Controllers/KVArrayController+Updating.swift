import KVCore

extension KVArrayController {
  /// An edit of the content by index.
  struct ContentEdit {
    let kind: KVChange.Kind
    /// The ascending indexes: before a removal, after an insertion.
    let indexes: [Int]
    var elements: [Element] = []

    func apply(to content: inout [Element]) {
      switch kind {
      case .insertion: content.insert(elements, at: indexes)
      case .removal: content.remove(at: indexes)
      case .replacement: for (index, element) in zip(indexes, elements) { content[index] = element }
      case .setting: break
      }
    }
  }

  /// What becomes of the selection with an edit by index.
  enum SelectionEffect {
    /// It follows its objects.
    case follows
    /// It follows its objects, of which those that are removed and inserted have moved.
    case followsMoves
    /// The selected objects that are replaced at their indexes remain selected.
    case keepsReplaced
    /// It becomes the inserted objects (CTR.29).
    case becomesInserted
  }

  // MARK: Edits by index

  /// Returns the update for an edit of the content by index, or for an element that moves; nil if nothing changes.
  func update(
    for edit: ContentEdit?, _ change: ArrangementChange<Element>, selection effect: SelectionEffect = .follows
  ) -> KeyUpdate? {
    if edit == nil, change.kind == .none { return nil }
    let count = arrangement.elements.count - change.removed.count + change.inserted.count
    let former = current.selection
    var (between, after) = (former, former)
    var isSame = true
    if change.kind != .none {
      if effect == .keepsReplaced, change.removed == change.inserted {
        isSame = IndexDifference.split(former.indexes, by: change.removed).common.isEmpty
      } else {
        between.follow(removed: change.removed, inserted: [])
        isSame = !after.follow(removed: change.removed, inserted: change.inserted) { index in
          guard effect == .followsMoves, let position = change.removed.firstIndex(of: index),
            position < change.inserted.count
          else { return nil }
          return change.inserted[position]
        }
      }
    }
    let selected = effect == .becomesInserted ? edit?.elements : mayOverrideArrangement ? selectedObjects : nil
    if effect == .becomesInserted {
      after.select(change.inserted, count: count)
      isSame = false
    }
    if change.kind != .none, !isUpdating, current.avoidsEmptySelection { after.avoidEmpty(count: count) }
    if !isUpdating { after.endUpdate() }
    if !isSame || after.isEmpty != former.isEmpty {
      isSame = self.isSame(selectedObjects(at: former), selectedObjects(at: after, change))
    }
    var update = KeyUpdate { [self] in
      let old = observers == nil ? nil : edit.map { contentElements(of: $0) }
      if change.kind == .whole || change.kind == .replacement {
        arrangement.apply(change)
      } else if change.kind == .indexes {
        if change.removed.isEmpty || change.inserted.isEmpty { arrangement.remove(change) }
        arrangement.insert(change)
      }
      edit?.apply(to: &current.content)
      current.selection = after
      current.version += 1
      if isUpdating { record(edit, change) }
      if let selected, mayOverrideArrangement { _ = arrangeByOverride(selecting: selected) }
      followElements(edit, old: old ?? [])
    }
    if let edit, isObserved(Keys.content) {
      update.changes.append(
        KeyChange(
          Keys.content, edit.kind, at: edit.indexes,
          old: edit.kind == .insertion ? nil : contentElements(of: edit), new: edit.elements))
    }
    addArrangementChanges(&update, change, between)
    addSelectionChanges(
      &update.changes, from: (former, arrangement.elements.count), to: (after, count), isSame: isSame)
    if !isUpdating { addMappedKeys(to: &update) }
    return update
  }

  private func contentElements(of edit: ContentEdit) -> [Element] {
    edit.kind == .insertion ? [] : edit.indexes.map { current.content[$0] }
  }

  /// Adds how the arrangement notifies of a change by index: of a removal first if there is an insertion as well.
  private func addArrangementChanges(
    _ update: inout KeyUpdate, _ change: ArrangementChange<Element>, _ between: ArraySelection
  ) {
    let key = Keys.arrangedObjects
    let isTwice = change.kind == .indexes && !change.removed.isEmpty && !change.inserted.isEmpty
    if isTwice {
      update.applyFirst = { [self] in
        arrangement.remove(change)
        current.selection = between
        current.version += 1
      }
      // Without observers the first step is made with the others.
      if !isObserved(key) {
        let (first, apply) = (update.applyFirst, update.apply)
        update.applyFirst = {}
        update.apply = {
          first()
          apply()
        }
        return
      }
    }
    guard isObserved(key) else { return }
    let old = change.removed.map { arrangement.elements[$0] }
    let removal = KeyChange(key, .removal, at: change.removed, old: old)
    let insertion = KeyChange(key, .insertion, at: change.inserted, new: change.insertedElements)
    switch change.kind {
    case .none: break
    case .whole: update.changes.append(KeyChange(key))
    case .replacement:
      update.changes.append(
        KeyChange(key, .replacement, at: change.inserted, old: old, new: change.insertedElements))
    case .indexes where change.inserted.isEmpty: update.changes.append(removal)
    case .indexes:
      if isTwice { update.first = [removal] }
      update.changes.append(insertion)
    }
  }

  private func selectedObjects(at selection: ArraySelection) -> [Element] {
    selection.indexes.map { arrangement.elements[$0] }
  }

  /// Returns the objects at the indexes of a selection after a change that has not been applied.
  private func selectedObjects(at selection: ArraySelection, _ change: ArrangementChange<Element>) -> [Element] {
    let (_, rest) = IndexDifference.split(selection.indexes, by: change.inserted)
    let former = IndexDifference(removed: change.removed, inserted: change.inserted).formerIndexes(of: rest)
    var (next, position) = (0, 0)
    return selection.indexes.map { index in
      while position < change.inserted.count, change.inserted[position] < index { position += 1 }
      if position < change.inserted.count, change.inserted[position] == index {
        return change.insertedElements[position]
      }
      next += 1
      return arrangement.elements[former[next - 1]]
    }
  }

  // MARK: Several changes

  /// Records what a call of `update(_:)` has changed by index.
  private func record(_ edit: ContentEdit?, _ change: ArrangementChange<Element>) {
    switch edit?.kind {
    case .insertion: composite.content.insert(at: edit?.indexes ?? [])
    case .removal: composite.content.remove(at: edit?.indexes ?? [])
    case .replacement: composite.content.replace(at: edit?.indexes ?? [])
    case .setting, nil: break
    }
    record(change)
  }

  /// Records a change of the arrangement.
  func record(_ change: ArrangementChange<Element>) {
    if change.kind == .none { return }
    composite.hasRearranged = true
    composite.arranged.remove(at: change.removed)
    composite.arranged.insert(at: change.inserted)
  }

  /// Returns the update that stands for all changes of a call of `update(_:)`, and avoids an empty selection (CTR.30).
  func combined(_ changes: [KeyChange], since before: ArrayState) -> KeyUpdate {
    let composite = composite
    self.composite = Composite()
    let arranged = customArrangement ?? arrangement.elements
    let old = before.arranged ?? []
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
    update.changes += Self.changes(
      of: Keys.content, composite.content, before.content, current.content, isSetting: isSetting(Keys.content))
    var arrangement =
      composite.isOverridden
      ? isSame(old, arranged) ? [] : [KeyChange(Keys.arrangedObjects)]
      : Self.changes(
        of: Keys.arrangedObjects, composite.arranged, old, arranged, isSetting: isSetting(Keys.arrangedObjects))
    if arrangement.count == 2 {
      update.first = [arrangement.removeFirst()]
      update.applyFirst = { [self] in showRemoval(composite.arranged, before) }
    }
    update.changes += arrangement
    addSelectionChanges(
      &update.changes, from: (before.selection, old.count), to: (after, arranged.count),
      isSame: isSame(before.selection.indexes.map { old[$0] }, after.indexes.map { arranged[$0] }))
    let known: Set = [
      Keys.content, Keys.arrangedObjects, Keys.sortDescriptors, Keys.filterPredicate, Keys.selection,
      Keys.automaticallyRearrangesObjects, Keys.avoidsEmptySelection, Keys.selectionIndexes, Keys.selectionIndex,
      Keys.selectedObjects, Keys.canSelectNext, Keys.canSelectPrevious,
    ]
    addMappedKeys(to: &update, changed: composite.changedMappedKeys)
    // The base class leaves out those of its own keys that show the same.
    let others = changes.map(\.key).filter { !known.contains($0) } + [Keys.canRemove]
    for key in others where !update.changes.contains(where: { $0.key == key }) {
      update.changes.append(KeyChange(key))
    }
    return update
  }

  /// Returns how an array notifies that edits by index have changed.
  private static func changes(
    of key: KVKey, _ difference: IndexDifference, _ old: [Element], _ new: [Element], isSetting: Bool
  ) -> [KeyChange] {
    if isSetting { return [KeyChange(key)] }
    if difference.isEmpty { return [] }
    let (removed, inserted) = (difference.removed, difference.inserted)
    let removal = KeyChange(key, .removal, at: removed, old: removed.map { old[$0] })
    if inserted.isEmpty { return [removal] }
    let elements = inserted.map { new[$0] }
    let insertion = KeyChange(key, .insertion, at: inserted, new: elements)
    if removed.isEmpty { return [insertion] }
    if removed.count == old.count, key != Keys.content {
      let ids = Set(old.compactMap(ArrangedContent<Element>.identity))
      let isShared = new.contains { ArrangedContent<Element>.identity(of: $0).map(ids.contains) ?? false }
      if !isShared { return [KeyChange(key)] }
    }
    if removed == inserted {
      return [KeyChange(key, .replacement, at: removed, old: removed.map { old[$0] }, new: elements)]
    }
    return key == Keys.content ? [KeyChange(key)] : [removal, insertion]
  }

  /// Shows the state between the removal and the insertion of an update with several changes (CTR.11).
  private func showRemoval(_ difference: IndexDifference, _ before: ArrayState) {
    var between = before
    between.arranged?.remove(at: difference.removed)
    between.selection.follow(removed: difference.removed, inserted: [])
    between.version = -1
    shown = between
  }
}
