import KVCore

/// An operand of a predicate: a key path, a value, a variable, or a function of these (FLT.4).
///
/// ```swift
/// let recent = KVExpression.key("year") >= 2020 && KVExpression.key("title").contains("love", .caseInsensitive)
/// let total = try KVExpression(format: "sum(orders.total) / count(orders)")
/// ```
///
/// Literals of Swift are values: `"name"` is that text, and `KVExpression.key("name")` the key.
public struct KVExpression: Sendable {
  let node: ExpressionNode
  private let compiled = CompiledProgram<ExpressionProgram>()

  init(_ node: ExpressionNode) { self.node = node }

  /// Creates an expression from a format (FLT.4).
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - arguments: The values for the specifiers; see ``KVPredicate/init(format:_:)``.
  /// - Throws: As ``KVPredicate/init(format:_:)``.
  public init(format: String, _ arguments: (any Sendable)?...) throws(KVError) {
    node = try PredicateParser.expression(Array(format.utf8), arguments.map { .value($0) })
  }

  /// Returns the value of a key path.
  ///
  /// - Parameter path: The key path; `"self"` for the evaluated value itself.
  public static func key(_ path: KVKeyPath) -> KVExpression { KVExpression(.keyPath(path)) }

  /// Returns a constant.
  ///
  /// - Parameter value: The value.
  public static func value(_ value: (any Sendable)?) -> KVExpression { KVExpression(.constant(value)) }

  /// Returns a variable, which gets its value later (FLT.10).
  ///
  /// - Parameter name: The name, without `$`.
  public static func variable(_ name: String) -> KVExpression { KVExpression(.variable(name)) }

  /// Creates the truth value of a predicate.
  ///
  /// - Parameter predicate: The predicate.
  public init(_ predicate: KVPredicate) {
    self.init(.ternary(predicate.node, .constant(true), .constant(false)))
  }

  /// Returns the value of the expression for a value.
  ///
  /// - Parameters:
  ///   - value: Any value, or nil.
  ///   - variables: Values for variables, by their names without `$`.
  /// - Throws: As ``KVPredicate/evaluate(with:variables:)``.
  public func value(of value: Any?, variables: [String: Any?] = [:]) throws(KVError) -> Any? {
    let frame = PredicateFrame(value, variables.mapValues { Scalar($0) })
    let program = try compiled.made { () throws(KVError) in try PredicateCompiler.program(node, depth: 1) }
    return try program.value(frame).any
  }
}

extension KVExpression: CustomStringConvertible {
  /// The format of the expression.
  public var description: String { PredicateWriter(node).text }
}

extension KVExpression: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates a text; a key is ``key(_:)``.
  ///
  /// - Parameter value: The literal.
  public init(stringLiteral value: String) { self.init(.constant(value)) }

  /// Creates a number.
  ///
  /// - Parameter value: The literal.
  public init(integerLiteral value: Int) { self.init(.constant(value)) }

  /// Creates a number.
  ///
  /// - Parameter value: The literal.
  public init(floatLiteral value: Double) { self.init(.constant(value)) }

  /// Creates a truth value.
  ///
  /// - Parameter value: The literal.
  public init(booleanLiteral value: Bool) { self.init(.constant(value)) }

  /// Creates nil.
  ///
  /// - Parameter nilLiteral: The literal.
  public init(nilLiteral: ()) { self.init(.constant(nil)) }
}
