import KVBinding

/// Keeps what follows from the state of a model true: whenever a condition becomes true, its rule is applied.
///
/// Rules may trigger each other. One that fails is reported and leaves the model as it was.
@MainActor
@KVModel final class RuleEngine: KVObject {
  /// The rules that were applied, in order.
  private(set) var applied: [String] = []
  /// The errors of rules, in order.
  private(set) var failures: [String] = []

  /// Applies rules to a model, now and as it changes.
  ///
  /// - Throws: `KVError` if the condition of a rule cannot be observed. Nothing has been applied then.
  init(_ rules: [Rule], of model: some KVObservable) throws {
    super.init()
    for rule in rules {
      try model.observe(rule.condition, options: [.distinct], owner: self) { [weak model] engine, _ in
        if let model { engine.run(rule, model) }
      }
    }
    for rule in rules { run(rule, model) }
  }

  private func run(_ rule: Rule, _ model: some KVObservable) {
    do {
      if try rule.holds(for: model), try rule.apply(to: model) { applied.append("\(rule)") }
    } catch {
      failures.append("\(rule): \(error)")
    }
  }
}
