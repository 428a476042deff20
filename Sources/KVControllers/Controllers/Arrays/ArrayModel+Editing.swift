import KVBinding
import KVCore

// Edits by index.
extension ArrayModel {
  /// The effect of an edit by index on the selection.
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

  /// The effect on the selection when the controller inserts elements (CTR.29).
  var effectOfInsertion: SelectionEffect { state.selectsInsertedObjects ? .becomesInserted : .follows }

  /// Returns the update that inserts elements into the content.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - indexes: The content index of each after the insertion, in any order.
  ///   - arranged: The ascending arranged index of each after the insertion; nil for where they are sorted (CTR.19).
  ///   - effect: The effect on the selection.
  func insertion(
    of elements: [Element], at indexes: [Int], arranged: [Int]? = nil, selection effect: SelectionEffect = .follows
  ) -> KeyUpdate? {
    let order = indexes.indexesInOrder
    return update(
      for: IndexedEdit(.insertion, at: indexes[at: order], added: elements[at: order]),
      arrangement.insert(elements, at: indexes, arranged: arranged), selection: effect)
  }

  /// Returns the update that removes the elements at content indexes, in any order; nil if there are none.
  func removal(at indexes: [Int]) -> KeyUpdate? {
    let indexes = Set(indexes).sorted()
    if indexes.isEmpty { return nil }
    return update(for: IndexedEdit(.removal, at: indexes), arrangement.remove(at: indexes))
  }

  /// Returns the update that replaces elements at content indexes, in any order; those that are nil or do not exist are left
  /// out.
  ///
  /// - Parameter keepsSelected: Whether selected elements remain selected.
  func replacement(at indexes: [Int?], with elements: [Element], keepsSelected: Bool = false) -> KeyUpdate? {
    var last = -1
    let pairs = zip(indexes, elements).compactMap { index, element in index.map { ($0, element) } }
      .filter { $0.0 < content.count }.ordered { $0.0 }
      .filter { pair in
        defer { last = pair.0 }
        return pair.0 != last
      }
    if pairs.isEmpty { return nil }
    let (indexes, elements) = (pairs.map(\.0), pairs.map(\.1))
    let previous = keepsSelected ? indexes.map { arrangement.index(ofSource: $0) } : []
    return update(
      for: IndexedEdit(.replacement, at: indexes, added: elements),
      arrangement.replace(at: indexes, with: elements), selection: keepsSelected ? .keepsReplaced(previous) : .follows)
  }

  /// Returns the update after a change inside an element, which may move, appear or disappear (CTR.18); nil if nothing does.
  func change(of element: ObjectIdentifier) -> KeyUpdate? {
    update(for: nil, arrangement.elementDidChange(element), selection: .followsMoves)
  }

  /// Returns the update for an edit of the content by index, or for an element that moves.
  ///
  /// - Returns: The update; nil if nothing changes.
  private func update(
    for edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>, selection effect: SelectionEffect = .follows
  ) -> KeyUpdate? {
    if edit == nil, change.kind == .none { return nil }
    let count = arrangement.elements.count - change.removed.count + change.inserted.count
    let previous = state.selection
    var (between, after) = (previous, previous)
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
    if change.kind != .none, !isUpdating, state.avoidsEmptySelection { after.avoidEmpty(count: count) }
    if !isUpdating { after.endUpdate() }
    if !isSame || after.isEmpty != previous.isEmpty {
      isSame = Self.isSame(selectedObjects(at: previous), selectedObjects(at: after, change))
    }
    var update = KeyUpdate { [self] in
      let old = didEdit == nil ? nil : edit.map { contentElements(of: $0) }
      if change.kind == .whole || change.kind == .replacement {
        arrangement.apply(change)
      } else if change.kind == .indexes {
        if change.removed.isEmpty || change.inserted.isEmpty { arrangement.remove(change) }
        arrangement.insert(change)
      }
      edit?.apply(to: &content)
      state.selection = after
      state.version += 1
      if isUpdating {
        if let edit { summary.add(edit, isByModel: host?.isSetByModel == true) }
        summary.add(change)
      }
      if let edit { didEdit?(edit.added ?? [], old ?? []) }
    }
    if let edit, isObserved(Keys.content) {
      update.changes.append(
        KeyChange(
          Keys.content, edit.kind, at: edit.indexes,
          old: edit.kind == .insertion ? nil : contentElements(of: edit), new: edit.added))
    }
    addArrangementChanges(&update, change, between)
    addSelectionChanges(
      &update.changes, from: (previous, arrangement.elements.count), to: (after, count), isSame: isSame)
    return update
  }

  /// Returns the arranged indexes after a change of what only moves by it, by those before it.
  private func moves(
    by effect: SelectionEffect, _ edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>
  ) -> [Int: Int] {
    var moves: [Int: Int] = [:]
    if state.selection.anchor == nil { return moves }
    switch effect {
    case .followsMoves: for (old, new) in zip(change.removed, change.inserted) { moves[old] = new }
    case .keepsReplaced(let previous):
      // The arrangement has the slots of the new elements already.
      let inserted = Dictionary(uniqueKeysWithValues: zip(change.insertedSlots, change.inserted))
      for (old, index) in zip(previous, edit?.indexes ?? []) {
        if let old { moves[old] = inserted[arrangement.content[index]] }
      }
    case .follows, .becomesInserted: break
    }
    return moves
  }

  /// Returns the elements that an edit will remove or replace.
  func contentElements(of edit: IndexedEdit<Element>) -> [Element] { content[at: edit.removedIndexes] }

  /// Adds how the arrangement notifies of a change by index: of a removal first if there is an insertion as well.
  private func addArrangementChanges(
    _ update: inout KeyUpdate, _ change: ArrangementChange<Element>, _ between: ArraySelection
  ) {
    let key = Keys.arrangedObjects
    let isTwice = change.kind == .indexes && !change.removed.isEmpty && !change.inserted.isEmpty
    if isTwice {
      update.applyFirst = { [self] in
        arrangement.remove(change)
        state.selection = between
        state.version += 1
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
    let previous = change.slots.previousIndexes(of: selection.indexes)
    var position = 0
    return zip(selection.indexes, previous).map { index, previous in
      if let previous { return arrangement.elements[previous] }
      while change.inserted[position] < index { position += 1 }
      return change.insertedElements[position]
    }
  }
}
