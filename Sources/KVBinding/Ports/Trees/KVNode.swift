import KVCore

/// A tree node that is independent of views: for documents, menus, devices, and for tests.
///
/// ```swift
/// final class Label: KVNode {
///   @KVProperty var text = ""
///   override class var keyTable: KVTable {
///     super.keyTable.extended(for: Label.self) { key in key("text", \.text) }
///   }
/// }
/// ```
///
/// A node retains its children and references its parent weakly. All its properties are observable, including the data
/// object.
open class KVNode: KVObject, KVTreeNode {
  /// The storage for the data object and the bindings.
  public final let treeSlot = KVTreeSlot()
  /// The parent node; nil at the root.
  public private(set) weak var parent: KVNode?
  /// The child nodes, in order.
  @KVProperty public private(set) var children: [KVNode] = []
  /// The tag, which operators with a tag search for.
  @KVProperty public var treeTag = 0
  /// The identifier, which operators with an identifier search for.
  @KVProperty public var treeIdentifier: String?

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - tag: The tag, which operators with a tag search for.
  ///   - identifier: The identifier, which operators with an identifier search for.
  ///   - children: The child nodes.
  public init(tag: Int = 0, identifier: String? = nil, children: [KVNode] = []) {
    super.init()
    treeTag = tag
    treeIdentifier = identifier
    for child in children { addChild(child) }
  }

  /// The keys of a node; `superview` and `subviews` are aliases of `parent` and `children`.
  open override class var keyTable: KVTable {
    super.keyTable.extended(for: KVNode.self) { key in
      key("parent", \.parent).readOnly().notifiesManually().alias("superview")
      key("children", \.children).readOnly().alias("subviews")
      key("treeTag", \.treeTag)
      key("treeIdentifier", \.treeIdentifier)
      key("dataObject", \.dataObject).notifiesManually()
    }
  }

  /// Appends a child, which is removed from its previous parent.
  ///
  /// - Parameter child: The node to append. The receiver and its ancestors trap.
  public final func addChild(_ child: KVNode) {
    precondition(
      !sequence(first: self, next: \.parent).contains { $0 === child },
      "a node cannot be put below itself: \(type(of: child)) is \(type(of: self)) or an ancestor of it")
    child.removeFromParent()
    child.withChange(forKey: "parent") { child.parent = self }
    children.append(child)
  }

  /// Removes the node from its parent; its bindings stay.
  public final func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    withChange(forKey: "parent") { self.parent = nil }
  }

  /// The parent of the node.
  public final var treeParent: (any KVTreeNode)? { parent }
  /// The children of the node.
  public final var treeChildren: [any KVTreeNode] { children }
  /// Whether the operator `@cell` finds the node; `false` unless a subclass overrides it.
  open var isTreeCell: Bool { false }
}
