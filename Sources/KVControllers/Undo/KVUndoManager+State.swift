import KVBinding
import KVCore

extension KVUndoManager {
  /// The values of the keys of a manager.
  struct State {
    let undoName: String?
    let redoName: String?
    let undoCount: Int
    let redoCount: Int
    let hasUnsavedChanges: Bool

    init(_ history: UndoHistory, name: (Step) -> String?) {
      // An empty name is none: a menu title would end with a space.
      func nameOf(_ step: UndoStep?) -> String? {
        func nonempty(_ name: String?) -> String? { name?.isEmpty == true ? nil : name }
        return step.flatMap { nonempty($0.name) ?? nonempty(Step($0).flatMap(name)) }
      }
      undoName = nameOf(history.done.last)
      redoName = nameOf(history.undone.last)
      undoCount = history.done.count
      redoCount = history.undone.count
      hasUnsavedChanges = history.hasUnsavedChanges
    }

    /// Returns the keys with other values than those of another state.
    func keys(differingFrom other: State) -> [String] {
      var keys: [String] = []
      if undoName != other.undoName { keys += ["undoName", "undoMenuTitle"] }
      if redoName != other.redoName { keys += ["redoName", "redoMenuTitle"] }
      if (undoCount > 0) != (other.undoCount > 0) { keys.append("canUndo") }
      if (redoCount > 0) != (other.redoCount > 0) { keys.append("canRedo") }
      if undoCount != other.undoCount { keys.append("undoCount") }
      if redoCount != other.redoCount { keys.append("redoCount") }
      if hasUnsavedChanges != other.hasUnsavedChanges { keys.append("hasUnsavedChanges") }
      return keys
    }
  }

  /// The name of the step that ``undo()`` undoes next; nil if there is none, or if it has no name.
  public var undoName: String? { state.undoName }
  /// The name of the step that ``redo()`` redoes next; nil if there is none, or if it has no name.
  public var redoName: String? { state.redoName }
  /// The English title of a menu item: `Undo Change title`, or `Undo` without a name.
  public var undoMenuTitle: String { undoName.map { "Undo \($0)" } ?? "Undo" }
  /// The English title of a menu item: `Redo Change title`, or `Redo` without a name.
  public var redoMenuTitle: String { redoName.map { "Redo \($0)" } ?? "Redo" }
  /// Whether there is a step to undo.
  public var canUndo: Bool { undoCount > 0 }
  /// Whether there is a step to redo.
  public var canRedo: Bool { redoCount > 0 }
  /// The number of steps that can be undone.
  public var undoCount: Int { stateOffExecutor?.undoCount ?? previousState?.undoCount ?? livingHistory.done.count }
  /// The number of steps that can be redone.
  public var redoCount: Int { stateOffExecutor?.redoCount ?? previousState?.redoCount ?? livingHistory.undone.count }
  /// Whether the recorded state is another one than that of ``markSaved()``, or than the first one (UND.11).
  public var hasUnsavedChanges: Bool { state.hasUnsavedChanges }

  /// The steps without those of deallocated objects.
  private var livingHistory: UndoHistory {
    removeDead()
    return history
  }
}
