extension KVKeyPath {
  /// The path without its last component, or `nil` if the path has one component only.
  public var parent: KVKeyPath? {
    count == 1 ? nil : KVKeyPath(storage: Storage(Array(components.dropLast()), policy: policy))
  }

  package var hasOperator: Bool { components.contains(where: \.isOperator) }

  /// Returns the path that is extended by the components of another path.
  ///
  /// - Parameter other: The path to append.
  /// - Returns: The extended path: `a.b` and `[0].c` make `a.b[0].c`.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the result has more than 4,096 components, or if its text
  ///   would parse differently: a subscript that follows an operator without an argument becomes the argument of that
  ///   operator (KP.7, KP.8). The errors of ``KVPolicy/keyPath(_:)`` if one of the paths has a policy, which the
  ///   extended path has, too.
  /// - Complexity: O(*n*) in the number of components of both paths.
  public func appending(_ other: KVKeyPath) throws(KVError) -> KVKeyPath {
    try other.first.check(after: last)
    guard count + other.count <= Self.maximumCount else { throw KeyPathParser.tooLong(count + other.count) }
    let policy = try PathPolicy.joining(policy, other.policy)
    try policy?.check(components + other.components)
    return KVKeyPath(storage: Storage(components + other.components, policy: policy))
  }

  /// Returns the path that is extended by one component.
  ///
  /// - Parameter component: The component to append.
  /// - Returns: The extended path.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the component cannot be written as text, if the path becomes longer
  ///   than 4,096 components, or if a subscript follows an operator without an argument, whose argument it would become
  ///   (KP.7, KP.8). The errors of ``KVPolicy/keyPath(_:)`` if the path has a policy.
  /// - Complexity: O(*n*) in the number of components.
  public func appending(_ component: Component) throws(KVError) -> KVKeyPath {
    try component.check()
    try component.check(after: last)
    guard count < Self.maximumCount else { throw KeyPathParser.tooLong(count + 1) }
    try policy?.check(components + [component])
    return KVKeyPath(storage: Storage(components + [component], policy: policy))
  }

  /// Returns whether the path begins with all components of another path.
  ///
  /// - Parameter prefix: The possible prefix. Every path is a prefix of itself.
  /// - Returns: `true` if the first components of this path equal the components of `prefix`.
  /// - Complexity: O(*n*) in the number of components of `prefix`.
  public func hasPrefix(_ prefix: KVKeyPath) -> Bool {
    count >= prefix.count && components.starts(with: prefix.components)
  }

  /// Returns the path without a prefix.
  ///
  /// - Parameter prefix: The possible prefix.
  /// - Returns: The remaining path, or `nil` if the path does not begin with the prefix or if no component remains.
  /// - Complexity: O(*n*) in the number of components.
  public func dropping(prefix: KVKeyPath) -> KVKeyPath? {
    guard hasPrefix(prefix), count > prefix.count else { return nil }
    return KVKeyPath(storage: Storage(Array(components.dropFirst(prefix.count)), policy: policy))
  }

  /// An equal path that uses no reflection (DEF.5).
  ///
  /// It reads and writes keys of tables, entries, elements and keys that hooks define.
  package var tablesOnly: KVKeyPath {
    policy == nil ? KVKeyPath(storage: Storage(components, policy: .tablesOnly)) : self
  }

  /// The policy that limits the path; nil if the path may reach everything.
  package var policy: PathPolicy? { storage.hops.pointee.policy }

  /// Whether rules of a policy limit what the path may reach (SEC.1).
  package var isLimited: Bool { policy?.rules != nil }

  /// Returns an equal path that a policy limits.
  package func limited(by policy: PathPolicy) throws(KVError) -> KVKeyPath {
    let policy = try PathPolicy.joining(self.policy, policy)
    try policy?.check(components)
    return KVKeyPath(storage: Storage(components, policy: policy))
  }

  /// Returns a path of components of this path, which may reach what this path may.
  package func part(_ components: [Component]) throws(KVError) -> KVKeyPath {
    let part = try KVKeyPath(components: components)
    return policy.map { KVKeyPath(storage: Storage(components, policy: $0)) } ?? part
  }

  /// Returns whether another path has equal components and may reach the same.
  package func isSame(as other: KVKeyPath) -> Bool { self == other && hasSamePolicy(as: other) }

  package func hasSamePolicy(as other: KVKeyPath) -> Bool { policy === other.policy }

  /// Adds the path to others; of equal paths one without a policy stays, which is that of the program.
  package func add(to paths: inout Set<KVKeyPath>) {
    let (isNew, known) = paths.insert(self)
    if !isNew, known.isLimited, !isLimited { paths.update(with: self) }
  }
}
