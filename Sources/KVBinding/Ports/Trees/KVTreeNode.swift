import KVCore

/// An object of a tree, such as a view, whose properties can be bound to the data objects of other nodes.
///
/// A node of the tree has a ``dataObject``. Other nodes declare, as text, the path to that node, and from its data
/// object to a value (NOD.1):
///
/// ```swift
/// try label.bindTo("@superviewWithClass[FruitCell].dataObject.name", "text")
/// cell.dataObject = fruit      // the label shows the name, and follows its changes
/// ```
///
/// ``KVNode`` is a ready-made node. Your own class stores a slot and returns its parent and children:
///
/// ```swift
/// class View: KVTreeNode {
///   let treeSlot = KVTreeSlot()
///   weak var superview: View?
///   var subviews: [View] = []
///   var treeParent: (any KVTreeNode)? { superview }
///   var treeChildren: [any KVTreeNode] { subviews }
/// }
/// ```
///
/// Nodes need not be observable if values go only from the data objects to the nodes. A tree belongs to one isolation
/// domain.
public protocol KVTreeNode: AnyObject, KeyValueCoding {
  /// The storage for the data object and the bindings; a stored `let`.
  var treeSlot: KVTreeSlot { get }
  /// The parent node; nil at the root.
  var treeParent: (any KVTreeNode)? { get }
  /// The child nodes, in order.
  var treeChildren: [any KVTreeNode] { get }
  /// The tag, which `@superviewWithTag[n]` and `@subviewWithTag[n]` search for; 0 by default.
  var treeTag: Int { get }
  /// The identifier, which `@superviewWithRestorationID[s]` and `@subviewWithRestorationID[s]` search for; nil by
  /// default.
  var treeIdentifier: String? { get }
  /// Whether the operator `@cell` finds the node; `false` by default.
  var isTreeCell: Bool { get }
}

extension KVTreeNode {
  /// The default tag: 0, for none.
  public var treeTag: Int { 0 }
  /// The default identifier: none.
  public var treeIdentifier: String? { nil }
  /// The default: the node is not a cell.
  public var isTreeCell: Bool { false }

  /// The data object of the node, which it and other nodes show; retained by the node.
  ///
  /// Setting it, even to the same object, re-evaluates all bindings that found this node, in the order of their
  /// declaration (NOD.3). With nil these bindings are unresolved: nothing is set, unless they have a fallback (BND.10).
  public var dataObject: AnyObject? {
    get { treeSlot.dataObject }
    set {
      guard let observed = self as? any KVObservable else { return treeSlot.set(newValue) }
      observed.withChange(forKey: "dataObject") { treeSlot.set(newValue) }
    }
  }

  /// How bindings that find this node follow its data object, unless they have their own setting; live by default.
  public var dataObjectUpdating: KVTreeUpdating {
    get { treeSlot.updating }
    set { treeSlot.setUpdating(newValue) }
  }

  /// Updates all bindings to the data object of this node from its current values, as ``KVTreeUpdating/manual``
  /// requires.
  ///
  /// - Throws: ``KVError``: the first error. The remaining bindings are updated nevertheless.
  public func updateFromDataObject() throws(KVError) { try treeSlot.update() }
}
