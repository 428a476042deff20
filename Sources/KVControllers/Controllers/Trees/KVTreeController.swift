import KVBinding
import KVCore

/// A controller of a tree of objects: it arranges them in nodes, sorts each level, and has a selection (TRC.1–6).
///
/// ```swift
/// let outline = KVTreeController<Folder>(childrenKeyPath: "folders") { Folder() }
/// try outline.bindContent(to: "folders", of: disk)
/// outline.sortDescriptors = [.natural("name")]
/// try outline.insert(Folder(), at: [0, 1])
/// outline.selectionIndexPath = [0, 1]
/// try field.bind("text", to: "selection.name", of: outline, options: .twoWay)
/// ```
///
/// The ``content`` are the roots of the tree. ``arrangedObjects`` is the node that contains them; each node reads the
/// children of its object when it is first asked for them, and follows them. Edits by index paths are made in the model,
/// by the key path of the children, so that undo and other observers are notified of them.
///
/// All public properties are keys, which can be observed and bound. `contentArray` and `contentObject` are other names of
/// `content`; a write by key accepts an array, one object or nil. The rules of array controllers about updates, editing
/// and `selection` apply (CTR). Nodes are objects of their own: they notify of `childNodes` before the controller notifies
/// of its selection, also in ``KVController/update(_:)``. Their handlers read the final selection.
///
/// The objects are sorted again when a key changes that the descriptors read. An object can be at several places of the
/// tree; each has a node.
open class KVTreeController<Node: KVObservable>: KVController {
  /// The key path from an object to its children; "children" by default.
  public final let childrenKeyPath: KVKeyPath
  /// The key path from an object to the number of its children; nil, as at first, for none.
  ///
  /// It is read instead of the children for ``KVArrangedNode/isLeaf``. With it nothing can be inserted (TRC.5).
  public final let countKeyPath: KVKeyPath?
  /// The key path from an object to whether it cannot have children, which are not read then; nil, as at first, for none.
  public final let leafKeyPath: KVKeyPath?
  /// The node that contains the roots (TRC.2); it is the same one for the lifetime of the controller.
  public final var arrangedObjects: KVArrangedNode<Node> { root }
  private final lazy var root = KVArrangedNode<Node>(nil, in: self, roots: roots)

  /// Whether a change of the tree that leaves nothing selected selects a node (CTR.30); true by default.
  @KVProperty public final var avoidsEmptySelection = true {
    didSet { if avoidsEmptySelection { edit { hasRearranged = true } } }
  }
  /// Whether the same objects stay selected when the content is assigned or sorted, or else the same index paths (CTR.28);
  /// true by default.
  @KVProperty public final var preservesSelection = true
  /// Whether objects that are inserted through the controller become the selection (CTR.29); true by default.
  @KVProperty public final var selectsInsertedObjects = true

  final let roots = TreeRoots<Node>()
  /// The state after all changes.
  final var current = TreeState<Node>()
  /// The former state, while observers see it.
  private final var shown: TreeState<Node>?
  /// The state after all changes, with the selection of the present tree.
  final var present: TreeState<Node> {
    if isStale { refreshSelection() }
    return current
  }
  /// The state that observers see.
  final var visible: TreeState<Node> { shown ?? present }
  /// The selected nodes, those included that a change has removed and may insert again.
  final var selected: [KVArrangedNode<Node>] = []
  /// The state before the changes that observers of the selection have not been notified of.
  private final var previous: TreeState<Node>?
  /// Where the first selected node was when it left the tree.
  final var vacancy: (parent: KVArrangedNode<Node>, index: Int)?
  private final var hasRearranged = false
  /// Whether the selected nodes have other paths than known, or are not in the tree any more.
  private final var isStale = false
  /// The number of edits that are being made inside of each other, of which one update notifies.
  private final var edits = 0
  /// Whether the roots follow those of the model.
  final var isFollowingModel = false
  /// Whether a handler has changed the roots meanwhile, so that the binding has to look again.
  final var hasOtherRoots = false
  /// The nodes of objects that are being moved; nil if none are.
  final var moving: [ObjectIdentifier: [KVArrangedNode<Node>]]?
  private let make: (() -> Node)?

  static var maximalDepth: Int { 200 }

