extension KVPolicy {
  /// The name, the rules in their order, the operators and the limits, a line each.
  ///
  /// ```
  /// policy "invoices":
  /// - Order: reads customer, items, note; writes note
  /// - Customer: reads city, name
  /// - operators: @count, @sum
  /// - limits: 16 components, 100000 elements
  /// ```
  public var description: String {
    let lines = (rules.rules ?? []).map { rule in
      let (reading, writing) = (rule.permission.reading, rule.permission.writing)
      let written = writing.isEmpty ? "" : "; writes \(writing)"
      return "\(typeName(rule.type)): reads \(reading)\(written)"
    }
    let operators = rules.operators.sorted().map { "@\($0)" }.joined(separator: ", ")
    let limits = [
      "operators: \(operators.isEmpty ? "none" : operators)",
      "limits: \(rules.maximumDepth) components, \(rules.maximumElementCount) elements",
    ]
    return (["policy \"\(rules.name)\":"] + (lines + limits).map { "- \($0)" }).joined(separator: "\n")
  }
}

extension PathPolicy.Names {
  var isEmpty: Bool { !isAll && listed.isEmpty }

  /// The names, or what stands for all of them.
  var description: String { isAll ? "all entries" : isEmpty ? "nothing" : Failure.list(listed.sorted()) }
}
