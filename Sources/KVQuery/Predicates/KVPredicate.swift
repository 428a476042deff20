import KVCore

/// A condition on values: a filter that is written as text, built of expressions, or a closure (FLT.1).
///
/// ```swift
/// let wanted: KVPredicate = "year >= \(first) AND title CONTAINS[cd] \(typed)"
/// let hits = try songs.filter(wanted && KVExpression.key("artist.name") != nil)
/// ```
///
/// The format is that of `NSPredicate`. Interpolated values are values, never parsed, so that no text of a user can
/// change the condition. A format that a user has written goes through ``limited(toKeyPaths:functions:allowsMatching:allowsSubqueries:)``.
///
/// A predicate is a value: `Sendable`, `Equatable`, `Codable`, and printed as its format.
public struct KVPredicate: Sendable, Equatable, Codable, CustomStringConvertible, ExpressibleByStringInterpolation,
  TextLiteralValue
{
  let node: PredicateNode
  /// How many operators of the program are nested in one another.
  let depth: Int
  private let compiled: CompiledProgram<PredicateProgram>

  /// Creates a predicate; one that operators have nested too deeply fails when it is evaluated (FLT.14).
  init(_ node: PredicateNode, depth: Int = 1) {
    let isTooDeep = depth > Limits.nesting
    self.node = isTooDeep ? .closure(PredicateClosure(.limit(Limits.nesting))) : node
    self.depth = isTooDeep ? 1 : depth
    compiled = CompiledProgram()
  }

  /// The depth of a list that the predicate is a part of.
  private func depth(inConjunction isConjunction: Bool) -> Int {
    switch node {
    case .and where isConjunction, .or where !isConjunction: depth
    default: depth + 1
    }
  }

  // MARK: Creating

  /// Creates a predicate from a format (FLT.3).
  ///
  /// ```swift
  /// try KVPredicate(format: "artist.name == %@ AND %K > %d", name, "year", 2020)
  /// ```
  ///
  /// Text that Swift interpolates into the format is parsed, with its quotes. Pass it as an argument, or write a
  /// literal of the type
  /// `KVPredicate`, whose interpolations are values.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - arguments: The values for the specifiers, in order: `%@` takes any value, `%K` a key path or its text, `%d`, `%f`
  ///     and the like a number.
  /// - Throws: ``KVError``: `invalidPredicate` with the offset of the fault, what was expected and what was found;
  ///   `limitExceeded` if the format is nested more than 200 levels deep; `invalidKeyPath` for an argument of `%K`.
  /// - Complexity: O(*n*) in the length of the format.
  public init(format: String, _ arguments: (any Sendable)?...) throws(KVError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Creates a predicate from a format and an array of arguments; see ``init(format:_:)``.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - arguments: The values for the specifiers.
  /// - Throws: As ``init(format:_:)``.
  public init(format: String, arguments: [(any Sendable)?]) throws(KVError) {
    self.init(try PredicateParser.predicate(Array(format.utf8), arguments.map { .value($0) }))
  }

  /// Creates a predicate that always has one result.
  ///
  /// - Parameter value: The result.
  public init(_ value: Bool) { self.init(.constant(value)) }

  /// Creates a predicate from a closure.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths that the closure reads, which is what live filters observe.
  ///   - body: Returns whether a value passes. An error that it throws ends the evaluation.
  public init(reading keyPaths: Set<KVKeyPath>, _ body: @escaping @Sendable (Any?) throws -> Bool) {
    self.init(.closure(PredicateClosure(keyPaths, body)))
  }

  // MARK: Combining

  /// Creates a predicate that holds if all of some predicates do: one of none always holds.
  ///
  /// ```swift
  /// let shown = KVPredicate(allOf: activeFilters.map(\.predicate))
  /// ```
  ///
  /// They are evaluated in order, up to the first one that does not hold.
  ///
  /// - Parameter predicates: The predicates.
  /// - Complexity: O(*n*) in the predicates, where a chain of *n* `&&` takes O(*n*²).
  public init(allOf predicates: some Sequence<KVPredicate>) {
    var (nodes, depth): ([PredicateNode], Int) = ([], 1)
    for predicate in predicates {
      nodes.append(predicate.node)
      depth = max(depth, predicate.depth(inConjunction: true))
    }
    self.init(.all(nodes), depth: depth)
  }

  /// Creates a predicate that holds if one of some predicates does: one of none never holds.
  ///
  /// They are evaluated in order, up to the first one that holds.
  ///
  /// - Parameter predicates: The predicates.
  /// - Complexity: O(*n*) in the predicates.
  public init(anyOf predicates: some Sequence<KVPredicate>) {
    var (nodes, depth): ([PredicateNode], Int) = ([], 1)
    for predicate in predicates {
      nodes.append(predicate.node)
      depth = max(depth, predicate.depth(inConjunction: false))
    }
    self.init(.any(nodes), depth: depth)
  }

  /// Returns a predicate that holds if both do; the second one is evaluated only if the first one holds.
  ///
  /// - Parameters:
  ///   - left: A predicate.
  ///   - right: Another predicate.
  public static func && (left: KVPredicate, right: KVPredicate) -> KVPredicate { KVPredicate(allOf: [left, right]) }

  /// Returns a predicate that holds if one of both does; the second one is evaluated only if the first one does not hold.
  ///
  /// - Parameters:
  ///   - left: A predicate.
  ///   - right: Another predicate.
  public static func || (left: KVPredicate, right: KVPredicate) -> KVPredicate { KVPredicate(anyOf: [left, right]) }

  /// Returns a predicate that holds if another one does not.
  ///
  /// - Parameter predicate: The predicate.
  public static prefix func ! (predicate: KVPredicate) -> KVPredicate {
    if case .not(let inner) = predicate.node { return KVPredicate(inner, depth: max(1, predicate.depth - 1)) }
    return KVPredicate(.not(predicate.node), depth: predicate.depth + 1)
  }

  // MARK: Variables

  /// Returns the predicate with values for some of its variables (FLT.10).
  ///
  /// ```swift
  /// let recent: KVPredicate = "year >= $first"
  /// try songs.filter(recent.with(["first": 2020]))
  /// ```
  ///
  /// - Parameter variables: The values, by the names of the variables without `$`. Variables of a SUBQUERY stay.
  public func with(_ variables: [String: (any Sendable)?]) -> KVPredicate {
    do throws(KVError) {
      return KVPredicate(try VariableBinder(values: variables).rewritten(node), depth: depth)
    } catch {
      // Nothing else fails; evaluating throws the error.
      return KVPredicate(.closure(PredicateClosure(.stack)))
    }
  }

  // MARK: Evaluating

  /// Returns whether a value passes (FLT.16).
  ///
  /// - Parameters:
  ///   - value: Any value; nil has no keys, and reads as nil.
  ///   - variables: Values for variables, by their names without `$`.
  /// - Throws: ``KVError``: the errors of reading by key path; `typeMismatch` for values that an operator cannot compare;
  ///   `undefinedKey` for a variable without a value; `operatorFailed` for a division by zero; `invalidPredicate` for a
  ///   malformed regular expression.
  /// - Complexity: O(*n*) in the parts of the predicate, plus the elements that ANY, ALL, NONE, SUBQUERY and functions
  ///   visit.
  public func evaluate(with value: Any?, variables: [String: Any?] = [:]) throws(KVError) -> Bool {
    try program().test(PredicateFrame(value, Self.scalars(variables)))
  }

  /// Whether two predicates are copies of one, which are equal whatever their constants are.
  func isCopy(of other: KVPredicate) -> Bool { compiled === other.compiled }

  private static func scalars(_ variables: [String: Any?]) -> [String: Scalar] {
    variables.isEmpty ? [:] : variables.mapValues { Scalar($0) }
  }

  /// Returns the program, which is made once.
  func program() throws(KVError) -> PredicateProgram {
    try compiled.made { () throws(KVError) in try PredicateCompiler.program(node) }
  }
}
