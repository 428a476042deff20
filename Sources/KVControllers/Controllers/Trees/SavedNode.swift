import KVCore

/// A selected node, as undo saves it: its object, which is not retained, and its index path.
///
/// A node that leaves with a step is another one when undo inserts its object again, and has the same path then.
struct SavedNode: Equatable {
  private let reference: WeakReference<AnyObject>
  let path: KVIndexPath

  init(_ object: AnyObject, at path: KVIndexPath) {
    reference = WeakReference(object)
    self.path = path
  }

  /// The object; nil if it is gone.
  var object: AnyObject? { reference.object }

  static func == (left: SavedNode, right: SavedNode) -> Bool {
    left.path == right.path && left.object === right.object
  }
}

extension KVTreeController {
  /// The selected nodes, as observers see them.
  var savedSelection: [SavedNode] {
    let state = presentedState
    return zip(state.nodes, state.paths).compactMap { node, path in
      node.representedObject.map { SavedNode($0, at: path) }
    }
  }

  /// Selects nodes as far as they are arranged, without committing edits; nothing changes if none of them is.
  ///
  /// A node is the one at its path, if that has the object, and else the first one of the object that has been read.
  func selectAgain(_ saved: [SavedNode]) {
    var missing: Set<ObjectIdentifier> = []
    var found = saved.compactMap { each -> KVArrangedNode<Node>? in
      guard let object = each.object else { return nil }
      if let node = arrangedObjects.descendant(at: each.path), node.representedObject === object { return node }
      missing.insert(ObjectIdentifier(object))
      return nil
    }
    if !missing.isEmpty { arrangedObjects.collectFirst(of: &missing, in: &found) }
    if !found.isEmpty || saved.isEmpty { selectNow(found) }
  }
}

extension KVArrangedNode {
  /// Appends the first node of each object, among the descendants that have been read.
  fileprivate func collectFirst(of objects: inout Set<ObjectIdentifier>, in found: inout [KVArrangedNode<Node>]) {
    for node in nodes where !objects.isEmpty {
      if let object = node.representedObject, objects.remove(ObjectIdentifier(object)) != nil { found.append(node) }
      node.collectFirst(of: &objects, in: &found)
    }
  }
}
