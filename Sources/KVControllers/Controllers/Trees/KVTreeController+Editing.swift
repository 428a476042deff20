import KVBinding
import KVCore

extension KVTreeController {
  /// Where objects are inserted: before a child, or as the last ones.
  private typealias InsertionPoint = (parent: KVArrangedNode<Node>, next: KVArrangedNode<Node>?)

  /// Whether objects can be removed, if there are any.
  var allowsRemoval: Bool { abilities(hasSelection: true).canRemove }

  /// Returns whether objects can be inserted below nodes, or removed: a binding of the content only forbids edits of the roots.
  private func allows(editsOf parents: [KVArrangedNode<Node>?], inserting: Bool) -> Bool {
    let (roots, others) = inserting ? (canInsert, allowsChildren) : (allowsRemoval, isEditable)
    return parents.allSatisfy { $0 === arrangedObjects ? roots : others }
  }

  // MARK: Inserting

  /// Creates an object and inserts it after the first selected node, or as the last root (TRC.5).
  ///
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canAdd`` is false, or if the controller cannot create objects; the
  ///   error of the model, or of a commit. Nothing has changed then.
  public final func add() throws(KVError) {
    try insertNew(canAdd, "add an object") { ($0.parent ?? arrangedObjects, $0.next) }
  }

  /// Creates an object and inserts it before the first selected node, or as the last root (TRC.5).
  ///
  /// - Throws: As ``add()``.
  public final func insert() throws(KVError) {
    try insertNew(canInsert, "insert an object") { ($0.parent ?? arrangedObjects, $0) }
  }

  /// Creates an object and inserts it as the last child of the first selected node (TRC.5).
  ///
  /// - Throws: As ``add()``; `unsupported` if ``canAddChild`` is false.
  public final func addChild() throws(KVError) {
    try insertNew(canAddChild, "add a child") { ($0, nil) }
  }

  /// Creates an object and inserts it as the first child of the first selected node (TRC.5).
  ///
  /// - Throws: As ``add()``; `unsupported` if ``canInsertChild`` is false.
  public final func insertChild() throws(KVError) {
    try insertNew(canInsertChild, "insert a child") { ($0, $0.childNodes.first) }
  }

  /// Inserts an object at an index path, and selects it (TRC.4).
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - path: The path of the arrangement. With descriptors, the object gets its sorted index instead.
  /// - Throws: ``KVError``: `unsupported` below a leaf, with a ``countKeyPath``, if ``KVController/isEditable`` is false, or
  ///   of a root while the content is bound one-way; `indexOutOfRange`; the error of the model, or of a commit. Nothing has
  ///   changed then.
  public final func insert(_ object: Node, at path: KVIndexPath) throws(KVError) {
    try insert(contentsOf: [object], at: [path])
  }

  /// Inserts objects at index paths, and selects them (TRC.4).
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - paths: The path of each, in the arrangement before the call. Objects with the same path are inserted in their order.
  /// - Throws: As ``insert(_:at:)``; `unsupported` if there is not one path for each object.
  public final func insert(contentsOf objects: [Node], at paths: [KVIndexPath]) throws(KVError) {
    completeDelivery()
    let insertionPoints = try paths.map { path throws(KVError) in try insertionPoint(at: path) }
    try check(allows(editsOf: insertionPoints.map(\.parent), inserting: true), "insert objects")
    guard objects.count == paths.count else {
      throw KVError(
        .unsupported,
        "there are \(objects.count) objects for \(paths.count) index paths; give one path for each object.")
    }
    try insert(objects, at: insertionPoints)
  }

  private func insertNew(
    _ isAllowed: Bool, _ action: String, _ insertionPoint: (KVArrangedNode<Node>) -> InsertionPoint
  ) throws(KVError) {
    completeDelivery()
    try check(isAllowed, action)
    let object = try created(by: newObject)
    try insert([object], at: [model.state.nodes.first.map(insertionPoint) ?? (arrangedObjects, nil)])
  }

  private func insert(_ objects: [Node], at insertionPoints: [InsertionPoint]) throws(KVError) {
    if objects.isEmpty { return }
    try commitEditing()
    try change { () throws(KVError) in
      let nodes = try insertNow(objects, at: insertionPoints)
      if selectsInsertedObjects { selectNow(nodes) }
    }
  }

  /// Inserts objects in the model, and returns their nodes.
  @discardableResult
  private func insertNow(
    _ objects: [Node], at insertionPoints: [InsertionPoint]
  ) throws(KVError) -> [KVArrangedNode<Node>] {
    let groups = Dictionary(grouping: zip(objects, insertionPoints)) { ObjectIdentifier($0.1.parent) }
    var inserted: [KVArrangedNode<Node>] = []
    for parent in insertionPoints.map(\.parent).unique {
      // A place may have left the tree with an edit that was committed.
      guard parent.isArranged else { throw parent.indexPath.outOfRange }
      let objects = (groups[ObjectIdentifier(parent)] ?? []).map { (object: $0, next: $1.next) }
      inserted += try parent.insert(objects, in: children(of: parent))
    }
    return inserted
  }

