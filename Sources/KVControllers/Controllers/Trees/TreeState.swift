import KVBinding
import KVCore

/// The values of the keys of a tree controller, besides its nodes.
struct TreeState<Node: KVObservable> {
  var content: [Node] = []
  var sortDescriptors: [KVSortDescriptor] = []
  /// The selected nodes, in the order of their paths.
  var nodes: [KVArrangedNode<Node>] = []
  /// The index paths of the selected nodes, ascending.
  var paths: [KVIndexPath] = []
  /// Counts the changes.
  var version = 0
}
