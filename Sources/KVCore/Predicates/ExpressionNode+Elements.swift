extension ExpressionNode {
  /// Whether the value can be no text, whatever is evaluated: a number, or nil.
  var isNumber: Bool {
    switch self {
    case .constant(let constant):
      switch Scalar(constant.map { $0 as Any }).plain {
      case .none, .bool, .integer, .floating: true
      case .text, .other: false
      }
    case .element(_, .size): true
    case .function(let name, _): PredicateFunctions.makesNumbers(name)
    case .cast(_, let type): ["Bool", "Int", "Double"].contains(type)
    case .ternary(_, let first, let second): first.isNumber && second.isNumber
    case .subject, .keyPath, .variable, .path, .element, .list, .subquery: false
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
    switch node {
    case .subject: .keyPath(path)
    case .keyPath(let base): .keyPath(try base.appending(path))
    case .path(let base, let first): .path(base, try first.appending(path))
    default: .path(node, path)
    }
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
