import KVCore

extension ExpressionNode {
  /// The policy of the key paths in the expression; that with the lowest limit of elements, if there are several.
  var policy: PathPolicy? {
    PredicateWriter(self).policies.compactMap { $0 }.min { $0.elementLimit < $1.elementLimit }
  }

  /// Whether the value can be no text, whatever is evaluated: a number, or nil.
  var isNumber: Bool {
    var nodes = [self]
    while let node = nodes.popLast() {
      if case .ternary(_, let first, let second) = node {
        nodes += [first, second]
      } else if !node.isPlainNumber {
        return false
      }
    }
    return true
  }

  private var isPlainNumber: Bool {
    switch self {
    case .constant(let constant):
      switch Scalar(constant.map { $0 as Any }).plain {
      case .none, .bool, .integer, .floating: true
      case .text, .other: false
      }
    case .element(_, .size): true
    case .function(let name, _): PredicateFunctions.makesNumbers(name)
    case .cast(_, let type): ["Bool", "Int", "Double"].contains(type)
    case .subject, .keyPath, .variable, .path, .element, .list, .subquery, .ternary: false
    }
  }

  /// Whether an operator without an argument is the last component.
  var endsInOperator: Bool {
    switch self {
    case .keyPath(let path), .path(_, let path): if case .operator(_, nil) = path.last { true } else { false }
    default: false
    }
  }

  /// Returns a path from the value of an expression.
  static func appending(_ path: KVKeyPath, to node: ExpressionNode) throws(KVError) -> ExpressionNode {
    // Brackets behind an operator would be its argument; what it yields is the base of another path.
    if node.endsInOperator, !path.first.takesDot { return try .continuing(path, from: node) }
    switch node {
    case .subject: return .keyPath(path)
    case .keyPath(let base): return .keyPath(try base.appending(path))
    case .path(let base, let first): return .path(base, try first.appending(path))
    default: return .path(node, path)
    }
  }

  /// Returns a path that begins with brackets, from the value of an expression; an index is an element of that (FLT.18).
  private static func continuing(_ path: KVKeyPath, from node: ExpressionNode) throws(KVError) -> ExpressionNode {
    guard case .index(let index) = path.first else { return .path(node, path) }
    let element = ExpressionNode.element(node, .at(.constant(index)))
    guard path.count > 1 else { return element }
    return .path(element, try path.part(Array(path.components.dropFirst())))
  }

  /// Returns an element; a constant index is a component of a path, so that ``PredicateReads`` finds it (FLT.18).
  static func element(of node: ExpressionNode, at index: ExpressionNode) throws(KVError) -> ExpressionNode {
    guard case .constant(let constant) = index else { return .element(node, .at(index)) }
    switch Scalar(constant.map { $0 as Any }).plain {
    case .text(let key): return try appending(try KVKeyPath(components: [.entry(key)]), to: node)
    case .integer(let index) where index >= 0:
      return try appending(try KVKeyPath(components: [.index(index)]), to: node)
    default: return .element(node, .at(index))
    }
  }

  /// Returns a list; one of constants is a constant.
  static func list(of nodes: [ExpressionNode]) -> ExpressionNode {
    var constants: [(any Sendable)?] = []
    for case .constant(let constant) in nodes { constants.append(constant) }
    return constants.count == nodes.count ? .constant(constants) : .list(nodes)
  }
}
