extension KVKeyPath {
  /// The path without its last component, or `nil` if there is only one.
  public var parent: KVKeyPath? {
    count == 1 ? nil : KVKeyPath(storage: Storage(Array(components.dropLast())))
  }

  /// Returns the path that goes on with another one.
  ///
  /// - Parameter other: The path to go on with.
  /// - Returns: The longer path; `a.b` and `[0].c` give `a.b[0].c`.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the result would have more than ``maximumCount`` components,
  ///   or would read otherwise as text: a subscript behind an operator without an argument becomes its argument.
  /// - Complexity: O(*n*) in the components of both.
  public func appending(_ other: KVKeyPath) throws(KVError) -> KVKeyPath {
    try other.first.check(after: last)
    guard count + other.count <= Self.maximumCount else { throw KeyPathParser.tooLong(count + other.count) }
    return KVKeyPath(storage: Storage(components + other.components))
  }

  /// Returns the path that goes on with one more component.
  ///
  /// - Parameter component: The component to go on with.
  /// - Returns: The longer path.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the component could not be written as text, the path got too long, or
  ///   a subscript came behind an operator without an argument, where it would be read as one (KP.7).
  public func appending(_ component: Component) throws(KVError) -> KVKeyPath {
    try component.check()
    try component.check(after: last)
    guard count < Self.maximumCount else { throw KeyPathParser.tooLong(count + 1) }
    return KVKeyPath(storage: Storage(components + [component]))
  }

  /// Whether the path begins with all components of another one; every path is a prefix of itself.
  ///
  /// - Parameter prefix: The path that this one may begin with.
  public func hasPrefix(_ prefix: KVKeyPath) -> Bool {
    count >= prefix.count && components.starts(with: prefix.components)
  }

  /// Returns what remains behind a prefix: `nil` if the path does not begin with it, or if nothing remains.
  ///
  /// - Parameter prefix: The path that this one may begin with.
  public func dropping(prefix: KVKeyPath) -> KVKeyPath? {
    guard hasPrefix(prefix), count > prefix.count else { return nil }
    return KVKeyPath(storage: Storage(Array(components.dropFirst(prefix.count))))
  }
}
