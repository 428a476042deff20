/// What a predicate reads and calls (FLT.17, FLT.18).
struct PredicateReads {
  /// The key paths from the evaluated value.
  private(set) var keyPaths: Set<KVKeyPath> = []
  /// The functions, without those that are signs.
  private(set) var functions: Set<String> = []
  /// The variables without a value.
  private(set) var variables: Set<String> = []
  /// The expressions from whose values keys are read, though they are no key paths.
  private(set) var computed: [String] = []
  private(set) var hasClosure = false
  private(set) var usesMatching = false

  init(_ node: PredicateNode) { collect(node, [:]) }

  private mutating func collect(_ node: PredicateNode, _ scope: [String: KVKeyPath?]) {
    switch node {
    case .constant: break
    case .not(let inner): collect(inner, scope)
    case .and(let nodes), .or(let nodes): for node in nodes { collect(node, scope) }
    case .closure(let closure):
      hasClosure = true
      keyPaths.formUnion(closure.keyPaths)
    case .comparison(let comparison):
      if comparison.operator == .matches { usesMatching = true }
      collect(comparison.left, scope)
      collect(comparison.right, scope)
    }
  }

  private mutating func collect(_ node: ExpressionNode, _ scope: [String: KVKeyPath?]) {
    switch node {
    case .constant: break
    case .subject: keyPaths.insert("self")
    case .keyPath(let path): keyPaths.insert(path)
    case .variable(let name): if scope[name] == nil { variables.insert(name) }
    case .path(let base, _):
      if let path = Self.path(of: node, scope) {
        keyPaths.insert(path)
        collectParts(of: base, scope)
      } else {
        collect(base, scope)
        computed.append(PredicateWriter(node).text)
      }
    case .element(let base, let index):
      collect(base, scope)
      if case .at(let index) = index { collect(index, scope) }
    case .list(let nodes): for node in nodes { collect(node, scope) }
    case .function(let name, let arguments):
      if !PredicateFunctions.signs.values.contains(where: { $0.function == name }) { functions.insert(name) }
      for argument in arguments { collect(argument, scope) }
    case .subquery(let collection, let variable, let predicate):
      collect(collection, scope)
      var inner = scope
      inner[variable] = .some(Self.path(of: collection, scope))
      collect(predicate, inner)
    case .cast(let inner, _): collect(inner, scope)
    case .ternary(let condition, let first, let second):
      collect(condition, scope)
      collect(first, scope)
      collect(second, scope)
    }
  }

  /// Collects what an expression reads besides its own key path.
  private mutating func collectParts(of node: ExpressionNode, _ scope: [String: KVKeyPath?]) {
    switch node {
    case .element(let base, let index):
      if case .at(let index) = index { collect(index, scope) }
      collectParts(of: base, scope)
    case .path(let base, _): collectParts(of: base, scope)
    case .subquery: collect(node, scope)
    default: break
    }
  }

  /// Returns the key path from the evaluated value to the values that an expression yields, or that are its elements.
  private static func path(of node: ExpressionNode, _ scope: [String: KVKeyPath?]) -> KVKeyPath? {
    switch node {
    case .keyPath(let path): return path
    case .variable(let name): return scope[name] ?? nil
    case .element(let base, _): return path(of: base, scope)
    case .subquery(let collection, _, _): return path(of: collection, scope)
    case .path(let base, let rest):
      guard let base = path(of: base, scope) else { return nil }
      return try? base.appending(rest)
    case .constant, .subject, .list, .function, .cast, .ternary: return nil
    }
  }
}
