import KVBinding
import KVCore

extension KVUndoManager {
  /// Saves what is selected in a controller with each step, and selects it again (UND.13).
  ///
  /// ```swift
  /// undo.restoresSelection(of: list)
  /// ```
  ///
  /// Undoing a step selects what was selected before it, and redoing selects what was selected after it, as far as it is
  /// arranged. Selecting alone is no step. ``stopRecording(_:)`` ends it.
  ///
  /// - Parameter controller: The controller, which is not retained.
  /// - Complexity: O(*s*) for a step that changes the selection or the content of the controller, with *s* selected
  ///   objects; O(1) for others.
  public func restoresSelection<Element>(of controller: KVArrayController<Element>) {
    saveSelection(of: controller, "selectedObjects") { controller in
      controller.selectionVersion
    } read: { controller in
      controller.selectedObjects
    } select: { controller, items in
      controller.selectAgain(items.compactMap { $0 as? Element })
    }
  }

  /// Saves a selection with each step.
  ///
  /// - Parameters:
  ///   - controller: The controller, which is not retained.
  ///   - key: The key that notifies whenever what is read changes.
  ///   - version: Returns a number that changes with what is selected; nil if it must be read.
  ///   - read: Returns what is selected.
  ///   - select: Selects items.
  func saveSelection<Controller: KVController>(
    of controller: Controller, _ key: String, version: @escaping (Controller) -> Int?,
    read: @escaping (Controller) -> [Any], select: @escaping (Controller, [Any]) -> Void
  ) {
    if reportsOffExecutor("restoresSelection") { return }
    if selections.contains(where: { $0.id == ObjectIdentifier(controller) && !$0.isDead }) { return }
    let selection = UndoSelection(of: controller) {
      ($0 as? Controller).flatMap(version)
    } read: {
      ($0 as? Controller).map(read) ?? []
    } select: { object, items in
      if let controller = object as? Controller { select(controller, items) }
    }
    selection.observation = try? controller.observe(KVKeyPath(key), options: [.prior]) {
      [weak self, weak selection] change in
      if change.isPrior, let self, let selection { selectionDidChange(selection, from: selection.present) }
    }
    selections.append(selection)
  }
}

extension KVArrayController {
  /// Changes whenever the selected objects do; nil in between, when handlers see a state that has no version.
  fileprivate var selectionVersion: Int? { model.presentedState.version < 0 ? nil : model.presentedState.version }

  /// Selects objects as far as they are arranged, without committing edits; nothing changes if none of them is.
  fileprivate func selectAgain(_ objects: [Element]) {
    let indexes = model.indexes(of: objects)
    if !indexes.isEmpty || objects.isEmpty { selectNow { indexes } }
  }
}
