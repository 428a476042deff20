import KVCore

/// An object of a tree whose properties can be bound to data that stand elsewhere in the tree: a view, or anything alike.
///
/// A node somewhere in the tree holds a ``dataObject``. Others declare, as text, the way to that node and from its data
/// object on to a value (NOD.1):
///
/// ```swift
/// try label.bindTo("@superviewWithClass[FruitCell].dataObject.name", "text")
/// cell.dataObject = fruit      // the label shows its name, and follows it
/// ```
///
/// ``KVNode`` is a node that is ready-made. A class of its own stores a slot and says who its parent and children are:
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
/// Nodes need not be observable, as far as values go only from the data to them. A tree belongs to one isolation domain.
public protocol KVTreeNode: AnyObject, KeyValueCoding {
  /// The place for the data object and the bindings; a stored `let`.
  var treeSlot: KVTreeSlot { get }
  /// The node above; nil at the root.
  var treeParent: (any KVTreeNode)? { get }
  /// The nodes right below, in order.
  var treeChildren: [any KVTreeNode] { get }
  /// The number that `@superviewWithTag[n]` and `@subviewWithTag[n]` look for; 0 by default.
  var treeTag: Int { get }
  /// The name that `@superviewWithRestorationID[s]` and `@subviewWithRestorationID[s]` look for; nil by default.
  var treeIdentifier: String? { get }
  /// Whether `@cell` stops here; false by default.
  var isTreeCell: Bool { get }
}

extension KVTreeNode {
  /// No tag.
  public var treeTag: Int { 0 }
  /// No name.
  public var treeIdentifier: String? { nil }
  /// No cell.
  public var isTreeCell: Bool { false }

  /// What the node and those around it show; kept alive by the node.
  ///
  /// Setting it, be it to the same object, re-evaluates every binding that found this node, in the order in which they
  /// were declared (NOD.3). With nil they are unresolved: nothing is written, unless they have a fallback (BND.10).
  public var dataObject: AnyObject? {
    get { treeSlot.dataObject }
    set {
      guard let observed = self as? any KVObservable else { return treeSlot.set(newValue) }
      observed.withChange(forKey: "dataObject") { treeSlot.set(newValue) }
    }
  }

  /// How bindings that find this node follow its data object, unless they say otherwise; live by default.
  public var dataObjectUpdating: KVTreeUpdating {
    get { treeSlot.updating }
    set { treeSlot.setUpdating(newValue) }
  }

  /// Carries the values of the data object over to all that is bound to it here, as ``KVTreeUpdating/manual`` needs it.
  ///
  /// - Throws: ``KVError``: the first failure; the bindings after it are brought up to date all the same.
  public func updateFromDataObject() throws(KVError) { try treeSlot.update() }
}

/// How a binding of the tree follows the data object that it found (NOD.3).
public enum KVTreeUpdating: String, Sendable, Hashable, Codable, CaseIterable {
  /// It observes the data object, which must be observable.
  case live
  /// It looks at the data object when that is set, and at ``KVTreeNode/updateFromDataObject()``; any object will do.
  case manual
}
