import KVBinding

/// A condition and what follows from it: `lines.@sum.amount > 1000 => discount = 10`.
struct Rule: CustomStringConvertible {
  private enum Comparison: String, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case unequal = "!="
    case greater = ">"
    case less = "<"
    case equal = "="
  }

  let description: String
  let condition: KVKeyPath
  let target: KVKeyPath
  private let comparison: Comparison
  private let operand: Any?
  private let value: Any?

  /// Parses a rule.
  ///
  /// - Throws: ``SyntaxError``; `KVError` if a key path is malformed.
  init(_ source: String) throws {
    guard let arrow = source.firstRange(of: "=>") else {
      throw SyntaxError("write a rule as: path > value => path = value")
    }
    description = source
    (condition, comparison, operand) = try Self.parse(source[..<arrow.lowerBound])
    let assignment: Comparison
    (target, assignment, value) = try Self.parse(source[arrow.upperBound...])
    guard assignment == .equal else { throw SyntaxError("behind => stands an assignment: path = value") }
  }

  private static func parse(_ text: Substring) throws -> (KVKeyPath, Comparison, Any?) {
    for comparison in Comparison.allCases {
      guard let sign = text.firstRange(of: " \(comparison.rawValue) ") else { continue }
      return (try KVKeyPath(trim(text[..<sign.lowerBound])), comparison, try literal(trim(text[sign.upperBound...])))
    }
    let known = Comparison.allCases.map(\.rawValue).joined(separator: " ")
    throw SyntaxError("\"\(trim(text))\" has none of the signs \(known) between blanks")
  }

  private static func literal(_ text: String) throws -> Any? {
    switch text {
    case "nil": return nil
    case "true": return true
    case "false": return false
    case _ where text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\""):
      return String(text.dropFirst().dropLast())
    default:
      if let number = Int(text) { return number }
      guard let number = Double(text) else { throw SyntaxError("\(text) is not a number, and no text in quotes") }
      return number
    }
  }

  private static func trim(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(
      start.prefix((start.lastIndex { $0 != " " }.map { start.distance(from: start.startIndex, to: $0) } ?? -1) + 1))
  }

  /// Whether the condition holds for a model.
  ///
  /// A nil is equal to nil only, and neither less nor greater than a value.
  ///
  /// - Throws: `KVError` if the path cannot be read, or its value cannot be compared.
  func holds(for model: Any) throws(KVError) -> Bool {
    let value = try KVC.value(of: model, forKeyPath: condition)
    switch comparison {
    case .equal: return KVC.areEqual(value, operand)
    case .unequal: return !KVC.areEqual(value, operand)
    default: break
    }
    guard value != nil, operand != nil else { return false }
    let left = try KVC.value(of: ["value": value], forKeyPath: "value", as: Double.self)
    let right = try KVC.value(of: ["value": operand], forKeyPath: "value", as: Double.self)
    switch comparison {
    case .atLeast: return left >= right
    case .atMost: return left <= right
    case .greater: return left > right
    default: return left < right
    }
  }

  /// Sets what follows from the condition, if it is not so already; returns whether anything was set.
  ///
  /// - Throws: `KVError` if the path cannot be written, or takes no such value.
  func apply(to model: some KVObservable) throws(KVError) -> Bool {
    if KVC.areEqual(try model.value(forKeyPath: target), value) { return false }
    try model.setValue(value, forKeyPath: target)
    return true
  }
}
