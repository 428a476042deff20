import KVBinding
import KVCore
import KVQuery

/// An object at its place in the tree of a ``KVTreeController`` (TRC.2).
///
/// ```swift
/// let folder = outline.arrangedObjects.childNodes[0]
/// try label.bind("text", to: "representedObject.name", of: folder)
/// let token = try folder.observe("childNodes", options: [.initial, .new]) { rows.patch($0.kind, at: $0.indexes) }
/// ```
///
/// The children are read when ``childNodes`` is read first, and then followed: `childNodes` notifies by index, of one
/// removal, then of one insertion, and of one setting where the children change their order as a whole, or none stays
/// (TRC.3). A node exists as long as its object remains with its parent. ``indexPath`` does not notify.
///
/// A node retains its object and its children. It belongs to the isolation domain of its controller.
public final class KVArrangedNode<Node: KVObservable>: KVObject, Plumbing {
  /// The object; nil for the node that contains the roots.
  public let representedObject: Node?
  /// The node that contains this one; nil for the node that contains the roots, and for one that has left the tree.
  public private(set) final weak var parent: KVArrangedNode<Node>?

  private weak var controller: KVTreeController<Node>?
  /// The object that has the children, if it is not the represented object.
  private let roots: TreeRoots<Node>?
  /// The children; nil until they are read.
  private(set) var source: ArrangedSource<Node>?
  /// The nodes of the children that are read.
  private(set) var nodes: [KVArrangedNode<Node>] = []
  /// The nodes that the change which is being made has removed, and may insert again.
  private var leaving: [ObjectIdentifier: [KVArrangedNode<Node>]] = [:]
  /// An index in the nodes of the parent, where the node was last.
  private var cachedIndex = 0
  /// The observation of whether the node is a leaf.
  private var leafObservation: KVObservation?
  private var isReported = false

  init(_ object: Node?, in controller: KVTreeController<Node>?, roots: TreeRoots<Node>? = nil) {
    (representedObject, self.controller, self.roots) = (object, controller, roots)
    super.init()
  }

  deinit { leafObservation?.cancel() }

