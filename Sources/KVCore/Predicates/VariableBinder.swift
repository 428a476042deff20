/// Replaces variables by constants (FLT.10).
struct VariableBinder {
  private let values: [String: (any Sendable)?]

  init(_ values: [String: (any Sendable)?]) { self.values = values }

  func bind(_ node: PredicateNode) -> PredicateNode {
    switch node {
    case .constant, .closure: return node
    case .not(let inner): return .not(bind(inner))
    case .and(let nodes): return .and(nodes.map(bind))
    case .or(let nodes): return .or(nodes.map(bind))
    case .comparison(var comparison):
      comparison.left = bind(comparison.left)
      comparison.right = bind(comparison.right)
      return .comparison(comparison)
    }
  }

  private func bind(_ node: ExpressionNode) -> ExpressionNode {
    switch node {
    case .constant, .subject, .keyPath: return node
    case .variable(let name): return values[name].map { .constant($0) } ?? node
    case .path(let base, let path):
      let base = bind(base)
      return (try? .appending(path, to: base)) ?? .path(base, path)
    case .element(let base, .at(let index)):
      let (base, index) = (bind(base), bind(index))
      // A path that gets too long stays computed.
      return (try? .element(of: base, at: index)) ?? .element(base, .at(index))
    case .element(let base, let index): return .element(bind(base), index)
    case .list(let nodes): return .list(of: nodes.map(bind))
    case .function(let name, let arguments): return .function(name, arguments.map(bind))
    case .subquery(let collection, let variable, let predicate):
      var inner = values
      inner[variable] = nil
      return .subquery(bind(collection), variable: variable, VariableBinder(inner).bind(predicate))
    case .cast(let inner, let type): return PredicateCast.node(bind(inner), type)
    case .ternary(let condition, let first, let second): return .ternary(bind(condition), bind(first), bind(second))
    }
  }
}
