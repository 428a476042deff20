import KVCore

extension KVPredicate {
  /// The key paths that the predicate reads from the evaluated value; those of a closure are the declared ones (FLT.17).
  ///
  /// - Complexity: O(*n*) in the parts of the predicate.
  public var keyPaths: Set<KVKeyPath> { PredicateReads(node).keyPaths }

  /// Returns the predicate if it reads and calls nothing but what is permitted (FLT.18).
  ///
  /// ```swift
  /// let query = try KVPredicate(format: text).limited(toKeyPaths: ["title", "year"])
  /// ```
  ///
  /// Use it for every format that the program has not written itself. Arithmetic is always permitted.
  ///
  /// - Parameters:
  ///   - keyPaths: The permitted key paths. Elements by index, `@count`, `@firstObject` and `@lastObject` of them are
  ///     permitted as well; longer paths are not.
  ///   - functions: The permitted functions, by name.
  ///   - allowsMatching: Whether MATCHES is permitted. The time that a regular expression takes has no bound.
  ///   - allowsSubqueries: Whether SUBQUERY is permitted. Nested ones multiply, also over lists in the format: each
  ///     evaluation visits up to ``KVC/maximumElementCount`` elements then.
  /// - Throws: ``KVError`` (`unsupported`) that names what is not permitted, and what is.
  public func limited(
    toKeyPaths keyPaths: [KVKeyPath], functions: [String] = [], allowsMatching: Bool = false,
    allowsSubqueries: Bool = false
  ) throws(KVError) -> KVPredicate {
    let reads = PredicateReads(node)
    try reads.check(functions: functions, allowsMatching: allowsMatching, allowsSubqueries: allowsSubqueries)
    if let path = reads.keyPaths.sorted().first(where: { path in !keyPaths.contains { Self.permits($0, path) } }) {
      let known = keyPaths.map(\.description).sorted()
      let suggestion = Suggestion.nearest(to: path.description, among: known)
      throw reads.refused(
        "it reads \"\(path)\".\(Suggestion.question(suggestion)) Permitted are: \(Failure.list(known))",
        path.description, known, suggestion)
    }
    if let text = reads.computed.first {
      throw reads.refused("it reads a key of a computed value: \(shortened(text))", text)
    }
    return self
  }

  /// Returns the predicate with key paths that a policy limits, if it calls nothing but what is permitted (SEC.9).
  ///
  /// ```swift
  /// let query = try KVPredicate(format: text).limited(by: policy, functions: ["lowercase"])
  /// ```
  ///
  /// The reach of a key path is checked by the types of the objects that it meets when the predicate is evaluated, also
  /// behind functions and in a SUBQUERY. The text of the predicate, and what is decoded, has no policy.
  ///
  /// - Parameters:
  ///   - policy: The policy, which names the operators as well.
  ///   - functions: The permitted functions, by name.
  ///   - allowsMatching: Whether MATCHES is permitted. The time that a regular expression takes has no bound.
  ///   - allowsSubqueries: Whether SUBQUERY is permitted. Nested ones multiply.
  /// - Throws: ``KVError``: `unsupported` that names what is not permitted, and what is; `notPermitted` and
  ///   `limitExceeded` for a key path, as ``KVPolicy/keyPath(_:)``. Evaluating throws `notPermitted` for a key.
  /// - Complexity: O(*n*) in the parts of the predicate. Keep what it returns.
  public func limited(
    by policy: KVPolicy, functions: [String] = [], allowsMatching: Bool = false, allowsSubqueries: Bool = false
  ) throws(KVError) -> KVPredicate {
    try PredicateReads(node).check(
      functions: functions, allowsMatching: allowsMatching, allowsSubqueries: allowsSubqueries)
    return KVPredicate(try PathLimiter(policy: policy.rules).rewritten(node), depth: depth)
  }

  /// Returns whether a permitted path permits another one.
  private static func permits(_ permitted: KVKeyPath, _ path: KVKeyPath) -> Bool {
    if permitted == path { return true }
    guard let remainder = path.dropping(prefix: permitted) else { return false }
    return remainder.components.allSatisfy { component in
      switch component {
      case .index, .operator("count", nil), .operator("firstObject", nil), .operator("lastObject", nil): true
      case .key, .entry, .operator: false
      }
    }
  }
}

extension KVExpression {
  /// The key paths that the expression reads from the evaluated value, also in subqueries, conditions and arguments (FLT.17).
  ///
  /// - Complexity: O(*n*) in the parts of the expression.
  public var keyPaths: Set<KVKeyPath> { PredicateReads(node).keyPaths }

  /// Returns the expression with key paths that a policy limits, if it calls nothing but what is permitted (SEC.9).
  ///
  /// - Parameters:
  ///   - policy: The policy, which names the operators as well.
  ///   - functions: The permitted functions, by name.
  ///   - allowsMatching: Whether MATCHES is permitted in a condition of TERNARY.
  ///   - allowsSubqueries: Whether SUBQUERY is permitted.
  /// - Throws: As ``KVPredicate/limited(by:functions:allowsMatching:allowsSubqueries:)``.
  public func limited(
    by policy: KVPolicy, functions: [String] = [], allowsMatching: Bool = false, allowsSubqueries: Bool = false
  ) throws(KVError) -> KVExpression {
    try PredicateReads(node).check(
      functions: functions, allowsMatching: allowsMatching, allowsSubqueries: allowsSubqueries)
    return KVExpression(try PathLimiter(policy: policy.rules).rewritten(node))
  }
}

extension PredicateReads {
  /// Throws unless nothing but what is permitted is called, and all keys are known.
  fileprivate func check(functions permitted: [String], allowsMatching: Bool, allowsSubqueries: Bool) throws(KVError) {
    if let fault { throw PredicateCompiler.tooDeep(fault) }
    if hasClosure { throw refused("it contains a closure, which may read anything", "closure") }
    if let name = functions.subtracting(permitted.map(PredicateFunctions.canonicalName)).min() {
      let known = permitted.sorted()
      throw refused(
        "it calls \(name). Permitted functions: \(known.isEmpty ? "none" : Failure.list(known))", name, known)
    }
    if let name = variables.min() {
      throw refused("it uses the variable $\(name); bind it by with(_:) before", "$\(name)")
    }
    if let text = computedKeys.first {
      throw refused("it reads a key that is computed: \(shortened(text))", text)
    }
    if usesMatching, !allowsMatching {
      throw refused("it uses MATCHES, which may take any time; use LIKE, or pass allowsMatching: true", "MATCHES")
    }
    if usesSubquery, !allowsSubqueries {
      throw refused(
        "it uses SUBQUERY; nested ones multiply their time, so pass allowsSubqueries: true", "SUBQUERY")
    }
  }

  fileprivate func refused(
    _ reason: String, _ component: String, _ known: [String] = [], _ suggestion: String? = nil
  ) -> KVError {
    KVError(
      .unsupported, "the \(kind) is not permitted: \(reason).", component: component, knownKeys: known,
      suggestion: suggestion)
  }
}
