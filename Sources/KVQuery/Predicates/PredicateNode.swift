import KVCore

/// The syntax tree of a predicate.
indirect enum PredicateNode: Sendable {
  case constant(Bool)
  case not(PredicateNode)
  case and([PredicateNode])
  case or([PredicateNode])
  case comparison(PredicateComparison)
  case closure(PredicateClosure)

  /// Returns the negation; that of a negation is what it negates.
  static func negating(_ node: PredicateNode) -> PredicateNode {
    if case .not(let inner) = node { return inner }
    return .not(node)
  }

  /// Returns the conjunction, without conjunctions in it; that of nothing holds.
  static func all(_ nodes: [PredicateNode]) -> PredicateNode {
    var flat: [PredicateNode] = []
    for node in nodes { if case .and(let inner) = node { flat += inner } else { flat.append(node) } }
    if flat.count < 2 { return flat.first ?? .constant(true) }
    return .and(flat)
  }

  /// Returns the disjunction, without disjunctions in it; that of nothing does not hold.
  static func any(_ nodes: [PredicateNode]) -> PredicateNode {
    var flat: [PredicateNode] = []
    for node in nodes { if case .or(let inner) = node { flat += inner } else { flat.append(node) } }
    if flat.count < 2 { return flat.first ?? .constant(false) }
    return .or(flat)
  }
}

/// The syntax tree of an expression.
indirect enum ExpressionNode: Sendable {
  case constant((any Sendable)?)
  /// The evaluated value, `SELF`.
  case subject
  case keyPath(KVKeyPath)
  /// A variable, without its `$`.
  case variable(String)
  /// A path from the value of an expression that is neither the subject nor a key path.
  case path(ExpressionNode, KVKeyPath)
  case element(ExpressionNode, ElementIndex)
  case list([ExpressionNode])
  case function(String, [ExpressionNode])
  case subquery(ExpressionNode, variable: String, PredicateNode)
  case cast(ExpressionNode, String)
  case ternary(PredicateNode, ExpressionNode, ExpressionNode)

  /// The index in the brackets after an expression.
  indirect enum ElementIndex: Sendable {
    case first, last, size
    /// An index, and the policy of the element, if one limits the predicate (SEC.9).
    case at(ExpressionNode, PathPolicy? = nil)
  }
}

/// Two expressions and what is compared.
struct PredicateComparison: Sendable {
  enum Quantifier: String, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  enum Operator: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case isIn = "IN"
    case between = "BETWEEN"

    /// Whether it compares equality or order, and is written as a sign.
    var isSign: Bool { [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
  }

  var quantifier: Quantifier?
  var left: ExpressionNode
  var `operator`: Operator
  var options: KVTextOptions = []
  var right: ExpressionNode
}

/// A predicate that is a function of the program.
final class PredicateClosure: Sendable {
  let keyPaths: Set<KVKeyPath>
  let body: @Sendable (Any?) throws -> Bool
  /// Why there is no predicate, for one that is nested too deeply where no error can be thrown (FLT.14).
  let fault: NestingFault?

  init(_ keyPaths: Set<KVKeyPath>, _ body: @escaping @Sendable (Any?) throws -> Bool) {
    self.keyPaths = keyPaths
    self.body = body
    fault = nil
  }

  /// Creates what stands for a predicate that is nested too deeply.
  init(_ fault: NestingFault) {
    keyPaths = []
    body = { _ in false }
    self.fault = fault
  }
}
