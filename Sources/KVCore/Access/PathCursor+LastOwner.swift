extension PathCursor {
  /// Calls a function with the owner of the last component of a path, and the line of the table that is responsible for
  /// that: once, or for each of the owners if an object resolves the rest of the path from several.
  ///
  /// It is not called if a nil ends the path, and for an operator with a right path, which is only read.
  ///
  /// - Throws: ``KVError``: the errors of reading the path up to its last component, and those of the function.
  static func withLastOwner(
    _ path: KVKeyPath, of root: Any, from start: Int = 0,
    _ body: (_ owner: Any, _ line: KeyDeclaration?) throws(KVError) -> Void
  ) throws(KVError) {
    guard let root = unwrappingOptionals(root) else { return }
    // The root is the owner, which needs no walk.
    if start == path.count - 1, !TypeInfo.hasResolvers { return try body(root, nil) }
    try walk(path.storage, path.count - 1, from: root, at: start, nesting: Nesting()) { cursor throws(KVError) in
      while true {
        if cursor.accessor == nil, let resolver = cursor.resolver {
          for owner in resolver.pathOwners { try withLastOwner(path, of: owner, from: cursor.index, body) }
          return
        }
        guard cursor.index < cursor.last else { return try body(cursor.owner, cursor.declaration) }
        switch try cursor.next() {
        case .object, .value: continue
        case .end: return
        case .collection, .operator:
          let hop = cursor.hops + cursor.index
          if hop.pointee.isOperator, hop.pointee.builtIn?.needsRightPath ?? true { return }
          let value = try cursor.read()
          if cursor.index == cursor.last || cursor.enter(value) == .end { return }
        }
      }
    }
  }
}
