import KVBinding
import KVCore

extension KVArrayController {
  /// What becomes of the selection with an edit by index.
  enum SelectionEffect: Equatable {
    /// It follows its objects.
    case follows
    /// It follows its objects, of which those that are removed and inserted have moved.
    case followsMoves
    /// It follows its objects, of which those that are replaced remain selected, wherever they are then: given are the
    /// arranged indexes of what is replaced; nil for what the filter hides.
    case keepsReplaced([Int?])
    /// It becomes the inserted objects (CTR.29).
    case becomesInserted
  }

  // MARK: Edits by index

  /// Returns the update for an edit of the content by index, or for an element that moves.
  ///
  /// - Returns: The update; nil if nothing changes.
  func update(
    for edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>, selection effect: SelectionEffect = .follows
  ) -> KeyUpdate? {
    if edit == nil, change.kind == .none { return nil }
    let count = arrangement.elements.count - change.removed.count + change.inserted.count
    let former = current.selection
    var (between, after) = (former, former)
    var isSame = true
    if change.kind != .none {
      let moves = moves(by: effect, edit, change)
      between.follow(removed: change.removed, inserted: [])
      isSame = !after.follow(removed: change.removed, inserted: change.inserted) { moves[$0] }
    }
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
      edit?.apply(to: &currentContent)
      current.selection = after
      current.version += 1
      if isUpdating { record(edit, change) }
      followElements(edit, old: old ?? [])
    }
    if let edit, isObserved(Keys.content) {
      update.changes.append(
        KeyChange(
          Keys.content, edit.kind, at: edit.indexes,
          old: edit.kind == .insertion ? nil : contentElements(of: edit), new: edit.added))
    }
    addArrangementChanges(&update, change, between)
    addSelectionChanges(
      &update.changes, from: (former, arrangement.elements.count), to: (after, count), isSame: isSame)
    if !isUpdating { addMappedKeys(to: &update) }
    return update
  }

  /// Returns the arranged indexes after a change of what only moves by it, by those before it.
  private func moves(
    by effect: SelectionEffect, _ edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>
  ) -> [Int: Int] {
    var moves: [Int: Int] = [:]
    if current.selection.place == nil { return moves }
    switch effect {
    case .followsMoves: for (old, new) in zip(change.removed, change.inserted) { moves[old] = new }
    case .keepsReplaced(let former):
      // The arrangement has the slots of the new elements already.
      let inserted = Dictionary(uniqueKeysWithValues: zip(change.insertedSlots, change.inserted))
      for (old, index) in zip(former, edit?.indexes ?? []) {
        if let old { moves[old] = inserted[arrangement.content[index]] }
      }
    case .follows, .becomesInserted: break
    }
    return moves
  }

  /// Returns the elements that an edit will remove or replace.
  func contentElements(of edit: IndexedEdit<Element>) -> [Element] { currentContent[at: edit.removedIndexes] }

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
    let old = arrangement.elements[at: change.removed]
    let removal = KeyChange(key, .removal, at: change.removed, old: old)
    let insertion = KeyChange(key, .insertion, at: change.inserted, new: change.insertedElements)
    switch change.kind {
    case .none: break
    // An update with several changes compares the arrays before and after all of them.
    case .whole: if !isUpdating { update.changes.append(KeyChange(key)) }
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
    arrangement.elements[at: selection.indexes]
  }

  /// Returns the objects at the indexes of a selection after a change that has not been applied.
  private func selectedObjects(at selection: ArraySelection, _ change: ArrangementChange<Element>) -> [Element] {
    let former = change.slots.formerIndexes(of: selection.indexes)
    var position = 0
    return zip(selection.indexes, former).map { index, former in
      if let former { return arrangement.elements[former] }
      while change.inserted[position] < index { position += 1 }
      return change.insertedElements[position]
    }
  }
}
