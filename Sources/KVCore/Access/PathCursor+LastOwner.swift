extension PathCursor {
  /// Calls a function with the owner of the last component of a path, and the line of the table that is responsible for
  /// that: once, or for each of the owners if an object resolves the rest of the path from several.
  ///
  /// It is not called if a nil ends the path, and for an operator with a right path, which is only read.
  ///
  /// - Returns: Whether the path leads to owners: also to those of a collection without elements.
  /// - Throws: ``KVError``: the errors of reading the path up to its last component, and those of the function.
  @discardableResult
  static func withLastOwner(
    _ path: KVKeyPath, of root: Any, from start: Int = 0,
    _ body: (_ owner: Any, _ line: KeyDeclaration?) throws(KVError) -> Void
  ) throws(KVError) -> Bool {
    guard let root = unwrappingOptionals(root) else { return false }
    // The root is the owner, which needs no walk.
    if start == path.count - 1, !TypeInfo.hasResolvers {
      try body(root, nil)
      return true
    }
    return try walk(path.storage, path.count - 1, from: root, at: start, nesting: Nesting()) { cursor throws(KVError) in
      while true {
        if cursor.accessor == nil, let resolver = cursor.resolver {
          var isReached = false
          for owner in resolver.pathOwners {
            if try withLastOwner(path, of: owner, from: cursor.index, body) { isReached = true }
          }
          return isReached
        }
        guard cursor.index < cursor.last else {
          try body(cursor.owner, cursor.declaration)
          return true
        }
        switch try cursor.next() {
        case .object, .value: continue
        case .end: return false
        case .collection where cursor.endOfSubscripts == cursor.last:
          try withLastOwners(path, cursor.owner, from: cursor.index, body)
          return true
        case .collection, .operator:
          let hop = cursor.hops + cursor.index
          if hop.pointee.isOperator, hop.pointee.builtIn?.needsRightPath ?? true { return false }
          let value = try cursor.read()
          if cursor.index == cursor.last || cursor.enter(value) == .end { return false }
        }
      }
    }
  }

  /// Calls a function with the owner of the last component of each element of a collection.
  private static func withLastOwners(
    _ path: KVKeyPath, _ owner: Any, from start: Int,
    _ body: (_ owner: Any, _ line: KeyDeclaration?) throws(KVError) -> Void
  ) throws(KVError) {
    guard let collection = collectionValue(owner) else { return }
    try collection.checkCount()
    for (index, element) in collection.elements.enumerated() {
      guard let element else { continue }
      do throws(KVError) { try withLastOwner(path, of: element, from: start, body) } catch {
        throw error.ofElement(index, isOrdered: type(of: collection).isOrdered)
      }
    }
  }
}
