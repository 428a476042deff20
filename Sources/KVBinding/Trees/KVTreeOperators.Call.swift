import KVCore

extension KVTreeOperators {
  /// What an operator is called with.
  public struct Call {
    /// The node at which it starts.
    public let node: any KVTreeNode
    /// The text in brackets; empty if there is none.
    public let text: String
    /// The number in brackets; 0 if there is none.
    public let number: Int

    /// Returns the nearest node above this one that passes a test.
    ///
    /// - Parameter isWanted: The test.
    /// - Returns: The node; nil if none passes.
    /// - Throws: ``KVError`` with the code `operatorFailed` if the parents go round in a circle (NOD.3); what the test
    ///   throws.
    /// - Complexity: O(*n*) in the nodes above.
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

    /// Returns the first node right below this one that passes a test.
    ///
    /// - Parameter isWanted: The test.
    /// - Returns: The node; nil if none passes.
    /// - Throws: What the test throws.
    public func firstChild(where isWanted: (any KVTreeNode) throws -> Bool) rethrows -> (any KVTreeNode)? {
      try node.treeChildren.first(where: isWanted)
    }
  }

  /// A node, so that a human finds it: its class, its identifier and its tag.
  static func describe(_ node: any KVTreeNode) -> String {
    let identifier = node.treeIdentifier.map { " \"\($0)\"" } ?? ""
    return "\(type(of: node))\(identifier)" + (node.treeTag == 0 ? "" : " with the tag \(node.treeTag)")
  }

  /// Whether a node is of a class of a name, or of a subclass of it; the name may be qualified as far as is wanted.
  static func isInstance(_ node: any KVTreeNode, of name: String) -> Bool {
    let suffix = "." + name
    return ([type(of: node)] + ReflectedValue.superclasses(of: node)).contains { type in
      if "\(type)" == name { return true }
      let full = String(reflecting: type)
      return full == name || full.hasSuffix(suffix)
    }
  }
}
