import KVCore

/// Makes of a predicate another one: of the same shape, with other operands.
///
/// Rewriting throws `limitExceeded` if the stack has no room for the nesting.
protocol PredicateRewriter {
  /// Returns what takes the place of an expression, by default the expression with rewritten parts.
  func rewritten(_ node: ExpressionNode) throws(KVError) -> ExpressionNode
}

extension PredicateRewriter {
  func rewritten(_ node: PredicateNode) throws(KVError) -> PredicateNode {
    try PredicateCompiler.checkStack()
    switch node {
    case .constant, .closure: return node
    case .not(let inner): return .not(try rewritten(inner))
    case .and(let nodes): return .and(try rewritten(nodes))
    case .or(let nodes): return .or(try rewritten(nodes))
    case .comparison(var comparison):
      comparison.left = try rewritten(comparison.left)
      comparison.right = try rewritten(comparison.right)
      return .comparison(comparison)
    }
  }

  /// Returns the expression with rewritten parts, in the form that the parser gives it.
  func withRewrittenParts(_ node: ExpressionNode) throws(KVError) -> ExpressionNode {
    switch node {
    case .constant, .subject, .keyPath, .variable: return node
    case .path(let base, let path):
      let base = try rewritten(base)
      return (try? .appending(path, to: base)) ?? .path(base, path)
    case .element(let base, .at(let index, let policy)):
      let (base, index) = (try rewritten(base), try rewritten(index))
      if policy != nil { return .element(base, .at(index, policy)) }
      // A path that gets too long stays computed.
      return (try? .element(of: base, at: index)) ?? .element(base, .at(index))
    case .element(let base, let index): return .element(try rewritten(base), index)
    case .list(let nodes): return .list(of: try rewritten(nodes))
    case .function(let name, let arguments): return .function(name, try rewritten(arguments))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(try rewritten(collection), variable: variable, try rewritten(predicate))
    case .cast(let inner, let type): return PredicateCast.node(try rewritten(inner), type)
    case .ternary(let condition, let first, let second):
      return .ternary(try rewritten(condition), try rewritten(first), try rewritten(second))
    }
  }

  private func rewritten(_ nodes: [PredicateNode]) throws(KVError) -> [PredicateNode] {
    var all: [PredicateNode] = []
    for node in nodes { all.append(try rewritten(node)) }
    return all
  }

  private func rewritten(_ nodes: [ExpressionNode]) throws(KVError) -> [ExpressionNode] {
    var all: [ExpressionNode] = []
    for node in nodes { all.append(try rewritten(node)) }
    return all
  }
}

/// Replaces variables by constants (FLT.10).
struct VariableBinder: PredicateRewriter {
  let values: [String: (any Sendable)?]

  func rewritten(_ node: ExpressionNode) throws(KVError) -> ExpressionNode {
    try PredicateCompiler.checkStack()
    switch node {
    case .variable(let name): return values[name].map { .constant($0) } ?? node
    case .subquery(let collection, let variable, let predicate):
      var inner = values
      inner[variable] = nil
      return .subquery(
        try rewritten(collection), variable: variable, try VariableBinder(values: inner).rewritten(predicate))
    default: return try withRewrittenParts(node)
    }
  }
}

/// Gives all key paths a policy (SEC.9).
struct PathLimiter: PredicateRewriter {
  let policy: PathPolicy

  func rewritten(_ node: ExpressionNode) throws(KVError) -> ExpressionNode {
    try PredicateCompiler.checkStack()
    switch node {
    case .keyPath(let path): return .keyPath(try path.limited(by: policy))
    case .path(let base, let path): return .path(try rewritten(base), try path.limited(by: policy))
    // An element of a tuple is read by reflection, which no rule permits.
    case .element(let base, .at(let index, _)): return .element(try rewritten(base), .at(try rewritten(index), policy))
    default: return try withRewrittenParts(node)
    }
  }
}
