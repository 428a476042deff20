import KVBinding
import KVCore

extension ArrayModel {
  /// Returns the update that selects indexes; nil if they are selected.
  func selection(_ indexes: [Int]) -> KeyUpdate? {
    let new = ArraySelection(indexes, count: arrangement.elements.count)
    // A selection of nothing forgets where edits of the same update have emptied it (CTR.30).
    return new == state.selection && !state.selection.isVacated ? nil : update(to: new)
  }

  /// Returns the update that sets whether an empty selection is avoided, and avoids one (CTR.30).
  func avoidance(_ avoidsEmptySelection: Bool) -> KeyUpdate {
    var selection = state.selection
    if avoidsEmptySelection { selection.avoidEmpty(count: arrangement.elements.count) }
    var update = update(to: selection)
    let option = setting(Keys.avoidsEmptySelection) { $0.avoidsEmptySelection = avoidsEmptySelection }
    update.changes = option.changes + update.changes
    let apply = update.apply
    update.apply = {
      apply()
      option.apply()
    }
    return update
  }

  private func update(to new: ArraySelection) -> KeyUpdate {
    let previous = state.selection
    let arranged = arrangement.elements
    var update = KeyUpdate { [self] in
      state.selection = new
      state.version += 1
    }
    let isSame = previous == new || Self.isSame(arranged[at: previous.indexes], arranged[at: new.indexes])
    addSelectionChanges(&update.changes, from: (previous, arranged.count), to: (new, arranged.count), isSame: isSame)
    return update
  }

  /// Adds the changes of the keys that depend on the selection and on the number of arranged objects (CTR.9).
  ///
  /// - Parameters:
  ///   - old: The former selection, and the former number of arranged objects.
  ///   - new: Both after the update.
  ///   - isSame: Whether the selected objects are the same.
  func addSelectionChanges(
    _ changes: inout [KeyChange], from old: (selection: ArraySelection, count: Int),
    to new: (selection: ArraySelection, count: Int), isSame: Bool
  ) {
    func add(_ key: InternedKey) { if isObserved(key) { changes.append(KeyChange(key)) } }
    if !isSame || old.selection != new.selection { add(Keys.selectionIndexes) }
    if !isSame || old.selection.first != new.selection.first { add(Keys.selectionIndex) }
    if !isSame {
      add(Keys.selectedObjects)
      add(Keys.selection)
    }
    if host?.canAdd != false, old.selection.isEmpty != new.selection.isEmpty { add(Keys.canRemove) }
    if (old.selection.next(count: old.count) == nil) != (new.selection.next(count: new.count) == nil) {
      add(Keys.canSelectNext)
    }
    if (old.selection.previous == nil) != (new.selection.previous == nil) { add(Keys.canSelectPrevious) }
  }

  // MARK: Finding

  /// Returns the first free index of each object: of an identical one, or else of an equal one (CTR.26).
  func indexes(of objects: [Element]) -> [Int] {
    if objects.isEmpty { return [] }
    let arranged = arrangement.elements
    var result: [Int] = []
    var equal: [Element] = []
    // Identical objects first, in one pass.
    var wanted: [ObjectIdentifier: Int] = [:]
    for object in objects {
      if let id = ArrangedContent<Element>.identity(of: object) {
        wanted[id, default: 0] += 1
      } else {
        equal.append(object)
      }
    }
    if !wanted.isEmpty {
      for (index, object) in arranged.enumerated() {
        guard let id = ArrangedContent<Element>.identity(of: object), let count = wanted[id] else { continue }
        result.append(index)
        wanted[id] = count == 1 ? nil : count - 1
        if wanted.isEmpty { break }
      }
      equal += objects.filter { object in
        guard object is any Equatable, let id = ArrangedContent<Element>.identity(of: object),
          let count = wanted[id]
        else { return false }
        wanted[id] = count == 1 ? nil : count - 1
        return true
      }
    }
    return equal.isEmpty ? result : result + indexes(ofEqual: equal, in: arranged, except: Set(result))
  }

  private func indexes(ofEqual objects: [Element], in arranged: [Element], except excluded: Set<Int>) -> [Int] {
    var result: [Int] = []
    var wanted: [AnyHashable: Int] = [:]
    var others: [Element] = []
    for object in objects {
      if let hashable = object as? AnyHashable { wanted[hashable, default: 0] += 1 } else { others.append(object) }
    }
    for (index, object) in arranged.enumerated() where !excluded.contains(index) {
      if wanted.isEmpty && others.isEmpty { break }
      if let hashable = object as? AnyHashable, let count = wanted[hashable] {
        result.append(index)
        wanted[hashable] = count == 1 ? nil : count - 1
      } else if let position = others.firstIndex(where: { Equality.areEqual($0, object) }) {
        result.append(index)
        others.remove(at: position)
      }
    }
    return result
  }
}
