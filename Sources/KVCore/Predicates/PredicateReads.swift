/// What a predicate reads and calls (FLT.17, FLT.18).
struct PredicateReads {
  /// The paths from the evaluated value to what an expression yields, or to its elements; nil for the value itself.
  private typealias Sources = Set<KVKeyPath?>

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
  private(set) var usesMatching = false
  private(set) var usesSubquery = false

  /// What errors call it.
  let kind: String

  init(_ node: PredicateNode) {
    kind = "predicate"
    collect(node, [:])
  }

  init(_ node: ExpressionNode) {
    kind = "expression"
    collect(node, [:])
  }

  private mutating func collect(_ node: PredicateNode, _ scope: [String: Sources?]) {
    switch node {
    case .constant: break
    case .not(let inner): collect(inner, scope)
    case .and(let nodes), .or(let nodes): for node in nodes { collect(node, scope) }
    case .closure(let closure):
      hasClosure = true
      for path in closure.keyPaths { path.add(to: &keyPaths) }
    case .comparison(let comparison):
      if comparison.operator == .matches { usesMatching = true }
      collect(comparison.left, scope)
      collect(comparison.right, scope)
    }
  }

  private mutating func collect(_ node: ExpressionNode, _ scope: [String: Sources?]) {
    switch node {
    case .constant: break
    case .subject: keyPaths.insert("self")
    case .keyPath(let path): path.add(to: &keyPaths)
    case .variable(let name): if scope[name] == nil { variables.insert(name) }
    case .path(let base, _):
      if let sources = Self.sources(of: node, scope) {
        for path in sources { path?.add(to: &keyPaths) }
        collectParts(of: base, scope)
      } else {
        collect(base, scope)
        computed.append(PredicateWriter(node).text)
      }
    case .element(let base, let index):
      collect(base, scope)
      collect(index, of: node, scope)
    case .list(let nodes): for node in nodes { collect(node, scope) }
    case .function(let name, let arguments):
      if !PredicateFunctions.signs.values.contains(where: { $0.function == name }) { functions.insert(name) }
      for argument in arguments { collect(argument, scope) }
    case .subquery(let collection, let variable, let predicate):
      usesSubquery = true
      collect(collection, scope)
      var inner = scope
      inner[variable] = .some(Self.sources(of: collection, scope))
      collect(predicate, inner)
    case .cast(let inner, _): collect(inner, scope)
    case .ternary(let condition, let first, let second):
      collect(condition, scope)
      collect(first, scope)
      collect(second, scope)
    }
  }

  /// Collects what an index reads; one that may be a text is a key.
  private mutating func collect(
    _ index: ExpressionNode.ElementIndex, of node: ExpressionNode, _ scope: [String: Sources?]
  ) {
    guard case .at(let index, _) = index else { return }
    collect(index, scope)
    if !index.isNumber { computedKeys.append(PredicateWriter(node).text) }
  }

  /// Collects what an expression reads besides its own sources.
  private mutating func collectParts(of node: ExpressionNode, _ scope: [String: Sources?]) {
    switch node {
    case .element(let base, let index):
      collect(index, of: node, scope)
      collectParts(of: base, scope)
    case .path(let base, _): collectParts(of: base, scope)
    case .list(let nodes): for node in nodes { collectParts(of: node, scope) }
    case .ternary(let condition, let first, let second):
      collect(condition, scope)
      collectParts(of: first, scope)
      collectParts(of: second, scope)
    case .subquery: collect(node, scope)
    case .constant, .subject, .keyPath, .variable, .function, .cast: break
    }
  }

  /// Returns where the values of an expression, or their elements, are read; nil if they are computed, or are constants.
  private static func sources(of node: ExpressionNode, _ scope: [String: Sources?]) -> Sources? {
    switch node {
    case .subject: return [nil]
    case .keyPath(let path): return [path]
    case .variable(let name): return scope[name] ?? nil
    case .element(let base, .at(let index, _)): return index.isNumber ? sources(of: base, scope) : nil
    case .element(let base, .first), .element(let base, .last): return sources(of: base, scope)
    case .subquery(let collection, _, _): return sources(of: collection, scope)
    case .path(let base, let rest):
      guard let bases = sources(of: base, scope) else { return nil }
      var paths: Sources = []
      for base in bases {
        guard let base else {
          paths.insert(rest)
          continue
        }
        guard let path = try? base.appending(rest) else { return nil }
        paths.insert(path)
      }
      return paths
    case .list(let nodes): return sources(ofAll: nodes, scope)
    case .ternary(_, let first, let second): return sources(ofAll: [first, second], scope)
    case .constant(let constant): return constant == nil ? [] : nil
    case .element(_, .size), .function, .cast: return nil
    }
  }

  private static func sources(ofAll nodes: [ExpressionNode], _ scope: [String: Sources?]) -> Sources? {
    var all: Sources = []
    for node in nodes {
      guard let sources = sources(of: node, scope) else { return nil }
      all.formUnion(sources)
      if all.count > maximumSources { return nil }
    }
    return all
  }
}
