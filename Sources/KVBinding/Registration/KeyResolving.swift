import KVCore

/// An object that answers for the observation of key paths through it: it maps the following components to one key, of
/// which it notifies.
package protocol KeyResolving: ObservedPathResolving, KVObservable {
  /// Returns the key for the components of a path behind the object; nil if they are resolved like those of any object.
  ///
  /// - Throws: ``KVError`` (`undefinedKey`) if a key of the path does not exist.
  func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey?
}

/// The key that stands for several components of a path behind an object.
package struct ResolvedKey {
  /// The key, of which the object of the path notifies.
  let key: InternedKey
  /// The paths that affect the key, from a root of their own (DEP.1).
  var affecting: [KVKeyPath] = []
  var root: any KVObservable
  /// Whether elements that do not have the key are no fault.
  var toleratesMissingKeys = false
  /// Whether the paths may lead through the elements of collections, of which each is observed.
  var readsElements = false
  /// Returns an object that is retained while the key has observers, and which can observe what it needs.
  var makeCompanion: (() -> AnyObject?)?

  package init(
    key: InternedKey, affecting: [KVKeyPath] = [], root: any KVObservable, toleratesMissingKeys: Bool = false,
    readsElements: Bool = false, makeCompanion: (() -> AnyObject?)? = nil
  ) {
    (self.key, self.affecting, self.root) = (key, affecting, root)
    (self.toleratesMissingKeys, self.readsElements) = (toleratesMissingKeys, readsElements)
    self.makeCompanion = makeCompanion
  }
}
