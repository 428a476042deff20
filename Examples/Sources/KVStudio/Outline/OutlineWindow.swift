import KVControllers
import KVDocuments

/// The outline in one window: which nodes are expanded, and which one is selected.
///
/// It observes the nodes that the page draws, and no others: the controller reads the children of a node when it is
/// expanded first.
@MainActor final class OutlineWindow {
  typealias Node = KVArrangedNode<OutlineNode>

  /// The most rows that a window shows.
  static let rowLimit = 5000

  /// A node that the page draws.
  private struct Row {
    let node: Node
    let values: [KVObservation]
    /// That of the children, while they are drawn.
    var children: KVObservation?
  }

  let controller = KVTreeController<OutlineNode>(leafKeyPath: "isLeaf")
  private let model: OutlineModel
  private let numbers: ObjectNumbers
  private var selection: KVObservation?
  /// The numbers of the expanded nodes, those included that are not drawn: undo may insert them again.
  private var expanded: Set<Int> = []
  private var rows: [Int: Row] = [:]
  /// What the page has to do, in order.
  private var changes: [[String: Any]] = []
  private var changedRows: Set<Int> = []
  private var isSelectionChanged = true

  init(_ model: OutlineModel, _ numbers: ObjectNumbers) throws {
    (self.model, self.numbers) = (model, numbers)
    try controller.bindContent(to: "root", of: model)
    expanded = [numbers.number(of: model.root)]
    selection = try controller.observe("selectedNodes", options: []) { [weak self] _ in self?.isSelectionChanged = true
    }
  }

  // MARK: Drawing

  /// Returns all rows, as a page that has none draws them.
  func draw() -> [[String: Any]] {
    (rows, changes, changedRows, isSelectionChanged) = ([:], [], [], true)
    return controller.arrangedObjects.childNodes.map(draw)
  }

  /// Returns the row of a node, with those of its children if it is expanded, and observes them.
  private func draw(_ node: Node) -> [String: Any] {
    guard let object = node.representedObject else { return [:] }
    let id = numbers.number(of: object)
    let values = OutlineNode.editedKeys.compactMap { key in
      try? object.observe(KVKeyPath(key), options: []) { [weak self] _ in self?.changedRows.insert(id) }
    }
    rows[id] = Row(node: node, values: values)
    var members = members(of: node, object)
    if expanded.contains(id) { members["children"] = drawChildren(of: node, id) }
    return members
  }

  /// Returns the rows of the children of an expanded node; nil if it cannot be expanded.
  private func drawChildren(of node: Node, _ id: Int) -> [[String: Any]]? {
    guard !node.isLeaf, rows.count + node.childNodes.count <= Self.rowLimit else {
      expanded.remove(id)
      return nil
    }
    rows[id]?.children = try? node.observe("childNodes") { [weak self, unowned node] change in
      self?.note(change, of: node)
    }
    return node.childNodes.map(draw)
  }

  /// Ends the observation of a node, and of all that is drawn below it.
  private func erase(_ node: Node) {
    guard let object = node.representedObject else { return }
    let id = numbers.number(of: object)
    guard let row = rows[id], row.node === node else { return }
    rows[id] = nil
    if row.children != nil { node.childNodes.forEach(erase) }
  }

  /// Returns a row without its children.
  private func members(of node: Node, _ object: OutlineNode) -> [String: Any] {
    let (isMember, isRoot) = (parent(of: node)?.kind == .object, object === model.root)
    return [
      "id": numbers.number(of: object), "kind": object.kind.rawValue, "count": object.children.count,
      "name": Self.shortened(object.name), "text": Self.shortened(object.text), "isMember": isMember || isRoot,
      "canRename": model.isEditable && isMember && !Self.isLong(object.name),
      "canEdit": model.isEditable && object.kind == .scalar && !Self.isLong(object.text),
      "canMove": model.isEditable && !isRoot,
    ]
  }

