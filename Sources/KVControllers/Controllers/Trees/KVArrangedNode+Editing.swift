import KVBinding
import KVCore

// Edits of the children in the model.
extension KVArrangedNode {
  /// Inserts objects, each before a child, or at the end; those before the same child in their order.
  ///
  /// - Returns: Their nodes, in the order of the arrangement.
  func insert(
    _ objects: [(object: Node, next: KVArrangedNode<Node>?)], in children: KVMutableArray
  ) throws(KVError) -> [KVArrangedNode<Node>] {
    let added = objects.map { (object: $0.object, index: contentIndex(of: $0.next)) }.ordered { $0.index }
    try children.insert(added.map(\.object), at: added.enumerated().map { $0 + $1.index })
    let inserted = Set(objects.map { ObjectIdentifier($0.object) })
    return childNodes.filter { $0.representedObject.map(ObjectIdentifier.init).map(inserted.contains) ?? false }
  }

  /// Removes the objects of nodes, as far as these are children: an object may be at several places, from all of which it
  /// is removed at once.
  func remove(_ nodes: [KVArrangedNode<Node>], in children: KVMutableArray) throws(KVError) {
    let indexes = nodes.filter { $0.parent === self }.map { contentIndex(of: $0) }
    if !indexes.isEmpty { try children.remove(at: indexes.sorted()) }
  }

  /// Returns the index in the model of a child; that behind the last child, if there is no such child.
  private func contentIndex(of child: KVArrangedNode<Node>?) -> Int {
    guard let source else { return 0 }
    source.makeRemainingSteps()
    guard let child, child.parent === self else { return source.content.count }
    return source.content.sourceIndex(of: child.index) ?? source.content.count
  }
}

extension KVIndexPath {
  /// The error of a path that leads to no node.
  var outOfRange: KVError {
    KVError(.indexOutOfRange, "the index path \(self) is out of range: there is no such node, or no such parent.")
  }
}
