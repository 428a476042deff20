import KVBinding
import KVCore

/// Edits that are undone together.
struct UndoStep {
  /// The state that the step leads to, which no other step has.
  var id = 0
  /// The name of its group; nil if the first edit names the step.
  let name: String?
  var edits: ContiguousArray<UndoEdit>
  /// The selections before and after the step.
  var selections: [UndoSelection.Change] = []
  /// The keys that stand for several of the edits, whose observers are notified once.
  var aggregateKeys = AggregateKeys()

  /// The keys through which observers follow the edits, as far as they are notified once: those that stood for edits when the
  /// step was recorded, and those that follow more than one edit now.
  var joinedKeys: AggregateKeys {
    var joined = aggregateKeys
    if edits.count > 1, AggregateKeys.canFollow {
      for index in edits.indices {
        guard let key = edits[index].key, let object = key.object as? any KVObservable else { continue }
        joined.insertKeys(following: key.id.key, of: object)
      }
    }
    return joined
  }

  /// Whether the object of an edit exists.
  var isAlive: Bool { edits.indices.contains { edits[$0].isAlive } }

  /// Removes the edits of deallocated objects; returns whether no edits are left, so that the step leads nowhere.
  mutating func removeDead() -> Bool {
    if !edits.allSatisfy(\.isAlive) { edits.removeAll { !$0.isAlive } }
    return edits.isEmpty
  }
}

/// The steps of a manager.
///
/// Methods return what they remove: the caller releases it outside of the access, since that can run any code.
struct UndoHistory {
  private(set) var done: [UndoStep] = []
  /// The step that was undone last is the last one.
  private(set) var undone: [UndoStep] = []
  private var lastID = 0
  /// The state before the oldest step.
  private var baseID = 0
  private var savedID = 0

  private var stateID: Int { done.last?.id ?? baseID }
  var hasUnsavedChanges: Bool { stateID != savedID }

  /// The identity of the last step that was done; nil if there is none.
  var lastStepID: Int? { done.last?.id }

  /// Whether the saved state is one from before the present one, rather than after it; nil if it is the present one, or
  /// no step leads to it.
  var isSavedBefore: Bool? {
    if !hasUnsavedChanges { return nil }
    if savedID == baseID || done.contains(where: { $0.id == savedID }) { return true }
    return undone.contains { $0.id == savedID } ? false : nil
  }

  /// Makes the present state the saved one, or none if the saved one cannot be reached by undo and redo.
  mutating func markSaved(_ isSaved: Bool = true) { savedID = isSaved ? stateID : -1 }

  /// Adds a step; the undone steps cannot be redone any more.
  mutating func add(_ step: UndoStep, limit: Int) -> [UndoStep] {
    lastID += 1
    done.append(step)
    done[done.count - 1].id = lastID
    var removed = undone
    undone = []
    removed += trim(to: limit)
    return removed
  }

  /// Adds edits to the last step.
  mutating func merge(
    _ edits: ContiguousArray<UndoEdit>, _ selections: [UndoSelection.Change], _ aggregateKeys: AggregateKeys
  ) {
    lastID += 1
    let last = done.count - 1
    done[last].aggregateKeys.formUnion(aggregateKeys)
    for (index, previous) in done[last].selections.enumerated() {
      guard let next = selections.first(where: { $0.selection === previous.selection }) else { continue }
      done[last].selections[index].after = next.after
    }
    done[last].id = lastID
    if edits.count == 1, edits[0].key != nil, done[last].edits.count == 1, let key = done[last].edits[0].key {
      done[last].edits = [UndoEdit(setting: key, from: done[last].edits[0].old, to: edits[0].new)]
    } else {
      done[last].edits += edits
    }
  }

  /// Removes the oldest steps beyond a number; 0 stands for no limit.
  mutating func trim(to limit: Int) -> [UndoStep] {
    guard limit > 0, done.count > limit else { return [] }
    let removed = Array(done.prefix(done.count - limit))
    done.removeFirst(removed.count)
    baseID = removed[removed.count - 1].id
    return removed
  }

  /// Moves the last step from the done to the undone steps, or back.
  mutating func moveLast(isReverse: Bool) {
    if isReverse {
      if let step = done.popLast() { undone.append(step) }
    } else if let step = undone.popLast() {
      done.append(step)
    }
  }

  mutating func removeAll() -> [UndoStep] {
    let removed = done + undone
    (baseID, done, undone) = (stateID, [], [])
    return removed
  }

  /// Removes the edits of deallocated objects, and the steps that have no others.
  mutating func removeDead() -> [UndoStep] {
    let removed = done + undone
    for index in done.indices.reversed() {
      guard done[index].removeDead(), done[index].id == savedID else { continue }
      savedID = index > 0 ? done[index - 1].id : baseID
    }
    done.removeAll { $0.edits.isEmpty }
    for index in undone.indices {
      guard undone[index].removeDead(), undone[index].id == savedID else { continue }
      savedID = index + 1 < undone.count ? undone[index + 1].id : stateID
    }
    undone.removeAll { $0.edits.isEmpty }
    return removed
  }
}