  /// Creates a controller without content.
  ///
  /// - Parameters:
  ///   - childrenKeyPath: The key path from an object to its children.
  ///   - countKeyPath: The key path from an object to the number of its children; nil for none.
  ///   - leafKeyPath: The key path from an object to whether it cannot have children; nil for none.
  ///   - newObject: Creates the objects that ``add()`` and its kin insert; nil if nothing does, unless ``newObject()`` is
  ///     overridden.
  public init(
    childrenKeyPath: KVKeyPath = "children", countKeyPath: KVKeyPath? = nil, leafKeyPath: KVKeyPath? = nil,
    newObject: (() -> Node)? = nil
  ) {
    (self.childrenKeyPath, self.countKeyPath, self.leafKeyPath) = (childrenKeyPath, countKeyPath, leafKeyPath)
    make = newObject
    super.init()
    if countKeyPath != nil { forbidInsertion() }
    _ = root.childNodes
  }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    // Closures: a key path of a generic class is made anew at each access.
    super.keyTable.extended(for: KVTreeController<Node>.self) { key in
      key("content", { $0.content }, set: { try $0.setKeyedContent($1) })
        .alias("contentArray", "contentObject").notifiesItself().converted(from: Node.self) { [$0] }
        .editedByMethod { tree, edit throws(KVError) in try tree.editContent(edit) }
      key("arrangedObjects") { $0.arrangedObjects }
      key("childrenKeyPath") { $0.childrenKeyPath }
      key("countKeyPath") { $0.countKeyPath }
      key("leafKeyPath") { $0.leafKeyPath }
      key("sortDescriptors", { $0.sortDescriptors }, set: { try $0.setKeyedDescriptors($1) }).notifiesItself()
      key("selectionIndexPaths", { $0.selectionIndexPaths }, set: { $0.selectionIndexPaths = $1 }).notifiesItself()
      key("selectionIndexPath", { $0.selectionIndexPath }, set: { $0.selectionIndexPath = $1 }).notifiesItself()
      key("selectedObjects") { $0.selectedObjects }.notifiesItself()
      key("selectedNodes") { $0.selectedNodes }.notifiesItself()
      key("canAddChild") { $0.canAddChild }.notifiesItself().affected(by: "isEditable")
      key("canInsertChild") { $0.canInsertChild }.notifiesItself().affected(by: "isEditable")
      key("avoidsEmptySelection", { $0.avoidsEmptySelection }, set: { $0.avoidsEmptySelection = $1 })
      key("preservesSelection", { $0.preservesSelection }, set: { $0.preservesSelection = $1 })
      key("selectsInsertedObjects", { $0.selectsInsertedObjects }, set: { $0.selectsInsertedObjects = $1 })
    }.hidingStorage()
  }

  /// Sets no content, no descriptors, or no selection for nil (CTR.13).
  ///
  /// - Parameter key: The key.
  /// - Throws: ``KVError``: the error of a commit; nothing has changed then (EDT.4).
  open override func setNilValue(forKey key: String) throws(KVError) {
    switch key {
    case "content", "contentArray", "contentObject": try setKeyedContent([])
    case "sortDescriptors": try setKeyedDescriptors([])
    case "selectionIndexPaths": selectionIndexPaths = []
    default: try super.setNilValue(forKey: key)
    }
  }

  // MARK: For overriding

  /// Returns the key path from the object of a node to its children: by default ``childrenKeyPath`` (TRC.1).
  ///
  /// - Parameter node: The node.
  open func childrenKeyPath(for node: KVArrangedNode<Node>) -> KVKeyPath { childrenKeyPath }

  /// Returns the key path from the object of a node to the number of its children: by default ``countKeyPath`` (TRC.1).
  ///
  /// - Parameter node: The node.
  open func countKeyPath(for node: KVArrangedNode<Node>) -> KVKeyPath? { countKeyPath }

  /// Returns the key path from the object of a node to whether it cannot have children: by default ``leafKeyPath`` (TRC.1).
  ///
  /// - Parameter node: The node.
  open func leafKeyPath(for node: KVArrangedNode<Node>) -> KVKeyPath? { leafKeyPath }

  /// Creates an object for ``add()`` and its kin: by the closure given at init; an override may do otherwise (CTR.4).
  ///
  /// - Returns: The object.
  /// - Throws: ``KVError`` (`unsupported`) if there is no closure.
  open func newObject() throws -> Node {
    if let make { return make() }
    throw KVError(
      .unsupported,
      """
      \(type(of: self)) cannot create a \(Node.self): create the controller with a closure, as in \
      KVTreeController { \(Node.self)() }, or override newObject().
      """, rootType: "\(type(of: self))")
  }

  // MARK: Overridden

  override var hasSelection: Bool { !visible.nodes.isEmpty }
  override var selectedItems: [Any] { selectedObjects }
  override var elementType: Any.Type { Node.self }
  override var absence: String {
    countKeyPath != nil
      ? "countKeyPath is set" : hasSelection ? "the first selected node is a leaf" : "nothing is selected"
  }

  /// A handler of nodes may edit the tree before observers of the selection have been notified of the outer change.
  override func snapshot() -> Any { previous ?? present }

  override func restore(_ snapshot: Any) {
    guard let snapshot = snapshot as? TreeState<Node> else { return }
    shown = snapshot.version == present.version ? nil : snapshot
  }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    var update = super.combined(changes, since: snapshot)
    guard let before = snapshot as? TreeState<Node> else { return update }
    let kept = selectionKeys(from: before)
    update.changes.removeAll { Keys.ofTreeSelection.contains($0.key) && !kept.contains($0.key) }
    return update
  }

  // MARK: Following the tree

  /// Makes edits, of which one update notifies.
  final func edit<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    defer {
      if hasOtherRoots, edits == 0 {
        hasOtherRoots = false
        perform { KeyUpdate(changes: [KeyChange(Keys.content)]) {} }
      }
    }
    try update { () throws(Failure) in
      treeWillChange()
      edits += 1
      defer {
        edits -= 1
        treeDidChange(without: [])
      }
      try body()
    }
  }

  /// Prepares for a change of nodes.
  final func treeWillChange() {
    if previous == nil { previous = present }
    completeDelivery()
  }

  /// Follows a removal of nodes, before it, so that a place is known for the selection if nothing stays selected.
  ///
  /// - Parameters:
  ///   - parent: The parent.
  ///   - indexes: The ascending indexes of the nodes.
  ///   - keepsIndex: Whether others replace the nodes.
  final func node(_ parent: KVArrangedNode<Node>, loses indexes: [Int], keepsIndex: Bool) {
    let first = previous?.nodes.first
    guard var position = vacancy ?? first.flatMap({ node in node.parent.map { ($0, node.index) } }) else { return }
    var isInside = false
    while position.parent !== parent {
      guard let next = position.parent.parent else { return }
      position = (next, position.parent.index)
      isInside = true
    }
    if isInside, !indexes.contains(position.index) { return }
    vacancy = (parent, keepsIndex ? position.index : position.index - indexes.count { $0 < position.index })
  }

  /// Follows a change of nodes, which the selection is computed after when it is read.
  final func selectionMayMove() {
    hasRearranged = true
    if !selected.isEmpty || !current.nodes.isEmpty { isStale = true }
  }

  /// Shows the selected nodes that are in the tree.
  final func refreshSelection() {
    let located = selected.filter { $0.top === root && $0 !== root }.map { (path: $0.indexPath, node: $0) }
      .sorted { $0.path < $1.path }
    (current.nodes, current.paths) = (located.map(\.node), located.map(\.path))
    current.version += 1
    isStale = false
  }

  /// Follows a change of nodes, and notifies of the selection.
  ///
  /// - Parameter left: The nodes that have left their parent.
  final func treeDidChange(without left: [KVArrangedNode<Node>]) {
    if moving != nil {
      for node in left { node.representedObject.map { moving?[ObjectIdentifier($0), default: []].append(node) } }
    }
    if edits > 0 { return }
    if hasRearranged, avoidsEmptySelection, present.nodes.isEmpty, let node = neighbour {
      selected = [node]
      refreshSelection()
    }
    selected = present.nodes
    (hasRearranged, vacancy) = (false, nil)
    guard let old = previous else { return }
    previous = nil
    let keys = selectionKeys(from: old)
    if keys.isEmpty { return }
    perform {
      shown = old
      return KeyUpdate(changes: keys.map { KeyChange($0) }) { [self] in shown = nil }
    }
  }

  /// Returns a node of an object that is being moved.
  final func movingNode(of id: ObjectIdentifier) -> KVArrangedNode<Node>? {
    moving?[id]?.isEmpty == false ? moving?[id]?.removeFirst() : nil
  }

  /// The node to select where nothing is selected any more: the sibling at the index, else the last one, else the parent
  /// (TRC.6); the first root, if nothing was selected.
  private final var neighbour: KVArrangedNode<Node>? {
    guard let vacancy else { return root.nodes.first }
    let siblings = vacancy.parent.nodes
    if !siblings.isEmpty { return siblings[min(vacancy.index, siblings.count - 1)] }
    return vacancy.parent === root ? nil : vacancy.parent
  }

  /// Returns the keys of the selection whose values differ from those of a former state.
  private final func selectionKeys(from old: TreeState<Node>) -> [InternedKey] {
    let isSame = old.nodes.elementsEqual(current.nodes, by: ===)
    var keys: [InternedKey] = isSame ? [] : [Keys.selectedNodes]
    if !isSame || old.paths != current.paths { keys += [Keys.selectionIndexPaths, Keys.selectionIndexPath] }
    if isSame { return keys }
    if !old.nodes.elementsEqual(current.nodes, by: { $0.representedObject === $1.representedObject }) {
      keys += [Keys.selectedObjects, Keys.selection]
    }
    if allowsChildren, allowsChild(in: old) != allowsChild(in: current) {
      keys += [Keys.canAddChild, Keys.canInsertChild]
    }
    let abilities = (abilities(hasSelection: !old.nodes.isEmpty), abilities(hasSelection: !current.nodes.isEmpty))
    return keys + abilities.0.changes(to: abilities.1).map(\.key)
  }
}
