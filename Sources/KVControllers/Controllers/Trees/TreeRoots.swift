import KVBinding
import KVCore

/// The root objects of a tree as the children of an object, so that the node that contains them follows these as any other
/// node follows its children.
final class TreeRoots<Node: KVObservable>: KVObject, Plumbing {
  private(set) var nodes: [Node] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TreeRoots<Node>.self, listedKeysOnly: true) { key in
      key("nodes", { $0.nodes }).notifiesManually()
    }.hidingStorage()
  }

  /// Makes an edit by index, and notifies of it.
  func make(_ edit: IndexedEdit<Node>) {
    let key = InternedKey("nodes")
    change(key, edit.kind, at: edit.indexes, from: nodes[at: edit.removedIndexes], to: edit.added ?? []) {
      edit.apply(to: &nodes)
    }
  }

  /// Sets all root objects, and notifies of it.
  func set(_ new: [Node]) {
    change(InternedKey("nodes"), from: nodes, to: nodes) { nodes = new }
  }
}
