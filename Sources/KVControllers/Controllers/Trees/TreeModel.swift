import KVBinding
import KVCore
import KVQuery

/// The content and the selection of a tree controller, without keys, observers, bindings or editors (TRC.3, TRC.6).
///
/// A node that is selected stays so when changes of the model move it. The paths of the selection are computed when they are
/// read after a change.
final class TreeModel<Node: KVObservable> {
  typealias Keys = KVController.Keys

  /// The values of the keys of a controller, besides its nodes.
  struct State {
    var content: [Node] = []
    var sortDescriptors: [KVSortDescriptor] = []
    /// The selected nodes, in the order of their paths.
    var nodes: [KVArrangedNode<Node>] = []
    /// The index paths of the selected nodes, ascending.
    var paths: [KVIndexPath] = []
    /// Counts the changes.
    var version = 0

    /// Whether the first selected node can have children.
    var allowsChild: Bool { nodes.first.map { !$0.forbidsChildren } ?? false }

    /// Returns the keys of the selection whose values differ from those of a former state.
    func selectionKeys(from old: State) -> [InternedKey] {
      if old.nodes.elementsEqual(nodes, by: ===) {
        if old.paths == paths { return [] }
        return [Keys.selectionIndexPaths] + (old.paths.first == paths.first ? [] : [Keys.selectionIndexPath])
      }
      let keys = [Keys.selectedNodes, Keys.selectionIndexPaths, Keys.selectionIndexPath]
      let isSame = old.nodes.elementsEqual(nodes) { $0.representedObject === $1.representedObject }
      return isSame ? keys : keys + [Keys.selectedObjects, Keys.selection]
    }
  }

  let roots = TreeRoots<Node>()
  private var current = State()
  /// The state before the changes that observers of the selection have not been notified of.
  private(set) var previous: State?
  /// The selected nodes, those included that a change has removed and may insert again.
  private var selected: [KVArrangedNode<Node>] = []
  /// Where the first selected node was when it left the tree.
  private var vacancy: (parent: KVArrangedNode<Node>, index: Int)?
  private var hasRearranged = false
  /// Whether the selected nodes have other paths than known, or are not in the tree any more.
  private var isStale = false
  /// The nodes of objects that are being moved; nil if none are.
  private var moving: [ObjectIdentifier: [KVArrangedNode<Node>]]?

  /// The state after all changes.
  var state: State {
    if isStale { locateSelection() }
    return current
  }

  var sortDescriptors: [KVSortDescriptor] { current.sortDescriptors }

  /// Changes the content or the descriptors.
  func change(_ body: (inout State) -> Void) {
    let old = current
    body(&current)
    current.version += 1
    withExtendedLifetime(old) {}  // which is released after the access
  }

  // MARK: The selection

  /// Selects nodes, as far as they are in the tree.
  func select(_ nodes: [KVArrangedNode<Node>]) {
    selected = nodes.unique
    vacancy = nil
    locateSelection()
  }

  /// Finds the selected nodes that are in the tree.
  private func locateSelection() {
    let located = selected.filter { $0.isArranged && $0.parent != nil }.map { (path: $0.indexPath, node: $0) }
      .sorted { $0.path < $1.path }
    (current.nodes, current.paths) = (located.map(\.node), located.map(\.path))
    current.version += 1
    isStale = false
  }

  /// Makes changes, and takes their effect on the selection back if they fail.
  func restoringSelection(of root: KVArrangedNode<Node>, _ body: () throws(KVError) -> Void) throws(KVError) {
    let (paths, former) = (state.paths, (hasRearranged, vacancy))
    do throws(KVError) { try body() } catch {
      select(paths.compactMap { root.descendant(at: $0) })
      (hasRearranged, vacancy) = former
      throw error
    }
  }

  // MARK: Following nodes

  /// Prepares for a change of nodes.
  func beginChange() { if previous == nil { previous = state } }

  /// Follows a removal of nodes, before it, so that a place is known for the selection if nothing stays selected.
  ///
  /// - Parameters:
  ///   - parent: The parent.
  ///   - indexes: The ascending indexes of the nodes.
  ///   - keepsIndex: Whether others replace the nodes.
  func node(_ parent: KVArrangedNode<Node>, loses indexes: [Int], keepsIndex: Bool) {
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
  func nodesDidChange() {
    hasRearranged = true
    if !selected.isEmpty || !current.nodes.isEmpty { isStale = true }
  }

  /// Lets the end of a change select a node if nothing is selected.
  func requireSelection() { hasRearranged = true }

  /// Follows the end of a change.
  ///
  /// - Parameters:
  ///   - root: The node that contains the roots.
  ///   - avoidsEmpty: Whether a node is selected if a change of nodes leaves nothing selected (CTR.30).
  /// - Returns: The state before it; nil if it is known already.
  func endChange(of root: KVArrangedNode<Node>, avoidsEmpty: Bool) -> State? {
    if hasRearranged, avoidsEmpty, state.nodes.isEmpty, let node = neighbour(in: root) {
      selected = [node]
      locateSelection()
    }
    selected = state.nodes
    (hasRearranged, vacancy) = (false, nil)
    defer { previous = nil }
    return previous
  }

  /// Returns the node to select where nothing is selected any more: the sibling at the index, else the last one, else the
  /// parent (TRC.6); the first root, if nothing was selected.
  private func neighbour(in root: KVArrangedNode<Node>) -> KVArrangedNode<Node>? {
    guard let vacancy else { return root.nodes.first }
    let siblings = vacancy.parent.nodes
    if !siblings.isEmpty { return siblings[min(vacancy.index, siblings.count - 1)] }
    return vacancy.parent === root ? nil : vacancy.parent
  }

  // MARK: Moving

  /// Makes changes in which nodes that leave and come back stay the same, also if they are taken back.
  func reusingNodes(_ body: () throws(KVError) -> Void) throws(KVError) {
    let isOutermost = moving == nil
    if isOutermost { moving = [:] }
    defer { if isOutermost { moving = nil } }
    try body()
  }

  /// Follows nodes that have left their parent.
  func nodesWereRemoved(_ nodes: [KVArrangedNode<Node>]) {
    guard moving != nil else { return }
    for node in nodes { node.representedObject.map { moving?[ObjectIdentifier($0), default: []].append(node) } }
  }

  /// Returns a node of an object that is being moved to a parent, which is not inside of it.
  func movingNode(of id: ObjectIdentifier, to parent: KVArrangedNode<Node>) -> KVArrangedNode<Node>? {
    let index = moving?[id]?.firstIndex { !parent.isInside(of: [ObjectIdentifier($0)]) }
    return index.flatMap { moving?[id]?.remove(at: $0) }
  }
}
