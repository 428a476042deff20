import KVCore

/// Writes a syntax tree as a format, which parses to an equal tree (FLT.2).
struct PredicateWriter {
  private enum Level: Int { case or = 1, and, not, comparison, sum, product, power, primary }

  private(set) var text = ""
  /// The constants without a literal form and the closures, in order.
  private(set) var unwritable: [Any] = []
  /// The policies of the key paths and of the elements by index, in order.
  private(set) var policies: [PathPolicy?] = []

  init(_ node: PredicateNode) { write(.predicate(node, .or)) }
  init(_ node: ExpressionNode) { write(.expression(node, .sum)) }

  /// A piece that remains to be written.
  private enum Piece {
    case text(String)
    case predicate(PredicateNode, Level)
    case expression(ExpressionNode, Level)
    case components(KVKeyPath)
    case index(ExpressionNode.ElementIndex)
    case unwritable(Any)
  }

  /// Writes in a loop, since a text cannot fail for the lack of a stack.
  private mutating func write(_ piece: Piece) {
    var pieces = [piece]
    while let piece = pieces.popLast() {
      switch piece {
      case .text(let piece): text += piece
      case .predicate(let node, let minimum): pieces += begin(node, minimum).reversed()
      case .expression(let node, let minimum): pieces += begin(node, minimum).reversed()
      case .components(let path): writeComponents(path, hasBase: true)
      case .index(let index): pieces += begin(index).reversed()
      case .unwritable(let value): unwritable.append(value)
      }
    }
  }

  /// Writes the beginning of a predicate, and returns what follows.
  private mutating func begin(_ node: PredicateNode, _ minimum: Level) -> [Piece] {
    switch node {
    case .constant(let value): return [.text(value ? "TRUEPREDICATE" : "FALSEPREDICATE")]
    case .not(let inner): return [.text("NOT "), .predicate(inner, .not)]
    case .and(let nodes): return begin(nodes, .and, " AND ", empty: true, minimum)
    case .or(let nodes): return begin(nodes, .or, " OR ", empty: false, minimum)
    case .comparison(let comparison): return begin(comparison)
    case .closure(let closure):
      let paths = closure.keyPaths.map(\.description).sorted().joined(separator: ", ")
      return [.text(closure.fault.map { "<\($0.nested)>" } ?? "closure(\(paths))"), .unwritable(closure)]
    }
  }

  private func begin(
    _ nodes: [PredicateNode], _ level: Level, _ separator: String, empty: Bool, _ minimum: Level
  ) -> [Piece] {
    if nodes.isEmpty { return [.predicate(.constant(empty), minimum)] }
    let pieces = nodes.map { Piece.predicate($0, level == .or ? .and : .not) }
    return parenthesized(level.rawValue < minimum.rawValue, list(pieces, separator))
  }

  private func begin(_ comparison: PredicateComparison) -> [Piece] {
    [
      .text(comparison.quantifier.map { "\($0.rawValue) " } ?? ""), .expression(comparison.left, .sum),
      .text(" \(comparison.operator.rawValue)\(Self.text(of: comparison.options)) "),
      .expression(comparison.right, .sum),
    ]
  }

  private func list(_ pieces: [Piece], _ separator: String) -> [Piece] {
    var all: [Piece] = []
    for piece in pieces { all += all.isEmpty ? [piece] : [.text(separator), piece] }
    return all
  }

  private func parenthesized(_ needsParentheses: Bool, _ pieces: [Piece]) -> [Piece] {
    needsParentheses ? [.text("(")] + pieces + [.text(")")] : pieces
  }

  static func text(of options: KVTextOptions) -> String {
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }

  // MARK: Expressions

  /// Writes the beginning of an expression, and returns what follows.
  private mutating func begin(_ node: ExpressionNode, _ minimum: Level) -> [Piece] {
    switch node {
    case .constant(let constant): write(constant: constant, minimum)
    case .subject: text += "SELF"
    case .keyPath(let path): writeComponents(path, hasBase: false)
    case .variable(let name): text += Self.variable(name)
    case .path(let base, let path): return beginBase(base, beforeBrackets: !path.first.takesDot) + [.components(path)]
    case .element(let base, let index):
      return beginBase(base, beforeBrackets: true) + [.text("["), .index(index), .text("]")]
    case .list(let nodes): return begin(nodes, "{", "}")
    case .function(let name, let arguments): return begin(name, arguments, minimum)
    case .subquery(let collection, let variable, let predicate):
      return [
        .text("SUBQUERY("), .expression(collection, .sum), .text(", \(Self.variable(variable)), "),
        .predicate(predicate, .or), .text(")"),
      ]
    case .cast(let value, let type):
      let pieces: [Piece] = [.text("CAST("), .expression(value, .sum), .text(", \(PredicateLiteral.quoted(type)))")]
      // What is bound and cannot be cast fails when it is evaluated, and a format of it when it is parsed.
      guard case .constant(let constant?) = value, PredicateCast.makesConstants(type) else { return pieces }
      return pieces + [.unwritable(constant)]
    case .ternary(let condition, let first, let second):
      return [
        .text("TERNARY("), .predicate(condition, .or), .text(", "), .expression(first, .sum), .text(", "),
        .expression(second, .sum), .text(")"),
      ]
    }
    return []
  }

  private mutating func begin(_ index: ExpressionNode.ElementIndex) -> [Piece] {
    switch index {
    case .first: text += "FIRST"
    case .last: text += "LAST"
    case .size: text += "SIZE"
    case .at(let index, let policy):
      policies.append(policy)
      return [.expression(index, .sum)]
    }
    return []
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

  private func begin(_ nodes: [ExpressionNode], _ open: String, _ close: String) -> [Piece] {
    [.text(open)] + list(nodes.map { .expression($0, .sum) }, ", ") + [.text(close)]
  }

  private func begin(_ name: String, _ arguments: [ExpressionNode], _ minimum: Level) -> [Piece] {
    guard arguments.count == 2, let sign = PredicateFunctions.signs.first(where: { $0.value.function == name }),
      let level = Level(rawValue: sign.value.precedence)
    else { return [.text(name)] + begin(arguments, "(", ")") }
    // A power is that of its right side; the others begin with the left.
    let next = Level(rawValue: level.rawValue + 1) ?? .primary
    return parenthesized(
      level.rawValue < minimum.rawValue,
      [
        .expression(arguments[0], level == .power ? next : level), .text(" \(sign.key) "),
        .expression(arguments[1], level == .power ? level : next),
      ])
  }

  /// Begins what a path or an index follows.
  private func beginBase(_ node: ExpressionNode, beforeBrackets: Bool) -> [Piece] {
    let needsParentheses =
      switch node {
      case .constant, .list, .ternary: true
      // Brackets behind an operator are its argument.
      default: beforeBrackets && node.endsInOperator
      }
    return parenthesized(needsParentheses, [.expression(node, needsParentheses ? .sum : .primary)])
  }

  // MARK: Key paths

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
