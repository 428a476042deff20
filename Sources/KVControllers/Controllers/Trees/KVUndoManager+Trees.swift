import KVBinding
import KVCore

extension KVUndoManager {
  /// Saves what is selected in a tree with each step, and selects it again (UND.13).
  ///
  /// ```swift
  /// undo.restoresSelection(of: outline)
  /// ```
  ///
  /// An object is selected at the index path that it had, which is read if need be: undo restores the tree for which the path
  /// was saved. If another object is there by then, the first node of the object is selected, among the nodes that have been
  /// read. All else is as for an array controller.
  ///
  /// - Parameter controller: The controller, which is not retained.
  /// - Complexity: O(*s*) for a step that changes the selection or its index paths, with *s* selected nodes; O(1) for
  ///   others. To look for an object at another path is O(*n*) in the nodes that have been read.
  public func restoresSelection<Node>(of controller: KVTreeController<Node>) {
    saveSelection(of: controller, "selectionIndexPaths") { controller in
      controller.presentedState.version
    } read: { controller in
      controller.savedSelection
    } select: { controller, items in
      controller.selectAgain(items.compactMap { $0 as? SavedNode })
    }
  }
}
