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
  private final lazy var root = KVArrangedNode<Node>(nil, in: self, roots: model.roots)

  /// Whether a change of the tree that leaves nothing selected selects a node (CTR.30); true by default.
  @KVProperty public final var avoidsEmptySelection = true {
    didSet { if avoidsEmptySelection { edit { model.requireSelection() } } }
  }
  /// Whether the same objects stay selected when the content is assigned or sorted, or else the same index paths (CTR.28);
  /// true by default.
  @KVProperty public final var preservesSelection = true
  /// Whether objects that are inserted through the controller become the selection (CTR.29); true by default.
  @KVProperty public final var selectsInsertedObjects = true

  final let model = TreeModel<Node>()
  /// The former state, while observers see it.
  private final var presented: TreeModel<Node>.State?
  /// The state that observers see.
  final var presentedState: TreeModel<Node>.State { presented ?? model.state }
  /// The number of edits that are being made inside of each other, of which one update notifies.
  private final var edits = 0
  /// Whether the roots follow those of the model.
  final var isFollowingModel = false
  /// Whether a handler has changed the roots meanwhile, so that the binding has to look again.
  final var hasOtherRoots = false
  private let makeObject: (() -> Node)?

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
    makeObject = newObject
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
  open func newObject() throws -> Node { try newObject(by: makeObject, "KVTreeController") }

  // MARK: Overridden

  override var hasSelection: Bool { !presentedState.nodes.isEmpty }
  override var selectedItems: [Any] { selectedObjects }
  override var elementType: Any.Type { Node.self }
  override var absence: String {
    countKeyPath != nil
      ? "countKeyPath is set" : hasSelection ? "the first selected node is a leaf" : "nothing is selected"
  }

  /// A handler of nodes may edit the tree before observers of the selection have been notified of the outer change.
  override func snapshot() -> Any { model.previous ?? model.state }

  override func restore(_ snapshot: Any) {
    guard let snapshot = snapshot as? TreeModel<Node>.State else { return }
    presented = snapshot.version == model.state.version ? nil : snapshot
  }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    var update = super.combined(changes, since: snapshot)
    guard let before = snapshot as? TreeModel<Node>.State else { return update }
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
    model.beginChange()
    completeDelivery()
  }

  /// Follows a change of nodes, and notifies of the selection.
  ///
  /// - Parameter left: The nodes that have left their parent.
  final func treeDidChange(without left: [KVArrangedNode<Node>]) {
    model.nodesWereRemoved(left)
    if edits > 0 { return }
    guard let old = model.endChange(of: root, avoidsEmpty: avoidsEmptySelection) else { return }
    let keys = selectionKeys(from: old)
    if keys.isEmpty { return }
    perform {
      presented = old
      return KeyUpdate(changes: keys.map { KeyChange($0) }) { [self] in presented = nil }
    }
  }

  /// Returns the keys of the selection, and of what it permits, whose values differ from those of a former state.
  private final func selectionKeys(from old: TreeModel<Node>.State) -> [InternedKey] {
    let new = model.state
    var keys = new.selectionKeys(from: old)
    if !keys.contains(Keys.selectedNodes) { return keys }
    if allowsChildren, old.allowsChild != new.allowsChild { keys += [Keys.canAddChild, Keys.canInsertChild] }
    let abilities = (abilities(hasSelection: !old.nodes.isEmpty), abilities(hasSelection: !new.nodes.isEmpty))
    return keys + abilities.0.changes(to: abilities.1).map(\.key)
  }
}
