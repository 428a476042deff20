import KVBinding

/// Undoes and redoes the edits of a department.
///
/// It observes the department, so that no edit has to register its own reversal: a record of a change can be reverted
/// and applied again.
@KVModel final class EditHistory: KVObject {
  private var done: [[KVChange]] = []
  private var undone: [[KVChange]] = []
  @KVIgnored private var isReplaying = false
  @KVIgnored private var group: [KVChange]?

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Creates the history of a department.
  ///
  /// - Throws: `KVError`: the errors of `observe`.
  init(of department: Department) throws {
    super.init()
    for path in ["title", "employees"] as [KVKeyPath] {
      try department.observe(path, owner: self) { history, change in history.record(change) }
    }
    for path in ["name", "salary"] as [KVKeyPath] {
      try department.observeElements(of: "employees", path, owner: self) { history, change in history.record(change) }
    }
  }

  /// Makes one step of all edits in a body.
  func grouping<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard group == nil else { return try body() }
    group = []
    defer {
      let edits = group ?? []
      group = nil
      if !edits.isEmpty { add(edits) }
    }
    return try body()
  }

  /// Undoes the last step; does nothing if there is none.
  func undo() throws {
    guard let step = done.popLast() else { return }
    try replaying { for change in step.reversed() { try change.revert() } }
    undone.append(step)
  }

  /// Repeats the step that was undone last; does nothing if there is none.
  func redo() throws {
    guard let step = undone.popLast() else { return }
    try replaying { for change in step { try change.apply() } }
    done.append(step)
  }

  private func replaying(_ body: () throws -> Void) rethrows {
    isReplaying = true
    defer { isReplaying = false }
    try body()
  }

  private func record(_ change: KVChange) {
    if isReplaying { return }
    if group == nil { add([change]) } else { group?.append(change) }
  }

  private func add(_ step: [KVChange]) {
    done.append(step)
    undone = []
  }
}