  // MARK: Removing

  /// Removes the selected nodes' objects from their parents (CTR.23).
  ///
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canRemove`` is false; the error of the model, or of a commit.
  ///   Nothing has changed then.
  public final func remove() throws(KVError) {
    let nodes = presentedState.nodes
    try remove(nodes, allowsRemoval && !nodes.isEmpty, "remove the selected objects")
  }

  /// Removes the objects at index paths from their parents (TRC.4).
  ///
  /// - Parameter paths: The paths before the call, in any order. A node inside another one goes with it.
  /// - Throws: As ``insert(_:at:)``.
  public final func remove(at paths: [KVIndexPath]) throws(KVError) {
    let nodes = try existing(at: paths)
    try remove(nodes, allows(editsOf: nodes.map(\.parent), inserting: false), "remove objects")
  }

  private func remove(_ nodes: [KVArrangedNode<Node>], _ isAllowed: Bool, _ action: String) throws(KVError) {
    completeDelivery()
    try check(isAllowed, action)
    if nodes.isEmpty { return }
    try commitEditing()
    try change { () throws(KVError) in try removeNow(nodes.topmost()) }
  }

  private func removeNow(_ nodes: [KVArrangedNode<Node>]) throws(KVError) {
    let groups = Dictionary(grouping: nodes) { $0.parent.map(ObjectIdentifier.init) }
    for parent in nodes.compactMap(\.parent).unique {
      try parent.remove(groups[ObjectIdentifier(parent)] ?? [], in: children(of: parent))
    }
  }

  // MARK: Moving

  /// Moves the objects at index paths to one place (TRC.4).
  ///
  /// Their nodes stay the same, and stay selected.
  ///
  /// - Parameters:
  ///   - paths: The paths before the call. A node inside another one goes with it. The objects are inserted in this order.
  ///   - path: The path before the call of the node that they are inserted before, or one behind the last child. With
  ///     descriptors, they get their sorted indexes instead.
  /// - Throws: As ``insert(_:at:)``; `invalidValue` if a node is moved into itself.
  public final func move(_ paths: [KVIndexPath], to path: KVIndexPath) throws(KVError) {
    completeDelivery()
    let nodes = try existing(at: paths).topmost()
    var insertionPoint = try insertionPoint(at: path)
    try check(allows(editsOf: nodes.map(\.parent), inserting: false), "move objects")
    try check(allows(editsOf: [insertionPoint.parent], inserting: true), "move objects")
    let moved = Set(nodes.map { ObjectIdentifier($0) })
    if insertionPoint.parent.isInside(of: Set(nodes.compactMap { $0.representedObject.map(ObjectIdentifier.init) })) {
      throw KVError(
        .invalidValue, "\(path) is inside of an object that is to be moved there. Move it to another parent.")
    }
    if nodes.isEmpty { return }
    try commitEditing()
    while let next = insertionPoint.next, moved.contains(ObjectIdentifier(next)) {
      insertionPoint.next = next.next
    }
    try change { () throws(KVError) in
      let objects = nodes.compactMap(\.representedObject)
      try removeNow(nodes)
      try insertNow(objects, at: objects.map { _ in insertionPoint })
    }
  }

  // MARK: Nodes

  /// Makes changes of the model: all or none, as one update and one step of undo.
  private func change(_ body: () throws(KVError) -> Void) throws(KVError) {
    try KVCoalescing.coalesce { () throws(KVError) in
      try edit { () throws(KVError) in
        try model.restoringSelection(of: arrangedObjects) { () throws(KVError) in
          try model.reusingNodes { () throws(KVError) in try KVTransaction.run(body) }
        }
      }
    }
  }

  /// Returns a view of the children of a node in the model; that of the content for roots that are not bound.
  private func children(of node: KVArrangedNode<Node>) throws(KVError) -> KVMutableArray {
    if let object = node.representedObject { return try object.mutableArray(forKeyPath: childrenKeyPath(for: node)) }
    guard let source = contentBinding?.core?.source, let model = source.object as? any KVObservable else {
      return mutableArray(forKey: "content")
    }
    return try model.mutableArray(forKeyPath: source.path)
  }

  private func insertionPoint(at path: KVIndexPath) throws(KVError) -> InsertionPoint {
    guard let index = path.last, let parent = arrangedObjects.descendant(at: path.parent), index >= 0,
      index <= parent.childNodes.count
    else { throw path.outOfRange }
    if !parent.forbidsChildren { return (parent, index < parent.nodes.count ? parent.nodes[index] : nil) }
    throw KVError(
      .unsupported, "nothing can be inserted at \(path): the node above is a leaf. Choose another parent.")
  }

  private func existing(at paths: [KVIndexPath]) throws(KVError) -> [KVArrangedNode<Node>] {
    try paths.map { path throws(KVError) in
      guard path.count > 0, let node = arrangedObjects.descendant(at: path) else { throw path.outOfRange }
      return node
    }
  }
}
