import KVCore

/// A node of a tree that has nothing to do with views: for documents, menus, devices, and for tests.
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
/// A node keeps its children, not its parent. All of it is observable, the data object too.
open class KVNode: KVObject, KVTreeNode {
  /// The place for the data object and the bindings.
  public final let treeSlot = KVTreeSlot()
  /// The node above; nil at the root.
  public private(set) weak var parent: KVNode?
  /// The nodes right below, in order.
  @KVProperty public private(set) var children: [KVNode] = []
  /// The number that operators with a tag look for.
  @KVProperty public var tag = 0
  /// The name that operators with an identifier look for.
  @KVProperty public var identifier: String?

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - tag: The number that operators with a tag look for.
  ///   - identifier: The name that operators with an identifier look for.
  ///   - children: The nodes right below.
  public init(tag: Int = 0, identifier: String? = nil, children: [KVNode] = []) {
    super.init()
    self.tag = tag
    self.identifier = identifier
    for child in children { addChild(child) }
  }

  /// The keys of a node; `superview` and `subviews` are other names of `parent` and `children`.
  open override class var keyTable: KVTable {
    super.keyTable.extended(for: KVNode.self) { key in
      key("parent", \.parent).readOnly().notifiesManually().alias("superview")
      key("children", \.children).readOnly().alias("subviews")
      key("tag", \.tag)
      key("identifier", \.identifier)
      key("dataObject", \.dataObject).notifiesManually()
    }
  }

  /// Adds a child behind the others; it leaves its former parent.
  ///
  /// - Parameter child: The node; neither the receiver nor one above it, which traps.
  public final func addChild(_ child: KVNode) {
    precondition(
      !sequence(first: self, next: \.parent).contains { $0 === child },
      "a node cannot be put below itself: \(type(of: child)) is \(type(of: self)) or an ancestor of it")
    child.removeFromParent()
    child.withChange(forKey: "parent") { child.parent = self }
    children.append(child)
  }

  /// Leaves the parent; what is bound goes on.
  public final func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    withChange(forKey: "parent") { self.parent = nil }
  }

  /// The parent.
  public final var treeParent: (any KVTreeNode)? { parent }
  /// The children.
  public final var treeChildren: [any KVTreeNode] { children }
  /// The tag.
  public final var treeTag: Int { tag }
  /// The identifier.
  public final var treeIdentifier: String? { identifier }
  /// Whether `@cell` stops here; false unless a subclass says otherwise.
  open var isTreeCell: Bool { false }
}
