import KVCore

// What a formula needs to follow the value of an expression (FRM).

extension KVExpression {
  /// Returns the expression for the value of a key path from the value of the expression.
  ///
  /// - Throws: ``KVError``: `notPermitted` if the path has another policy.
  package func appending(_ path: KVKeyPath) throws(KVError) -> KVExpression {
    KVExpression(try .appending(path, to: node))
  }

  /// Returns the key paths whose changes can change the value (FRM.2); none for a constant.
  ///
  /// - Throws: ``KVError``: `unsupported` if the expression reads a key of a computed value, or has a variable without a
  ///   value (FRM.4); `limitExceeded` if it is nested too deeply.
  package func followedKeyPaths() throws(KVError) -> [KVKeyPath] {
    let reads = PredicateReads(node)
    if let fault = reads.fault { throw PredicateCompiler.tooDeep(fault) }
    if let name = reads.variables.min() {
      throw unfollowed("it uses the variable $\(name), which has no value. Write the value instead.", "$\(name)")
    }
    if let text = reads.computed.first {
      throw unfollowed(
        """
        it reads a key of a computed value: \(shortened(text)). Name the key by a path from the object, or declare a key \
        for the value.
        """, text)
    }
    return reads.keyPaths.filter { $0 != "self" }.sorted()
  }

  /// Returns the expression as a policy lets it reach, whatever it calls (SEC.7).
  ///
  /// - Throws: ``KVError``, as ``limited(by:functions:allowsMatching:allowsSubqueries:)``.
  package func reaching(by policy: KVPolicy) throws(KVError) -> KVExpression {
    try limited(
      by: policy, functions: PredicateReads(node).functions.sorted(), allowsMatching: true, allowsSubqueries: true)
  }

  private func unfollowed(_ reason: String, _ component: String) -> KVError {
    KVError(
      .unsupported, "changes of \"\(shortened(description))\" cannot be followed: \(reason)", component: component)
  }
}
