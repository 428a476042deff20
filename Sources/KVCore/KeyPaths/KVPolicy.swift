/// The keys that key paths from outside of the program may reach: of which types, to read or to write (SEC.1).
///
/// ```swift
/// var policy = KVPolicy("invoices")
/// try policy.allow(Order.self, keys: ["customer", "items", "note"], writing: ["note"])
/// try policy.allow(Customer.self, keys: ["name", "city"])
///
/// let path = try policy.keyPath(text)
/// try order.value(forKeyPath: path)
/// ```
///
/// A path that the policy makes carries the policy: reading, writing, validating, observing and binding by it throw
/// `notPermitted` for everything that no rule permits. All other paths are as before.
///
/// A policy is a value: a rule that is added later has no effect on paths that exist.
public struct KVPolicy: Sendable, CustomStringConvertible {
  /// The keys of a type in a rule.
  public enum Keys: Sendable, ExpressibleByArrayLiteral {
    /// All keys that the table of the type lists; all entries of a dictionary or record.
    case all
    /// The listed keys, or none.
    case only(Set<String>)

    /// Creates a list of keys.
    ///
    /// - Parameter keys: The keys.
    public init(arrayLiteral keys: String...) { self = .only(Set(keys)) }
  }

  package var rules: PathPolicy

  /// Creates a policy that permits nothing yet.
  ///
  /// - Parameters:
  ///   - name: The name, which errors tell.
  ///   - operators: The permitted operators, with or without `@`. By default those that compute one value; the unions collect
  ///     values, and registered operators run code of the program (SEC.5). A name that no key path can contain traps.
  ///   - maximumDepth: The maximum number of components of a path (SEC.6).
  ///   - maximumElementCount: The maximum number of elements that one evaluation visits in collections of collections,
  ///     as ``KVC/maximumElementCount`` for all paths (SEC.6).
  public init(
    _ name: String,
    operators: Set<String> = ["count", "sum", "avg", "min", "max", "firstObject", "lastObject", "self"],
    maximumDepth: Int = 16, maximumElementCount: Int = 100_000
  ) {
    let names = operators.map { Self.operatorName($0, in: name) }
    rules = PathPolicy(
      name, rules: [], operators: Set(names), depth: maximumDepth, elementCount: max(0, maximumElementCount))
  }

  /// Returns the name of a permitted operator without its sign; traps if no key path can contain it.
  private static func operatorName(_ text: String, in policy: String) -> String {
    do throws(KVError) { return try KeyPathParser.operatorName(text) } catch {
      fatalError("The policy \"\(policy)\" permits an operator that no key path can contain: \(error.message)")
    }
  }

  /// Returns a path that the policy limits.
  ///
  /// Paths that are made of it, as ``KVKeyPath/appending(_:)-(KVKeyPath)`` and ``KVKeyPath/parent`` do, have the policy,
  /// too. Its text does not have it: a path that is decoded or parsed has to be made by the policy again.
  ///
  /// - Parameter path: The path, or its text.
  /// - Returns: An equal path with the policy.
  /// - Throws: ``KVError``: `invalidKeyPath`; `notPermitted` for an operator that is not permitted, and for a path with
  ///   another policy; `limitExceeded` for too many components. Keys are checked when the path is used.
  /// - Complexity: O(*n*) in the length of the text. Keep the path, which finds its accessors once.
  public func keyPath(_ path: some KVKeyPathConvertible) throws(KVError) -> KVKeyPath {
    try path.keyPath().limited(by: rules)
  }
}
