/// Writes a syntax tree as a format, which parses to an equal tree (FLT.2).
struct PredicateWriter {
  private enum Level: Int { case or = 1, and, not, comparison, sum, product, power, primary }

  private(set) var text = ""
  /// The constants without a literal form and the closures, in order.
  private(set) var unwritable: [Any] = []
  /// The policies of the key paths and of the elements by index, in order.
  private(set) var policies: [PathPolicy?] = []

  init(_ node: PredicateNode) { write(node, .or) }
  init(_ node: ExpressionNode) { write(node, .sum) }

  private mutating func write(_ node: PredicateNode, _ minimum: Level) {
    switch node {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner):
      text += "NOT "
      write(inner, .not)
    case .and(let nodes): write(nodes, .and, " AND ", empty: true, minimum)
    case .or(let nodes): write(nodes, .or, " OR ", empty: false, minimum)
    case .comparison(let comparison): write(comparison)
    case .closure(let closure):
      if closure === PredicateClosure.tooDeep {
        text += "<nested more than \(Limits.nesting) levels deep>"
        return unwritable.append(closure)
      }
      text += "closure(\(closure.keyPaths.map(\.description).sorted().joined(separator: ", ")))"
      unwritable.append(closure)
    }
  }

  private mutating func write(
    _ nodes: [PredicateNode], _ level: Level, _ separator: String, empty: Bool, _ minimum: Level
  ) {
    if nodes.isEmpty { return write(.constant(empty), minimum) }
    let needsParentheses = level.rawValue < minimum.rawValue
    if needsParentheses { text += "(" }
    for (index, node) in nodes.enumerated() {
      if index > 0 { text += separator }
      write(node, level == .or ? .and : .not)
    }
    if needsParentheses { text += ")" }
  }

  private mutating func write(_ comparison: PredicateComparison) {
    if let quantifier = comparison.quantifier { text += "\(quantifier.rawValue) " }
    write(comparison.left, .sum)
    text += " \(comparison.operator.rawValue)\(Self.text(of: comparison.options)) "
    write(comparison.right, .sum)
  }

  static func text(of options: KVTextOptions) -> String {
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }

  // MARK: Expressions

  private mutating func write(_ node: ExpressionNode, _ minimum: Level) {
    switch node {
    case .constant(let constant): write(constant: constant, minimum)
    case .subject: text += "SELF"
    case .keyPath(let path): write(path)
    case .variable(let name): text += Self.variable(name)
    case .path(let base, let path):
      writeBase(base, beforeBrackets: !path.first.takesDot)
      writeComponents(path, hasBase: true)
    case .element(let base, let index):
      writeBase(base, beforeBrackets: true)
      text += "["
      switch index {
      case .first: text += "FIRST"
      case .last: text += "LAST"
      case .size: text += "SIZE"
      case .at(let index, let policy):
        policies.append(policy)
        write(index, .sum)
      }
      text += "]"
    case .list(let nodes): write(nodes, "{", "}")
    case .function(let name, let arguments): write(name, arguments, minimum)
    case .subquery(let collection, let variable, let predicate):
      text += "SUBQUERY("
      write(collection, .sum)
      text += ", \(Self.variable(variable)), "
      write(predicate, .or)
      text += ")"
    case .cast(let value, let type):
      text += "CAST("
      write(value, .sum)
      text += ", \(PredicateLiteral.quoted(type)))"
      // What is bound and cannot be cast fails when it is evaluated, and a format of it when it is parsed.
      if case .constant(let constant?) = value, PredicateCast.makesConstants(type) { unwritable.append(constant) }
    case .ternary(let condition, let first, let second):
      text += "TERNARY("
      write(condition, .or)
      text += ", "
      write(first, .sum)
      text += ", "
      write(second, .sum)
      text += ")"
    }
  }

  private mutating func write(constant: (any Sendable)?, _ minimum: Level) {
    guard let literal = PredicateLiteral.text(of: constant) else {
      let value = constant.map { $0 as Any }.flatMap(unwrappingOptionals) ?? "nil"
      text += "<\(typeName(type(of: value)))>"
      return unwritable.append(value)
    }
    // A minus sign applies to a power.
    let isNegative = literal.hasPrefix("-") && minimum.rawValue >= Level.power.rawValue
    text += isNegative ? "(\(literal))" : literal
  }

  private mutating func write(_ nodes: [ExpressionNode], _ open: String, _ close: String) {
    text += open
    for (index, node) in nodes.enumerated() {
      if index > 0 { text += ", " }
      write(node, .sum)
    }
    text += close
  }

  private mutating func write(_ name: String, _ arguments: [ExpressionNode], _ minimum: Level) {
    guard arguments.count == 2, let sign = PredicateFunctions.signs.first(where: { $0.value.function == name }),
      let level = Level(rawValue: sign.value.precedence)
    else {
      text += name
      return write(arguments, "(", ")")
    }
    let needsParentheses = level.rawValue < minimum.rawValue
    if needsParentheses { text += "(" }
    // A power is that of its right side; the others begin with the left.
    let next = Level(rawValue: level.rawValue + 1) ?? .primary
    write(arguments[0], level == .power ? next : level)
    text += " \(sign.key) "
    write(arguments[1], level == .power ? level : next)
    if needsParentheses { text += ")" }
  }

  /// Writes what a path or an index follows.
  private mutating func writeBase(_ node: ExpressionNode, beforeBrackets: Bool) {
    let needsParentheses =
      switch node {
      case .constant, .list, .ternary: true
      // Brackets behind an operator are its argument.
      default: beforeBrackets && node.endsInOperator
      }
    guard needsParentheses else { return write(node, .primary) }
    text += "("
    write(node, .sum)
    text += ")"
  }

  // MARK: Key paths

  private mutating func write(_ path: KVKeyPath) { writeComponents(path, hasBase: false) }

  private mutating func writeComponents(_ path: KVKeyPath, hasBase: Bool) {
    policies.append(path.policy)
    var isFirst = !hasBase
    for component in path.components {
      switch component {
      case .key(let key):
        if !isFirst { text += "." }
        text += PredicateLexer.isPlainKey(key, isFirst: isFirst) ? key : Self.escaped(key)
      case .operator(let name, let argument):
        if !isFirst { text += "." }
        text += "@\(Self.word(name))\(argument.map { "[\(Self.word($0))]" } ?? "")"
      case .index(let index): text += "\(isFirst ? "SELF" : "")[\(index)]"
      case .entry(let entry): text += "\(isFirst ? "SELF" : "")[\(PredicateLiteral.quoted(entry))]"
      }
      isFirst = false
    }
  }

  /// Returns a text as it is if it is a word; else in quotes.
  private static func word(_ text: String) -> String {
    PredicateLexer.isWord(text) ? text : PredicateLiteral.quoted(text)
  }

  private static func variable(_ name: String) -> String { "$\(word(name))" }

  /// Returns a key that is named like a keyword, or is no plain word.
  private static func escaped(_ key: String) -> String {
    PredicateLexer.isWord(key) ? "#\(key)" : "#\(PredicateLiteral.quoted(key))"
  }
}
