import KVBinding
import KVCore

extension KVTreeController {
  /// The index paths of the selected nodes, ascending (CTR.25).
  ///
  /// Assigning ignores paths that lead to no node, and reads the children on the way of others. Edits that are not
  /// committed are committed first; if that fails, the error is reported and nothing is selected (CTR.27).
  public final var selectionIndexPaths: [KVIndexPath] {
    get { presentedState.paths }
    set {
      let nodes = nodes(at: newValue)
      if commitsEditing(beforeSetting: "selectionIndexPaths") { selectNow(nodes) }
    }
  }

  /// The first selected index path; nil if nothing is selected (CTR.25).
  public final var selectionIndexPath: KVIndexPath? {
    get { presentedState.paths.first }
    set { selectionIndexPaths = newValue.map { [$0] } ?? [] }
  }

  /// The objects of the selected nodes, in the order of their paths (CTR.26).
  public final var selectedObjects: [Node] { presentedState.nodes.compactMap(\.representedObject) }

  /// The selected nodes, in the order of their paths (TRC.3).
  public final var selectedNodes: [KVArrangedNode<Node>] { presentedState.nodes }

  /// Selects the nodes at index paths only (CTR.27).
  ///
  /// - Parameter paths: The paths; those that lead to no node are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: ``KVError``: the error of a commit (EDT.4). Nothing has changed then.
  @discardableResult
  public final func select(at paths: [KVIndexPath]) throws(KVError) -> Bool { try select(nodes(at: paths)) }

  /// Adds the nodes at index paths to the selection (CTR.27).
  ///
  /// - Parameter paths: The paths; those that lead to no node are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(at:)``.
  @discardableResult
  public final func addToSelection(at paths: [KVIndexPath]) throws(KVError) -> Bool {
    try select(model.state.nodes + nodes(at: paths))
  }

  /// Removes the nodes at index paths from the selection (CTR.27).
  ///
  /// - Parameter paths: The paths; those that are not selected are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(at:)``.
  @discardableResult
  public final func removeFromSelection(at paths: [KVIndexPath]) throws(KVError) -> Bool {
    let removed = Set(paths)
    let state = model.state
    return try select(zip(state.nodes, state.paths).filter { !removed.contains($0.1) }.map(\.0))
  }

  private func select(_ nodes: [KVArrangedNode<Node>]) throws(KVError) -> Bool {
    completeDelivery()
    try commitEditing()
    let old = model.state.nodes
    selectNow(nodes)
    return !old.elementsEqual(model.state.nodes, by: ===)
  }

  /// Selects nodes, as far as they are in the tree.
  func selectNow(_ nodes: [KVArrangedNode<Node>]) { edit { model.select(nodes) } }

  /// Returns the nodes at paths that lead to one.
  func nodes(at paths: [KVIndexPath]) -> [KVArrangedNode<Node>] {
    paths.compactMap { $0.count == 0 ? nil : arrangedObjects.descendant(at: $0) }
  }

  // MARK: Children of the selection

  /// Whether ``addChild()`` is possible: something is selected, and the first selected node is no leaf (TRC.5).
  public final var canAddChild: Bool { allowsChildren && presentedState.allowsChild }
  /// Whether ``insertChild()`` is possible; as ``canAddChild`` (TRC.5).
  public final var canInsertChild: Bool { canAddChild }

  /// Whether objects can be inserted below others.
  var allowsChildren: Bool { isEditable && countKeyPath == nil }
}