  private func parent(of node: Node) -> OutlineNode? { node.parent?.representedObject }

  private static func isLong(_ text: String) -> Bool { text.utf8.count > fieldLimit }
  private static func shortened(_ text: String) -> String { isLong(text) ? "\(text.prefix(200))…" : text }

  // MARK: Expanding

  /// Returns the node of a row.
  func node(_ id: Int) throws(Refusal) -> (node: Node, object: OutlineNode) {
    guard let node = rows[id]?.node, let object = node.representedObject else {
      throw Refusal(410, "The value is not in the outline any more.")
    }
    return (node, object)
  }

  /// Draws the children of a node.
  ///
  /// - Throws: A ``Refusal`` if there would be too many rows.
  func expand(_ node: Node, _ id: Int) throws(Refusal) {
    guard !node.isLeaf, rows[id]?.children == nil else { return }
    guard let children = drawChildren(of: node, id) else {
      throw Refusal(
        422,
        """
        The outline shows at most \(Self.rowLimit) values at once, and these would be \
        \(rows.count + node.childNodes.count). Collapse others, or use the inspector.
        """)
    }
    expanded.insert(id)
    changes.append(["kind": "children", "path": node.indexPath.indexes, "rows": children])
  }

  /// Draws a node without its children; it is selected if one of them is.
  func collapse(_ node: Node, _ id: Int) throws {
    guard rows[id]?.children != nil else { return }
    let (path, selected) = (node.indexPath, controller.selectionIndexPath)
    if let selected, selected.count > path.count, selected.indexes.starts(with: path.indexes) {
      try controller.select(at: [path])
    }
    removeChildren(of: node, id)
  }

  private func removeChildren(of node: Node, _ id: Int) {
    expanded.remove(id)
    rows[id]?.children = nil
    node.childNodes.forEach(erase)
    changes.append(["kind": "collapse", "path": node.indexPath.indexes])
  }

  /// Expands the nodes that contain the selected one: undo may select what is not drawn.
  private func reveal(_ node: Node) {
    guard let parent = node.parent, let object = parent.representedObject else { return }
    reveal(parent)
    let id = numbers.number(of: object)
    try? expand(parent, id)
  }

  // MARK: Changes

  /// Notes a change of the children of an expanded node, whose index paths are those of this moment.
  private func note(_ change: KVChange, of node: Node) {
    let path = node.indexPath
    for child in change.old as? [Node] ?? [] { erase(child) }
    if let indexes = change.indexes, change.kind == .removal {
      changes.append(["kind": "removal", "paths": indexes.map { path.appending($0).indexes }])
    } else if let indexes = change.indexes, change.kind == .insertion {
      let rows = zip(indexes, change.new as? [Node] ?? []).map { index, child in
        draw(child).merging(["path": path.appending(index).indexes]) { $1 }
      }
      changes.append(["kind": "insertion", "rows": rows])
    } else {
      changes.append(["kind": "children", "path": path.indexes, "rows": node.childNodes.map(draw)])
    }
  }

  /// Returns the number of the selected node if it has changed since the last call; its row is drawn then.
  func takeSelection() -> [String: Any]? {
    guard isSelectionChanged else { return nil }
    isSelectionChanged = false
    let node = controller.selectedNodes.first
    if let node { reveal(node) }
    return ["id": node?.representedObject.map(numbers.number(of:)) ?? KVDocument.Null()]
  }

  /// Returns what the page has to do since the last call, in order.
  func takeChanges() -> [[String: Any]] {
    for id in changedRows {
      guard let row = rows[id], let object = row.node.representedObject else { continue }
      if object.isLeaf, row.children != nil { removeChildren(of: row.node, id) }
      changes.append(["kind": "row", "path": row.node.indexPath.indexes, "row": members(of: row.node, object)])
    }
    defer { (changes, changedRows) = ([], []) }
    return changes
  }
}
