/// The rules of undo as a naive model: steps of values by name, which are restored (UND.4–8, UND.11, UND.12).
///
/// It shares no code with the manager: it knows neither edits nor indexes, only what differs between two states.
struct UndoOracle {
  typealias State = [String: String]

  struct Step {
    var before: State
    var after: State
    /// The one key that was set, if other settings of it may be merged into the step.
    var merging: String?
  }

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  var isMerging = false
  var limit = 0

  /// Adds a step of the changes that were recorded; none for no changes.
  mutating func add(_ changes: [(name: String, before: String, after: String)], setting name: String? = nil) {
    if changes.isEmpty { return }
    let mayMerge = isMerging && undone.isEmpty && name != nil && done.last?.merging == name
    undone = []
    if !mayMerge { done.append(Step(before: [:], after: [:])) }
    for change in changes {
      done[done.count - 1].before[change.name] = done[done.count - 1].before[change.name] ?? change.before
      done[done.count - 1].after[change.name] = change.after
    }
    done[done.count - 1].merging = isMerging ? name : nil
    trim()
  }

  /// Something happens after which no setting is merged.
  mutating func endMerging() { if !done.isEmpty { done[done.count - 1].merging = nil } }

  mutating func trim() { if limit > 0, done.count > limit { done.removeFirst(done.count - limit) } }

  /// Removes what belongs to an object that has died.
  mutating func remove(prefix: String) {
    func rest(of steps: [Step]) -> [Step] {
      steps.compactMap { step in
        var rest = step
        rest.before = step.before.filter { !$0.key.hasPrefix(prefix) }
        rest.after = step.after.filter { !$0.key.hasPrefix(prefix) }
        return rest.before.isEmpty ? nil : rest
      }
    }
    (done, undone) = (rest(of: done), rest(of: undone))
  }

  /// Returns the values that the next undo restores, or the next redo.
  func restored(isUndo: Bool) -> State? { isUndo ? done.last?.before : undone.last?.after }

  mutating func move(isUndo: Bool) {
    if isUndo { undone.append(done.removeLast()) } else { done.append(undone.removeLast()) }
    endMerging()
    trim()
  }
}
