import KVCore

extension KVPredicate {
  /// Throws if the predicate reads a key that a type does not have, without a value of it (FLT.17).
  ///
  /// A path is followed as far as types with a table lead: through objects, structs, optionals and the elements of
  /// collections. Keys that only reflection or a hook finds count as undefined.
  ///
  /// - Parameter type: The type of the values. A type without a table is not checked.
  /// - Throws: ``KVError``: `undefinedKey` with the known keys and the nearest of them; `notPermitted` for a key that the
  ///   policy of the predicate denies (SEC.2).
  /// - Complexity: O(*n*) in the components of the paths.
  public func check(for type: Any.Type) throws(KVError) {
    for path in keyPaths.sorted() {
      do throws(KVError) { try path.check(for: type) } catch {
        throw error.located(path: path.description, root: typeName(type))
      }
    }
  }
}
