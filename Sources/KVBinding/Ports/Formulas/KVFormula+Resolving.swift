import KVCore

// Paths from a formula: `value` is the value of the expression, and a path behind it that of a longer expression, so that
// it is followed like that.

extension KVFormula: PathResolving {
  package var pathOwners: [Any] { [] }

  package func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any? {
    try path.check(at: index, of: self)
    return try value(of: expression(for: path.components[index...last]))
  }

  package func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    try setValue(value, forUndefinedKey: path.components[index].description)
  }

  /// Returns the expression for the components of a path behind the formula.
  private func expression(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> KVExpression {
    guard let first = components.first, first.observedName == "value" else {
      throw Failure.undefinedKey(components.first?.description ?? "", of: self)
    }
    let rest = Array(components.dropFirst())
    return rest.isEmpty ? expression : try expression.appending(KVKeyPath(components: rest))
  }
}

extension KVFormula: KeyResolving {
  package func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey? {
    let followed = try expression(for: components)
    guard let subject else { return ResolvedKey(key: Self.key(components), root: self) }
    return ResolvedKey(
      key: Self.key(components), affecting: try followed.followedKeyPaths(), root: subject, readsElements: true)
  }

  private static func key(_ components: ArraySlice<KVKeyPath.Component>) -> KVKey {
    KVKey((try? KVKeyPath(components: Array(components)))?.description ?? "value")
  }
}
