/// A sheet without observation: its inputs, of which every value is computed anew.
struct NaiveSheet: Equatable {
  /// The part of a formula that a cell has, or the whole.
  indirect enum Term: Equatable, CustomStringConvertible {
    case number(Int)
    case cell(String)
    case sum([String], range: String)
    case operation(Character, Term, Term)
    case condition(Term, Term, Term, Term)

    var description: String {
      switch self {
      case .number(let number): "\(number)"
      case .cell(let name): name
      case .sum(_, let range): "sum(\(range))"
      case .operation(let sign, let left, let right): "(\(left) \(sign) \(right))"
      case .condition(let left, let right, let yes, let no): "TERNARY(\(left) > \(right), \(yes), \(no))"
      }
    }

    var names: Set<String> {
      switch self {
      case .number: []
      case .cell(let name): [name]
      case .sum(let names, _): Set(names)
      case .operation(_, let left, let right): left.names.union(right.names)
      case .condition(let left, let right, let yes, let no): [left, right, yes, no].reduce([]) { $0.union($1.names) }
      }
    }
  }

  enum Input: Equatable, CustomStringConvertible {
    case empty
    case number(Int)
    case text(String)
    case formula(Term)

    var description: String {
      switch self {
      case .empty: ""
      case .number(let number): "\(number)"
      case .text(let text): text
      case .formula(let term): "= \(term)"
      }
    }

    var names: Set<String> { if case .formula(let term) = self { term.names } else { [] } }
  }

  enum Value: Equatable {
    case empty
    case number(Double)
    case text(String)
    case error
  }

  private struct Fault: Error {}

  var inputs: [String: Input] = [:]

  /// Whether a cell reads itself, through any number of others.
  func hasCycle(through name: String) -> Bool {
    var (seen, pending) = (Set<String>(), inputs[name]?.names ?? [])
    while let next = pending.popFirst() {
      if next == name { return true }
      if seen.insert(next).inserted { pending.formUnion(inputs[next]?.names ?? []) }
    }
    return false
  }

  /// The cells that read one of some cells, through any number of others, and these.
  func dependents(of names: Set<String>) -> Set<String> {
    var result = names
    while true {
      let further = inputs.filter { !result.contains($0.key) && !result.isDisjoint(with: $0.value.names) }
      if further.isEmpty { return result }
      result.formUnion(further.keys)
    }
  }

  /// Computes all values.
  func values() -> [String: Value] {
    var values: [String: Value] = [:]
    for name in inputs.keys { _ = value(name, &values) }
    return values
  }

  private func value(_ name: String, _ values: inout [String: Value]) -> Value {
    if let value = values[name] { return value }
    let value: Value
    switch inputs[name] ?? .empty {
    case .empty: value = .empty
    case .number(let number): value = .number(Double(number))
    case .text(let text): value = .text(text)
    case .formula(let term):
      let read = term.names.map { self.value($0, &values) }
      let result = read.contains(.error) ? .error : (try? evaluate(term, values)) ?? .error
      value = result == .empty ? .error : result
    }
    values[name] = value
    return value
  }

  private func evaluate(_ term: Term, _ values: [String: Value]) throws -> Value {
    switch term {
    case .number(let number): return .number(Double(number))
    case .cell(let name): return values[name] ?? .empty
    case .sum(let names, _): return .number(try names.reduce(0) { $0 + (try number(values[$1] ?? .empty) ?? 0) })
    case .operation(let sign, let left, let right):
      let (left, right) = (try number(evaluate(left, values)), try number(evaluate(right, values)))
      guard let left, let right else { return .empty }
      switch sign {
      case "+": return .number(left + right)
      case "-": return .number(left - right)
      case "*": return .number(left * right)
      default:
        if right == 0 { throw Fault() }
        return .number(left / right)
      }
    case .condition(let left, let right, let yes, let no):
      return try evaluate(isGreater(evaluate(left, values), evaluate(right, values)) ? yes : no, values)
    }
  }

  /// The number of a value, or nil for an empty one; throws for a text.
  private func number(_ value: Value) throws -> Double? {
    switch value {
    case .number(let number): return number
    case .empty: return nil
    default: throw Fault()
    }
  }

  private func isGreater(_ left: Value, _ right: Value) throws -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): return left > right
    case (.text(let left), .text(let right)): return left > right
    case (.empty, _), (_, .empty): return false
    default: throw Fault()
    }
  }
}
