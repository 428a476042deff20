import Foundation
import TestModels

@testable import KVCore
@testable import KVQuery

/// Evaluates the syntax tree of a predicate in the plainest way: all values boxed, nothing prepared, nothing cached.
struct NaiveInterpreter {
  struct Mismatch: Error {}

  let subject: Any?
  var variables: [String: Any?] = [:]

  func test(_ node: PredicateNode) throws -> Bool {
    switch node {
    case .constant(let value): return value
    case .not(let inner): return try !test(inner)
    case .and(let nodes): return try nodes.allSatisfy(test)
    case .or(let nodes): return try nodes.contains(where: test)
    case .closure(let closure): return try closure.body(subject)
    case .comparison(let comparison):
      let left = try value(comparison.left)
      guard let quantifier = comparison.quantifier else {
        return try compare(comparison, left, value(comparison.right))
      }
      guard let left else { return quantifier != .any }
      guard let collection = Self.elements(left) else { throw Mismatch() }
      let all = collection.isEmpty ? [] : try flat(collection)
      let right = collection.isEmpty ? nil : try value(comparison.right)
      switch quantifier {
      case .any: return try all.contains { try compare(comparison, $0, right) }
      case .all: return try all.allSatisfy { try compare(comparison, $0, right) }
      case .none: return try !all.contains { try compare(comparison, $0, right) }
      }
    }
  }

  private func flat(_ values: [Any?]) throws -> [Any?] {
    try values.flatMap { value in try value.flatMap(Self.elements).map(flat) ?? [value] }
  }

  private static func elements(_ value: Any) -> [Any?]? {
    if value is String { return nil }
    if let dictionary = value as? [String: Any] { return Array(dictionary.values) }
    if let dictionary = value as? [String: Int] { return Array(dictionary.values) }
    return (value as? any Collection).map { ($0.map { $0 as Any } as [Any]).map(Self.plain) }
  }

  /// Returns a value without optionals, and the raw value of an enum.
  private static func plain(_ value: Any?) -> Any? {
    guard let value = value.flatMap(unwrappingOptionals) else { return nil }
    switch value {
    case let mood as Song.Mood: return mood.rawValue
    case let rank as Song.Rank: return rank.rawValue
    default: return value
    }
  }

  // MARK: Comparing

  private func compare(_ comparison: PredicateComparison, _ left: Any?, _ right: Any?) throws -> Bool {
    let options = comparison.options
    switch comparison.operator {
    case .equal: return equal(left, right, options)
    case .notEqual: return !equal(left, right, options)
    case .less: return try order(left, right, options) == -1
    case .greater: return try order(left, right, options) == 1
    case .lessOrEqual: return try left == nil && right == nil || [-1, 0].contains(order(left, right, options))
    case .greaterOrEqual: return try left == nil && right == nil || [1, 0].contains(order(left, right, options))
    case .beginsWith, .endsWith, .like, .matches:
      guard let left, let right else { return false }
      guard let text = left as? String, let pattern = right as? String else { throw Mismatch() }
      let (characters, part) = (folded(text, options), folded(pattern, options))
      switch comparison.operator {
      case .beginsWith: return characters.starts(with: part)
      case .endsWith: return characters.reversed().starts(with: part.reversed())
      case .like: return Self.like(text.flatMap { Self.parts(of: $0, options) }[...], part[...])
      default:
        let marks = options.subtracting(.caseInsensitive)
        let regex = try Regex(String(folded(pattern, marks)))
        return try (options.contains(.caseInsensitive) ? regex.ignoresCase() : regex).wholeMatch(
          in: String(folded(text, marks))) != nil
      }
    case .contains: return try contains(left, right, options)
    case .isIn: return try contains(right, left, options)
    case .between:
      guard let left, let right else { return false }
      guard !(right is [String: Any]), !(right is [String: Int]), let bounds = Self.elements(right), bounds.count == 2
      else {
        throw Mismatch()
      }
      guard try [-1, 0].contains(order(bounds[0], left, options)) else { return false }
      return try [-1, 0].contains(order(left, bounds[1], options))
    }
  }

  private func folded(_ text: String, _ options: KVTextOptions) -> [Character] { Array(Self.fold(text, options)) }

