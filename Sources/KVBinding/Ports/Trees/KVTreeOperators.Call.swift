import KVCore

extension KVTreeOperators {
  /// The input of an operator.
  public struct Call {
    /// The node at which the operator starts.
    public let node: any KVTreeNode
    /// The text of the argument; empty if there is none.
    public let text: String
    /// The number of the argument; 0 if there is none.
    public let number: Int

    /// Returns the nearest ancestor that satisfies a predicate.
    ///
    /// - Parameter isWanted: The predicate.
    /// - Returns: The node, or nil if there is none.
    /// - Throws: ``KVError`` (`operatorFailed`) if the parents form a cycle (NOD.3); any error of the predicate.
    /// - Complexity: O(*n*) in the number of ancestors.
    public func nearestAncestor(where isWanted: (any KVTreeNode) throws -> Bool) throws -> (any KVTreeNode)? {
      var seen: Set<ObjectIdentifier> = [ObjectIdentifier(node)]
      var current = node.treeParent
      while let ancestor = current {
        guard seen.insert(ObjectIdentifier(ancestor)).inserted else {
          throw KVError(
            .operatorFailed, "the parents go round in a circle: \(describe(ancestor)) is an ancestor of itself.")
        }
        if try isWanted(ancestor) { return ancestor }
        current = ancestor.treeParent
      }
      return nil
    }

    /// Returns the first child that satisfies a predicate.
    ///
    /// - Parameter isWanted: The predicate.
    /// - Returns: The node, or nil if there is none.
    /// - Throws: Any error of the predicate.
    package func firstChild(where isWanted: (any KVTreeNode) throws -> Bool) rethrows -> (any KVTreeNode)? {
      try node.treeChildren.first(where: isWanted)
    }
  }

  /// Returns a description of a node: its class, its identifier and its tag.
  static func describe(_ node: any KVTreeNode) -> String {
    let identifier = node.treeIdentifier.map { " \"\($0)\"" } ?? ""
    return "\(type(of: node))\(identifier)" + (node.treeTag == 0 ? "" : " with the tag \(node.treeTag)")
  }

  /// Returns whether a node is an instance of the named class or a subclass; the name may be qualified to any degree.
  static func isInstance(_ node: any KVTreeNode, of name: String) -> Bool {
    let suffix = "." + name
    return ([type(of: node)] + ReflectedValue.superclasses(of: node)).contains { type in
      if "\(type)" == name { return true }
      let full = String(reflecting: type)
      return full == name || full.hasSuffix(suffix)
    }
  }
}
