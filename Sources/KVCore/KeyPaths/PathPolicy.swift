/// The policy of a key path, which its hops store (SEC.1).
///
/// A path without a policy reaches everything to which its root leads.
package final class PathPolicy: Sendable {
  /// The policy of definitions and declarations: all keys, but for those that only reflection finds (DEF.5).
  static let tablesOnly = PathPolicy("tables only", rules: nil, operators: [], depth: .max, elementCount: .max)

  /// The keys of a type that a rule names.
  struct Names: Sendable, CustomStringConvertible {
    /// Whether all entries of a dictionary or record are meant.
    var isAll = false
    var listed: Set<String> = []

    func contains(_ name: String) -> Bool { isAll || listed.contains(name) }

    mutating func formUnion(_ other: Names) {
      isAll = isAll || other.isAll
      listed.formUnion(other.listed)
    }
  }

  /// The keys of a type that may be read, and those that may be written.
  struct Permission: Sendable {
    var reading = Names()
    var writing = Names()
  }

  /// The permission for a type and its subclasses.
  struct Rule: Sendable {
    let type: Any.Type
    let applies: @Sendable (Any.Type) -> Bool
    let permission: Permission
  }

  let name: String
  /// The rules; nil if every key of a table is permitted.
  let rules: [Rule]?
  let operators: Set<String>
  let maximumDepth: Int
  let maximumElementCount: Int
  private let permissions = Locked<[ObjectIdentifier: Permission]>([:])

  init(_ name: String, rules: [Rule]?, operators: Set<String>, depth: Int, elementCount: Int) {
    self.name = name
    self.rules = rules
    self.operators = operators
    maximumDepth = depth
    maximumElementCount = elementCount
  }

  /// Returns the policy with another rule.
  func adding(_ rule: Rule) -> PathPolicy {
    PathPolicy(
      name, rules: (rules ?? []) + [rule], operators: operators, depth: maximumDepth, elementCount: maximumElementCount)
  }

  /// The maximum number of elements that an evaluation visits in collections of collections.
  package var elementLimit: Int { min(maximumElementCount, Limits.elementCount) }

  /// Returns the permission for a type: what the rules for it and for its superclasses permit together.
  func permission(for type: Any.Type) -> Permission {
    let id = ObjectIdentifier(type)
    if let known = permissions.withLock({ $0[id] }) { return known }
    var permission = Permission()
    for rule in rules ?? [] where rule.applies(type) {
      permission.reading.formUnion(rule.permission.reading)
      permission.writing.formUnion(rule.permission.writing)
    }
    permissions.withLock { $0[id] = permission }
    return permission
  }

  /// Throws if a path of components is too long, or has an operator that is not permitted (SEC.5, SEC.6).
  func check(_ components: [KVKeyPath.Component]) throws(KVError) {
    guard rules != nil else { return }
    guard components.count <= maximumDepth else {
      throw KVError(
        .limitExceeded,
        """
        the policy "\(name)" permits paths of at most \(maximumDepth) components, and this one has \(components.count). \
        Shorten it, or raise maximumDepth.
        """, keyPath: KVKeyPath(storage: KVKeyPath.Storage(components)).description)
    }
    for case .operator(let name, _) in components where !operators.contains(name) {
      let names = operators.sorted()
      let known = names.map { "@\($0)" }
      throw KVError(
        .notPermitted,
        """
        @\(name) is not permitted: the policy "\(self.name)" permits \
        \(known.isEmpty ? "no operators" : known.joined(separator: ", ")).
        """, keyPath: KVKeyPath(storage: KVKeyPath.Storage(components)).description, component: "@\(name)",
        knownKeys: known, suggestion: Suggestion.nearest(to: name, among: names).map { "@\($0)" })
    }
  }

  /// Returns the policy of a path that is composed of two.
  ///
  /// - Throws: ``KVError`` (`notPermitted`) if both have rules of their own.
  static func joining(_ one: PathPolicy?, _ other: PathPolicy?) throws(KVError) -> PathPolicy? {
    guard let one, one.rules != nil else { return other ?? one }
    guard let other, other.rules != nil, other !== one else { return one }
    throw KVError(
      .notPermitted,
      """
      the path has the policy "\(one.name)" and cannot get that of "\(other.name)": make it from the text, by the \
      policy that is meant to hold.
      """)
  }
}
