import KVCore
import KVQuery

/// A type whose values can be observed and bound as formulas: ``KVExpression`` and ``KVPredicate`` (FRM.1).
public protocol KVFormulaConvertible {
  /// The expression whose value is followed.
  var formulaExpression: KVExpression { get }
}

extension KVExpression: KVFormulaConvertible {
  /// The expression itself.
  public var formulaExpression: KVExpression { self }
}

extension KVPredicate: KVFormulaConvertible {
  /// The truth value of the predicate.
  public var formulaExpression: KVExpression { KVExpression(self) }
}
