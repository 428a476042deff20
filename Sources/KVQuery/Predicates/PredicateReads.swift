import KVCore

/// The key paths that a predicate reads, and the functions that it calls (FLT.17, FLT.18).
struct PredicateReads {
  /// The paths from the evaluated value to what an expression yields, or to its elements; nil for the value itself.
  private typealias Sources = Set<KVKeyPath?>

  /// The variables of the subqueries around, with the sources of their values; nil for those that are computed.
  private typealias Scope = [String: Sources?]

  /// The greatest number of sources that are told apart.
  private static let maximumSources = 200

  /// The key paths from the evaluated value.
  private(set) var keyPaths: Set<KVKeyPath> = []
  /// The functions, without those that are signs.
  private(set) var functions: Set<String> = []
  /// The variables without a value.
  private(set) var variables: Set<String> = []
  /// The paths from values that are no values of key paths.
  private(set) var computed: [String] = []
  /// The elements whose index may be a key, which is not known before the evaluation.
  private(set) var computedKeys: [String] = []
  private(set) var hasClosure = false
  /// Why a part is missing.
  private(set) var fault: NestingFault?
  private(set) var usesMatching = false
  private(set) var usesSubquery = false

  /// The name of the kind in errors.
  let kind: String

  init(_ node: PredicateNode) {
    kind = "predicate"
    collect([.predicate(node, [:])])
  }

  init(_ node: ExpressionNode) {
    kind = "expression"
    collect([.expression(node, [:])])
  }

  /// A part whose reads remain to be collected.
  private enum Item {
    case predicate(PredicateNode, Scope)
    case expression(ExpressionNode, Scope)
    /// The reads of an expression besides its own sources.
    case parts(ExpressionNode, Scope)
    /// A path from a computed value, whose parts have been collected.
    case computed(ExpressionNode)
    /// An index of an expression.
    case index(ExpressionNode.ElementIndex, ExpressionNode, Scope)
  }

  /// Collects in a loop, since nothing here can fail for the lack of a stack.
  ///
  /// - Parameter items: The items to collect, the first one last.
  private mutating func collect(_ items: [Item]) {
    var items = items
    while let item = items.popLast() { items += parts(of: item).reversed() }
  }

  /// Collects what an item reads itself, and returns its parts in their order.
  private mutating func parts(of item: Item) -> [Item] {
    switch item {
    case .predicate(let node, let scope): return parts(of: node, scope)
    case .expression(let node, let scope): return parts(of: node, scope)
    case .parts(let node, let scope): return Self.innerParts(of: node, scope)
    case .computed(let node):
      computed.append(PredicateWriter(node).text)
      return []
    case .index(let index, let node, let scope):
      guard case .at(let index, _) = index else { return [] }
      // One that may be a text is a key.
      if !index.isNumber { computedKeys.append(PredicateWriter(node).text) }
      return [.expression(index, scope)]
    }
  }

  private mutating func parts(of node: PredicateNode, _ scope: Scope) -> [Item] {
    switch node {
    case .constant: return []
    case .not(let inner): return [.predicate(inner, scope)]
    case .and(let nodes), .or(let nodes): return nodes.map { .predicate($0, scope) }
    case .closure(let closure):
      hasClosure = true
      if let fault = closure.fault { self.fault = fault }
      for path in closure.keyPaths { path.add(to: &keyPaths) }
      return []
    case .comparison(let comparison):
      if comparison.operator == .matches { usesMatching = true }
      return [.expression(comparison.left, scope), .expression(comparison.right, scope)]
    }
  }

  private mutating func parts(of node: ExpressionNode, _ scope: Scope) -> [Item] {
    switch node {
    case .constant: return []
    case .subject: keyPaths.insert("self")
    case .keyPath(let path): path.add(to: &keyPaths)
    case .variable(let name): if scope[name] == nil { variables.insert(name) }
    case .path(let base, _):
      guard let sources = Self.sources(of: node, scope) else { return [.expression(base, scope), .computed(node)] }
      for path in sources { path?.add(to: &keyPaths) }
      return [.parts(base, scope)]
    case .element(let base, let index): return [.expression(base, scope), .index(index, node, scope)]
    case .list(let nodes): return nodes.map { .expression($0, scope) }
    case .function(let name, let arguments):
      if !PredicateFunctions.signs.values.contains(where: { $0.function == name }) { functions.insert(name) }
      return arguments.map { .expression($0, scope) }
    case .subquery(let collection, let variable, let predicate):
      usesSubquery = true
      var inner = scope
      inner[variable] = .some(Self.sources(of: collection, scope))
      return [.expression(collection, scope), .predicate(predicate, inner)]
    case .cast(let inner, _): return [.expression(inner, scope)]
    case .ternary(let condition, let first, let second):
      return [.predicate(condition, scope), .expression(first, scope), .expression(second, scope)]
    }
    return []
  }

  private static func innerParts(of node: ExpressionNode, _ scope: Scope) -> [Item] {
    switch node {
    case .element(let base, let index): [.index(index, node, scope), .parts(base, scope)]
    case .path(let base, _): [.parts(base, scope)]
    case .list(let nodes): nodes.map { .parts($0, scope) }
    case .ternary(let condition, let first, let second):
      [.predicate(condition, scope), .parts(first, scope), .parts(second, scope)]
    case .subquery: [.expression(node, scope)]
    case .constant, .subject, .keyPath, .variable, .function, .cast: []
    }
  }

  /// Returns where the values of an expression, or their elements, are read; nil if they are computed, or are constants.
  private static func sources(of node: ExpressionNode, _ scope: Scope) -> Sources? {
    var sources: Sources = []
    // The expressions, each with the path that follows it.
    var items: [(node: ExpressionNode, remainder: KVKeyPath?)] = [(node, nil)]
    while let (node, remainder) = items.popLast() {
      switch node {
      case .subject: sources.insert(remainder)
      case .keyPath(let path):
        guard let path = joined(path, remainder) else { return nil }
        sources.insert(path)
      case .variable(let name):
        guard let bases = scope[name] ?? nil else { return nil }
        for base in bases {
          guard let base else {
            sources.insert(remainder)
            continue
          }
          guard let path = joined(base, remainder) else { return nil }
          sources.insert(path)
        }
      case .element(let base, .at(let index, _)):
        guard index.isNumber else { return nil }
        items.append((base, remainder))
      case .element(let base, .first), .element(let base, .last): items.append((base, remainder))
      case .subquery(let collection, _, _): items.append((collection, remainder))
      case .path(let base, let path):
        guard let path = joined(path, remainder) else { return nil }
        items.append((base, path))
      case .list(let nodes): items += nodes.map { ($0, remainder) }
      case .ternary(_, let first, let second): items += [(first, remainder), (second, remainder)]
      case .constant(nil): break
      case .constant, .element(_, .size), .function, .cast: return nil
      }
      if sources.count > maximumSources { return nil }
    }
    return sources
  }

  private static func joined(_ path: KVKeyPath, _ remainder: KVKeyPath?) -> KVKeyPath? {
    guard let remainder else { return path }
    return try? path.appending(remainder)
  }
}
