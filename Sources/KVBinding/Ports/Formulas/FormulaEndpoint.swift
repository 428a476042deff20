import KVCore

/// The endpoint of a binding at the value of a formula, which it retains: nothing else does.
// guard: immutable
final class FormulaEndpoint: BindingEndpoint, @unchecked Sendable {
  private let formula: KVFormula

  init(_ formula: KVFormula) {
    self.formula = formula
    super.init(formula, KVFormula.valuePath, typeName: formula.name)
  }
}
