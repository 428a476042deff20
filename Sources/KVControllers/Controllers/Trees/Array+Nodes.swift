import KVBinding

// The nodes of a tree that an edit names.
extension Array where Element: AnyObject {
  /// The elements, each once.
  var unique: [Element] {
    var known: Set<ObjectIdentifier> = []
    return filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// Returns the nodes that are arranged and not inside of others of them, each once.
  func topmost<Node>() -> [Element] where Element == KVArrangedNode<Node> {
    let all = Set(map { ObjectIdentifier($0) })
    return unique.filter { $0.isArranged && $0.parent?.isInside(of: all) != true }
  }
}