  /// The keys, which are read-only.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVArrangedNode<Node>.self, listedKeysOnly: true) { key in
      key("representedObject", { $0.representedObject })
      key("parent", { $0.parent })
      key("indexPath", { $0.indexPath })
      key("childNodes", { $0.childNodes }).notifiesManually()
      key("isLeaf", { $0.isLeaf }).affected(by: "childNodes")
    }.hidingStorage()
  }

  // MARK: Reading

  /// The nodes of the children, in the order of the descriptors (TRC.2, TRC.3).
  ///
  /// They are read first, and observed from then on, when this is read first. A leaf has none, as a node has whose
  /// children cannot be read, which is reported through ``KVDiagnostics``: `limitExceeded` below 200 levels, and where an
  /// object is inside of itself.
  ///
  /// - Complexity: O(1); when they are read first, that of sorting them.
  public var childNodes: [KVArrangedNode<Node>] {
    if source == nil { read() }
    return nodes
  }

  /// Whether the node has no children (TRC.2).
  ///
  /// The leaf key path of the controller decides, or else its count key path, or else the children, which are read then.
  public var isLeaf: Bool {
    guard let object = representedObject, let controller else { return childNodes.isEmpty }
    let paths = (leaf: controller.leafKeyPath(for: self), count: controller.countKeyPath(for: self))
    guard let path = paths.leaf ?? paths.count else { return childNodes.isEmpty }
    if leafObservation == nil { leafObservation = try? object.observe(path, options: [.prior], handler: leafHandler()) }
    return paths.leaf == nil ? value(of: path, as: Int.self) == 0 : value(of: path, as: Bool.self) ?? false
  }

  /// The index of each level on the way to the node; empty for the node that contains the roots, and for one that has
  /// left the tree (TRC.2).
  ///
  /// - Complexity: O(*d*) for *d* levels; after children of a parent were moved, O(*n*) for its *n* children, once.
  public var indexPath: KVIndexPath {
    var (indexes, node) = ([Int](), self)
    while let parent = node.parent {
      indexes.append(node.index)
      node = parent
    }
    return KVIndexPath(indexes.reversed())
  }

  /// Returns the node at a path that begins at this one (TRC.2).
  ///
  /// - Parameter path: The path; the empty one is that of the node itself.
  /// - Returns: The node; nil if there is none.
  /// - Complexity: O(*d*) for *d* levels, of which the children are read.
  public func descendant(at path: KVIndexPath) -> KVArrangedNode<Node>? {
    var node = self
    for index in path.indexes {
      let children = node.childNodes
      guard children.indices.contains(index) else { return nil }
      node = children[index]
    }
    return node
  }

  /// The next sibling; nil for the last one.
  var next: KVArrangedNode<Node>? {
    guard let siblings = parent?.nodes, index + 1 < siblings.count else { return nil }
    return siblings[index + 1]
  }

  /// Whether the node has not left its tree.
  var isArranged: Bool { owner != nil }

  /// Returns whether the node or one above it is one of some nodes, or has one of some objects.
  func isInside(of others: Set<ObjectIdentifier>) -> Bool {
    sequence(first: self, next: \.parent).contains { node in
      others.contains(ObjectIdentifier(node))
        || node.representedObject.map { others.contains(ObjectIdentifier($0)) } == true
    }
  }

  /// The index among the siblings.
  var index: Int {
    guard let siblings = parent?.nodes else { return 0 }
    if cachedIndex >= siblings.count || siblings[cachedIndex] !== self {
      for (index, node) in siblings.enumerated() { node.cachedIndex = index }
    }
    return cachedIndex
  }

  /// Whether the leaf key path says that nothing can be inserted below the node.
  var forbidsChildren: Bool {
    guard representedObject != nil, let path = controller?.leafKeyPath(for: self) else { return false }
    return value(of: path, as: Bool.self) ?? false
  }

  private func value<Value>(of path: KVKeyPath, as type: Value.Type) -> Value? {
    do throws(KVError) { return try representedObject?.value(forKeyPath: path, as: type) } catch {
      report(error)
      return nil
    }
  }

  /// Notifies of `isLeaf`, and of the children if they were not read since the node was a leaf.
  private func leafHandler() -> (KVChange) -> Void {
    var key = ""
    return { [weak self] change in
      guard let self else { return }
      if change.isPrior { key = source == nil ? "childNodes" : "isLeaf" }
      change.isPrior ? willChangeValue(forKey: key) : didChangeValue(forKey: key)
    }
  }

  // MARK: Following

  private func read() {
    guard let controller, let owner = roots ?? representedObject as (any KVObservable)?, !forbidsChildren else {
      return
    }
    if let error = refusal {
      if !isReported { report(error) }
      return isReported = true
    }
    let source = ArrangedSource<Node>(
      roots == nil ? controller.childrenKeyPath(for: self) : "nodes", Site(#fileID, #line))
    self.source = source
    source.makeNotifications = { [unowned source] change in
      source.content.apply(change)
      return []
    }
    source.reporting { () throws(KVError) in
      try source.begin(at: owner, [], nil)
      try source.set(controller.model.sortDescriptors, nil, isStrict: false, of: nil)
    }
    nodes = source.content.elements.map { node(of: $0) }
    source.makeNotifications = { [weak self] in self?.notifications(for: $0) ?? [] }
  }

  /// Why the children are not read: the tree is too deep, or without end.
  private var refusal: KVError? {
    var (levels, node) = (0, parent)
    while let ancestor = node {
      levels += 1
      if ancestor.representedObject === representedObject {
        return KVError(
          .limitExceeded,
          """
          \(indexPath) is inside of itself: the object is its own ancestor, so that the tree has no end. Its children are not \
          read there; remove it from the children of its descendants.
          """)
      }
      node = ancestor.parent
    }
    if levels < KVTreeController<Node>.maximalDepth { return nil }
    return KVError(
      .limitExceeded,
      """
      the tree has more than \(KVTreeController<Node>.maximalDepth) levels: the children of a node at the last one are not \
      read. Show the objects below it in a tree of their own.
      """)
  }

  private func report(_ error: KVError) {
    KVDiagnostics.report(.error, .faultyValue, controller?.childrenKeyPath, representedObject ?? controller) {
      "\(error)"
    }
  }

  /// Throws if descriptors fail on an object that has been read.
  func check(_ descriptors: [KVSortDescriptor]) throws(KVError) {
    _ = try source?.content.contentElements.sorted(by: descriptors)
    for node in nodes { try node.check(descriptors) }
  }

  /// Sorts the children that are read, and those of all descendants, again.
  func rearrange(reloads: Bool) {
    sort()
    if reloads { source?.reload() }
    for node in nodes { node.rearrange(reloads: reloads) }
  }

  /// Sorts the children by the descriptors that the controller has now, which a handler may have assigned meanwhile; those
  /// that are about to change are sorted after that.
  private func sort() {
    guard let source, !source.isBusy, let descriptors = controller?.model.sortDescriptors,
      descriptors != source.descriptors
    else { return }
    source.reporting { () throws(KVError) in try source.set(descriptors, nil, isStrict: false, of: nil) }
  }

  /// The controller; nil if the node has left its tree.
  private var owner: KVTreeController<Node>? {
    var node = self
    while let parent = node.parent { node = parent }
    return controller.flatMap { node === $0.arrangedObjects ? $0 : nil }
  }

  private func notifications(for change: ArrangementChange<Node>) -> [() -> Void] {
    guard let source else { return [] }
    let content = source.content
    var steps: [() -> Void] = []
    switch change.kind {
    case .none:
      content.apply(change)
      return []
    case .whole:
      steps = [
        { [self] in
          content.apply(change)
          source.prepend(stepsToAll(content.elements))
        }
      ]
    case .replacement:
      steps = [
        step(.replacement, at: change.inserted) { [self] in
          content.apply(change)
          lose(change.removed, keepsIndex: true)
          for (index, object) in zip(change.inserted, change.insertedElements) { nodes[index] = node(of: object) }
        }
      ]
    case .indexes:
      if change.removed.isEmpty { content.remove(change) }
      steps = removal(at: change.removed) { content.remove(change) }
      steps += insertion(of: change.insertedElements, at: change.inserted) { content.insert(change) }
    }
    steps.insert({ [self] in owner?.treeWillChange() }, at: 0)
    return steps + [
      { [self] in
        let left = leaving.values.flatMap(\.self)
        leaving = [:]
        sort()
        owner?.treeDidChange(without: left)
      }
    ]
  }

  /// Returns the steps to other objects: by index if those that stay keep their order, else one setting.
  private func stepsToAll(_ objects: [Node]) -> [() -> Void] {
    let (old, new) = (
      nodes.map { $0.representedObject.map(ObjectIdentifier.init) }, objects.map { ObjectIdentifier($0) }
    )
    let (known, wanted) = (Set(old), Set(new))
    let staying = old.filter { $0.map(wanted.contains) ?? false }
    if !staying.isEmpty || old.isEmpty || new.isEmpty, staying == new.filter(known.contains) {
      let added = new.indices.filter { !known.contains(new[$0]) }
      return removal(at: old.indices.filter { index in old[index].map { !wanted.contains($0) } ?? true })
        + insertion(of: objects[at: added], at: added)
    }
    return [
      step(.setting) { [self] in
        lose(Array(nodes.indices), keepsIndex: true)
        nodes = objects.map { node(of: $0) }
      }
    ]
  }

  private func removal(at indexes: [Int], _ body: @escaping () -> Void = {}) -> [() -> Void] {
    if indexes.isEmpty { return [] }
    return [
      step(.removal, at: indexes) { [self] in
        body()
        lose(indexes, keepsIndex: false)
        nodes.remove(at: indexes)
      }
    ]
  }

  private func insertion(
    of objects: [Node], at indexes: [Int], _ body: @escaping () -> Void = {}
  ) -> [() -> Void] {
    if indexes.isEmpty { return [] }
    return [
      step(.insertion, at: indexes) { [self] in
        body()
        nodes.insert(objects.map { node(of: $0) }, at: indexes)
      }
    ]
  }

  /// Returns a step that makes a change of the nodes, and notifies of it.
  private func step(_ kind: KVChangeKind, at indexes: [Int]? = nil, _ body: @escaping () -> Void) -> () -> Void {
    { [self] in
      let old = kind == .insertion ? [] : indexes.map { nodes[at: $0] } ?? nodes
      source?.notify(
        .childNodes, of: self, kind, at: indexes, from: old,
        to: kind == .removal ? [] : indexes.map { nodes[at: $0] } ?? nodes
      ) {
        body()
        owner?.model.nodesDidChange()
      }
    }
  }

  /// Takes the parent of nodes, which leave unless they are inserted again.
  private func lose(_ indexes: [Int], keepsIndex: Bool) {
    owner?.model.node(self, loses: indexes, keepsIndex: keepsIndex)
    for child in nodes[at: indexes] {
      child.parent = nil
      if let object = child.representedObject { leaving[ObjectIdentifier(object), default: []].append(child) }
    }
  }

  /// Returns the node of an object that becomes a child: the one that it had before the change, if there is one.
  private func node(of object: Node) -> KVArrangedNode<Node> {
    let id = ObjectIdentifier(object)
    let known =
      leaving[id]?.isEmpty == false ? leaving[id]?.removeFirst() : controller?.model.movingNode(of: id, to: self)
    let child = known ?? KVArrangedNode(object, in: controller)
    child.parent = self
    return child
  }
}
