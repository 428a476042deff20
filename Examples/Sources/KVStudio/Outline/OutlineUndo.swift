import KVControllers

/// The undo of the outline, which all windows share: the nodes that are edited are recorded.
@MainActor final class OutlineUndo {
  let manager = KVUndoManager()
  /// The number of the last step that was made, undone or redone.
  ///
  /// A page sends the one that it knows: what it would undo is a step that its user has seen.
  private(set) var revision = 0

  init() { manager.levelsOfUndo = 200 }

  /// Makes one step of an edit of nodes, which is none if it throws.
  func edit(_ title: String, _ nodes: [OutlineNode], _ body: () throws -> Void) throws {
    for node in nodes { try manager.record(node, keys: OutlineNode.editedKeys) }
    try manager.group(title) { try KVTransaction.run(body) }
    revision += 1
  }

  /// Undoes the last step, or makes the one again that was undone last.
  ///
  /// - Parameters:
  ///   - isRedo: Whether it is made again.
  ///   - known: The revision that the page knows; nil for any.
  /// - Throws: A ``Refusal`` if another window has made, undone or redone a step meanwhile.
  func undo(isRedo: Bool, known: Int?) throws {
    guard known == nil || known == revision else {
      let title = isRedo ? manager.redoMenuTitle : manager.undoMenuTitle
      throw Refusal(
        409,
        "Another window has changed the outline meanwhile. It would be \"\(title)\" now: press it again to do that.")
    }
    revision += 1
    _ = try isRedo ? manager.redo() : manager.undo()
  }
}