  /// Folds by the mappings of the standard library and Foundation, which are right for the letters of the tests.
  private static func fold(_ text: String, _ options: KVTextOptions) -> String {
    var scalars = Array(text.unicodeScalars)
    if options.contains(.diacriticInsensitive) {
      // A scalar that is another one without marks, as the Kelvin sign, stays.
      scalars = scalars.flatMap { scalar in
        let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
        return parts.count == 1 && !Self.isMark(parts[0]) ? [scalar] : parts.filter { !Self.isMark($0) }
      }
    }
    guard options.contains(.caseInsensitive) else { return scalars.reduce(into: "") { $0.unicodeScalars.append($1) } }
    return scalars.map { scalar in
      // A dotless i folds to itself.
      scalar == "ı"
        ? "ı" : scalar.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }.joined()
  }

  /// Whether a scalar is a diacritic; the sound marks of kana make other letters, which Foundation keeps as well.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark && scalar != "\u{3099}" && scalar != "\u{309A}"
  }

  /// A folded character, and how many are one character with it in the text before; nil if it does not begin that.
  private struct Part {
    let character: Character
    var count: Int?
  }

  private static func parts(of character: Character, _ options: KVTextOptions) -> [Part] {
    var parts = fold(String(character), options).map { Part(character: $0) }
    if !parts.isEmpty { parts[0].count = parts.count }
    return parts
  }

  private static func like(_ text: ArraySlice<Part>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return like(text, rest) || !text.isEmpty && like(text.dropFirst(), pattern)
    case "?": return text.first?.count.map { like(text.dropFirst($0), rest) } ?? false
    case "\\" where !rest.isEmpty:
      return text.first?.character == rest.first && like(text.dropFirst(), rest.dropFirst())
    default: return text.first?.character == first && like(text.dropFirst(), rest)
    }
  }

  private func contains(_ container: Any?, _ member: Any?, _ options: KVTextOptions) throws -> Bool {
    guard let container else { return false }
    if let text = container as? String {
      guard let member else { return false }
      guard let part = member as? String else { throw Mismatch() }
      let (characters, wanted) = (folded(text, options), folded(part, options))
      return wanted.isEmpty || characters.indices.contains { characters[$0...].starts(with: wanted) }
    }
    guard let elements = Self.elements(container) else { throw Mismatch() }
    return elements.contains { equal($0, member, options) }
  }

  private func equal(_ left: Any?, _ right: Any?, _ options: KVTextOptions) -> Bool {
    if let left = left as? String, let right = right as? String {
      return folded(left, options) == folded(right, options)
    }
    return Self.areEqual(left, right)
  }

  /// Whether two values are equal, for the types of the tests.
  private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = plain(left), let right = plain(right) else { return plain(left) == nil && plain(right) == nil }
    if let left = number(left), let right = number(right) { return left == right }
    if let left = left as? String, let right = right as? String { return left == right }
    if let left = left as? Size, let right = right as? Size {
      return left.width == right.width && left.height == right.height
    }
    if let left = left as? KVObject, let right = right as? KVObject { return left === right }
    if let left = left as? [String: Int], let right = right as? [String: Int] { return left == right }
    if left is [String: Any] || right is [String: Any] { return false }
    guard let left = elements(left), let right = elements(right), left.count == right.count else { return false }
    return zip(left, right).allSatisfy { areEqual($0, $1) }
  }

  /// Returns -1, 0 or 1; nil if nil or NaN is compared.
  private func order(_ left: Any?, _ right: Any?, _ options: KVTextOptions) throws -> Int? {
    guard let left, let right else { return left == nil && right == nil ? 2 : nil }
    if let left = left as? String, let right = right as? String {
      let (left, right) = (String(folded(left, options)), String(folded(right, options)))
      // Swift's `<` takes "KZ" for less than the Kelvin sign, which equals "K".
      let scalars = [left, right].map { $0.precomposedStringWithCanonicalMapping.unicodeScalars }
      return left == right ? 0 : scalars[0].lexicographicallyPrecedes(scalars[1]) ? -1 : 1
    }
    guard let left = Self.number(left), let right = Self.number(right) else { throw Mismatch() }
    return left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  }

  /// The numbers of the tests are small, so that a `Double` has them.
  private static func number(_ value: Any) -> Double? {
    switch value {
    case let value as Int: Double(value)
    case let value as Double: value
    case let value as Bool: value ? 1 : 0
    default: nil
    }
  }

  // MARK: Values

  private func value(_ node: ExpressionNode) throws -> Any? { Self.plain(try anyValue(node)) }

  private func anyValue(_ node: ExpressionNode) throws -> Any? {
    switch node {
    case .constant(let value): return value
    case .subject: return subject
    case .keyPath(let path): return try subject.flatMap { try KVC.value(of: $0, forKeyPath: path) }
    case .variable(let name):
      guard let value = variables[name] else { throw Mismatch() }
      return value
    case .path(let base, let path): return try value(base).flatMap { try KVC.value(of: $0, forKeyPath: path) }
    case .element(let base, let index):
      guard let value = try value(base) else { return nil }
      guard let elements = Self.elements(value) else { throw Mismatch() }
      switch index {
      case .first: return elements.first ?? nil
      case .last: return elements.last ?? nil
      case .size: return elements.count
      case .at(let index, _):
        guard let index = try self.value(index) as? Int, elements.indices.contains(index) else { throw Mismatch() }
        return elements[index]
      }
    case .list(let nodes): return try nodes.map(value)
    case .function(let name, let arguments): return try call(name, arguments.map(value))
    case .subquery(let collection, let variable, let predicate):
      guard let value = try value(collection) else { return [Any?]() }
      guard let elements = Self.elements(value) else { throw Mismatch() }
      return try elements.filter { element in
        var inner = self
        inner.variables[variable] = .some(element)
        return try inner.test(predicate)
      }
    case .cast(let inner, _): return try value(inner).map { "\($0)" }
    case .ternary(let condition, let first, let second): return try test(condition) ? value(first) : value(second)
    }
  }

  private func call(_ name: String, _ arguments: [Any?]) throws -> Any? {
    switch name {
    case "add:to:": return try arithmetic(arguments, { $0.addingReportingOverflow($1) }, +)
    case "from:subtract:": return try arithmetic(arguments, { $0.subtractingReportingOverflow($1) }, -)
    case "multiply:by:": return try arithmetic(arguments, { $0.multipliedReportingOverflow(by: $1) }, *)
    case "divide:by:":
      if arguments[0] != nil, let divisor = arguments[1], Self.number(divisor) == 0 { throw Mismatch() }
      return try arithmetic(arguments, { $0.dividedReportingOverflow(by: $1) }, /)
    case "abs":
      return try arithmetic([arguments[0], 0], { left, _ in (abs(left), left == .min) }, { left, _ in abs(left) })
    case "length", "lowercase":
      guard let argument = arguments[0] else { return nil }
      guard let text = argument as? String else { throw Mismatch() }
      return name == "length" ? text.count : text.lowercased()
    case "sum", "max":
      var values = arguments
      if values.count == 1 {
        guard let value = values[0] else { return name == "sum" ? 0 : nil }
        guard let elements = Self.elements(value) else { throw Mismatch() }
        values = elements
      }
      let numbers = values.compactMap { $0 }
      if name == "sum" {
        let all = try numbers.map { try Self.number($0) ?? { throw Mismatch() }() }
        return numbers.allSatisfy { !($0 is Double) } ? Int(all.reduce(0, +)) as Any : all.reduce(0, +)
      }
      var best: Any?
      for value in numbers {
        guard let current = best else {
          best = value
          continue
        }
        let isNaN = (value as? Double)?.isNaN == true
        let wasNaN = (current as? Double)?.isNaN == true
        if isNaN || wasNaN {
          guard Self.number(value) != nil, Self.number(current) != nil else { throw Mismatch() }
          if isNaN && !wasNaN { best = value }
        } else if try order(value, current, []) == 1 {
          best = value
        }
      }
      return best
    case "count":
      guard let value = arguments[0] else { return 0 }
      guard let elements = Self.elements(value) else { throw Mismatch() }
      return elements.count
    default: throw Mismatch()
    }
  }

  private func arithmetic(
    _ arguments: [Any?], _ integers: (Int, Int) -> (partialValue: Int, overflow: Bool),
    _ doubles: (Double, Double) -> Double
  ) throws -> Any? {
    guard let left = arguments[0] else { return nil }
    guard let leftNumber = Self.number(left) else { throw Mismatch() }
    guard let right = arguments[1] else { return nil }
    guard let rightNumber = Self.number(right) else { throw Mismatch() }
    if !(left is Double), !(right is Double) {
      let (result, overflow) = integers(Int(leftNumber), Int(rightNumber))
      if !overflow { return result }
    }
    return doubles(leftNumber, rightNumber)
  }
}
