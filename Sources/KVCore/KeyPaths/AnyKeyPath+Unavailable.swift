// Swift's own key paths have no keys. What is meant is said where they are used by mistake.

@available(
  *, unavailable,
  message: """
    a Swift key path names no key: write the text, "name", or KVTypedKeyPath(Person.self).name, which the compiler checks
    """
)
extension AnyKeyPath: KVKeyPathConvertible {
  /// Unavailable: write the text of the path, or a ``KVTypedKeyPath``.
  public func keyPath() throws(KVError) -> KVKeyPath {
    throw KVError(.unsupported, "a Swift key path names no key: write the text of the path.")
  }
}

extension KVKeyPath {
  /// Unavailable: write the text of the path, or a ``KVTypedKeyPath``.
  @available(
    *, unavailable,
    message: """
      a Swift key path names no key: write the text, "name", or try KVTypedKeyPath(Person.self).name.keyPath(), which the \
      compiler checks
      """
  )
  public init<Root, Value>(_ property: KeyPath<Root, Value>) { self = "self" }
}
