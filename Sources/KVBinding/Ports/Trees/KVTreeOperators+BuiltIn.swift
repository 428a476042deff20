import KVCore

extension KVTreeOperators {
  static let builtIn: [String: Definition] = [
    "superview": Definition(
      argument: .none, body: { $0.node.treeParent }, reason: { _ in "it has no parent" }),
    "rootview": Definition(
      argument: .none,
      body: { call in
        var top = call.node
        _ = try call.nearestAncestor {
          top = $0
          return false
        }
        return top
      }, reason: { _ in "" }),
    "superviewWithTag": above(.integer, "has the tag") { node, call in node.treeTag == call.number },
    "superviewWithRestorationID": above(.text, "has the identifier") { node, call in node.treeIdentifier == call.text },
    "superviewWithClass": above(.text, "is of a class") { node, call in isInstance(node, of: call.text.trimmed) },
    "cell": Definition(
      argument: .none, body: { call in try call.nearestAncestor { $0.isTreeCell } },
      reason: { _ in "no ancestor is a cell" }),
    "subviews": Definition(
      argument: .integer,
      body: { call in
        let children = call.node.treeChildren
        return children.indices.contains(call.number) ? children[call.number] : nil
      },
      reason: { call in
        switch call.node.treeChildren.count {
        case 0: "it has no children"
        case 1: "its only child has the index 0"
        case let count: "its children have the indexes 0 to \(count - 1)"
        }
      }),
    "subviewWithTag": below(.integer, "has the tag") { node, call in node.treeTag == call.number },
    "subviewWithRestorationID": below(.text, "has the identifier") { node, call in node.treeIdentifier == call.text },
    "subviewWithClass": below(.text, "is of a class") { node, call in isInstance(node, of: call.text.trimmed) },
  ]

  private static func above(
    _ argument: Argument, _ what: String, _ isWanted: @escaping @Sendable (any KVTreeNode, Call) -> Bool
  ) -> Definition {
    Definition(
      argument: argument, body: { call in try call.nearestAncestor { isWanted($0, call) } },
      reason: { call in "no ancestor \(what) \(call.printedArgument(argument))" })
  }

  private static func below(
    _ argument: Argument, _ what: String, _ isWanted: @escaping @Sendable (any KVTreeNode, Call) -> Bool
  ) -> Definition {
    Definition(
      argument: argument, body: { call in call.firstChild { isWanted($0, call) } },
      reason: { call in "no child \(what) \(call.printedArgument(argument))" })
  }
}

extension KVTreeOperators.Call {
  fileprivate func printedArgument(_ argument: KVTreeOperators.Argument) -> String {
    argument == .integer ? "\(number)" : "\"\(text)\""
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
