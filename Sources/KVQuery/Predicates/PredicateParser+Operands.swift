import KVCore

extension PredicateParser {
  /// Parses an operand, with what stands before and behind it.
  mutating func parseOperand(level: Int) throws(KVError) -> Parsed {
    switch lexer.token {
    case .sign("("):
      try lexer.advance()
      let inner = try parse(0, level: level + 1)
      if isSign(",") { throw lexer.fault("expected \")\"", hint: " A list has braces, as in {1, 2}.") }
      try expect(")")
      guard case .expression(let node) = inner.item else { return inner }
      return try parsePostfix(node, inner.depth, level: level)
    case .sign("!"): return try parseNegation(level: level)
    case .sign("-"):
      try lexer.advance()
      let (node, depth) = try expression(level: level + 1, Precedence.power)
      if case .constant(let constant) = node, let negated = Self.negated(constant) { return Parsed(.constant(negated)) }
      return Parsed(.function("from:subtract:", [.constant(0), node]), try self.depth(depth))
    case .sign("{"): return try parseList(level: level)
    case .sign("$"):
      try lexer.advance()
      return try parsePostfix(.variable(try parseVariable()), 1, level: level)
    case .sign("@"), .sign("#"): return try parseKeyPath(level: level)
    case .keyPath(let path):
      try lexer.advance()
      return try parsePostfix(.keyPath(path), 1, level: level)
    case .number(let value): return try parsed(.constant(value))
    case .text(let text): return try parsed(.constant(text))
    case .value(let value): return try parsed(.constant(value))
    case .word(let word): return try parseWord(word, level: level)
    case .end, .sign: throw lexer.fault("expected an expression")
    }
  }

  /// Parses the name of a variable: a word, or any text in quotes.
  private mutating func parseVariable() throws(KVError) -> String {
    switch lexer.token {
    case .word(let name), .text(let name):
      try lexer.advance()
      return name
    default: throw lexer.fault("expected the name of a variable after $")
    }
  }

  private mutating func parsed(_ node: ExpressionNode) throws(KVError) -> Parsed {
    try lexer.advance()
    return Parsed(node)
  }

  private mutating func parseNegation(level: Int) throws(KVError) -> Parsed {
    try lexer.advance()
    let operand = try parse(Precedence.not, level: level + 1)
    let (node, depth) = try predicate(operand)
    return Parsed(PredicateNode.negating(node), try self.depth(depth))
  }

  /// Parses an operand that begins with a word.
  private mutating func parseWord(_ word: String, level: Int) throws(KVError) -> Parsed {
    if lexer.isFollowedByParenthesis, let call = try parseCall(word, level: level) { return call }
    let keyword = PredicateLexer.keyword(word)
    switch keyword {
    case "NOT": return try parseNegation(level: level)
    case "ANY", "SOME", "ALL", "NONE":
      try lexer.advance()
      if case .sign = lexer.token, case .comparison = infix() {
        throw lexer.fault("expected an expression", hint: " For the key of this name, write #\(word).")
      }
      let (node, depth) = try expression(level: level + 1)
      let quantifier = PredicateComparison.Quantifier(rawValue: keyword) ?? .any
      return try parseComparison(node, depth, quantifier, level: level)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      try lexer.advance()
      return Parsed(.constant(keyword == "TRUEPREDICATE"))
    case "TRUE", "YES": return try parsed(.constant(true))
    case "FALSE", "NO": return try parsed(.constant(false))
    case "NULL", "NIL": return try parsed(.constant(nil))
    case "SELF":
      try lexer.advance()
      return try parsePostfix(.subject, 1, level: level)
    case "ANYKEY": throw lexer.unsupported("ANYKEY", "name the keys, joined by OR")
    case "FETCH": throw lexer.unsupported("FETCH", "there is no store to fetch from")
    case "FUNCTION":
      throw lexer.unsupported("FUNCTION", "it calls methods by name; use KVPredicate.registerFunction")
    default:
      if PredicateLexer.isReserved(word), !["FIRST", "LAST", "SIZE"].contains(keyword) {
        throw lexer.fault("expected an expression", hint: " For the key of this name, write #\(word).")
      }
      return try parseKeyPath(level: level)
    }
  }

  /// Parses what a word and a parenthesis begin; nil if the word is an operator before a parenthesis.
  private mutating func parseCall(_ word: String, level: Int) throws(KVError) -> Parsed? {
    switch PredicateLexer.keyword(word) {
    case "NOT", "ANY", "SOME", "ALL", "NONE", "AND", "OR": return nil
    case "SUBQUERY": return try parseSubquery(level: level)
    case "CAST": return try parseCast(level: level)
    case "TERNARY": return try parseTernary(level: level)
    case "FETCH": throw lexer.unsupported("FETCH", "there is no store to fetch from")
    case "FUNCTION":
      throw lexer.unsupported("FUNCTION", "it calls methods by name; use KVPredicate.registerFunction")
    case let keyword where PredicateFunctions.refused.contains(keyword):
      throw lexer.unsupported("random", "a predicate gives the same result for the same value")
    default: break
    }
    let start = lexer
    let name = PredicateFunctions.canonicalName(word)
    guard PredicateFunctions.function(name) != nil else {
      let known = PredicateFunctions.names
      let suggestion = Suggestion.nearest(to: name, among: known)
      let words = known.filter { !$0.contains(":") }.joined(separator: ", ")
      throw start.fault(
        "expected a function", hint: "\(Suggestion.question(suggestion)) Known functions: \(words).")
    }
    try lexer.advance()
    try expect("(")
    var (arguments, depth): ([ExpressionNode], Int) = ([], 0)
    try parseArguments(until: ")", &arguments, &depth, level: level)
    if let reason = PredicateFunctions.fault(ofCall: name, arguments.count) { throw start.fault(reason) }
    return try parsePostfix(.function(name, arguments), try self.depth(depth), level: level)
  }

  private mutating func parseArguments(
    until close: String, _ arguments: inout [ExpressionNode], _ depth: inout Int, level: Int
  ) throws(KVError) {
    if !isSign(close) {
      while true {
        let (node, nodeDepth) = try expression(level: level + 1)
        arguments.append(node)
        depth = max(depth, nodeDepth)
        guard isSign(",") else { break }
        try lexer.advance()
      }
    }
    guard isSign(close) else { throw lexer.fault("expected \",\" or \"\(close)\"") }
    try lexer.advance()
  }

  /// Parses `{a, b}`; a list of constants is a constant.
  private mutating func parseList(level: Int) throws(KVError) -> Parsed {
    try lexer.advance()
    var (nodes, depth): ([ExpressionNode], Int) = ([], 0)
    try parseArguments(until: "}", &nodes, &depth, level: level)
    return Parsed(.list(of: nodes), try self.depth(depth))
  }

  private mutating func parseSubquery(level: Int) throws(KVError) -> Parsed {
    try lexer.advance()
    try expect("(")
    let (collection, collectionDepth) = try expression(level: level + 1)
    try expect(",")
    try expect("$")
    let variable = try parseVariable()
    try expect(",")
    let (predicate, predicateDepth) = try predicate(level: level + 1)
    try expect(")")
    let node = ExpressionNode.subquery(collection, variable: variable, predicate)
    return try parsePostfix(node, try depth(collectionDepth, predicateDepth), level: level)
  }

  private mutating func parseCast(level: Int) throws(KVError) -> Parsed {
    let start = lexer
    try lexer.advance()
    try expect("(")
    let (value, depth) = try expression(level: level + 1)
    try expect(",")
    let type: String
    switch lexer.token {
    case .text(let text): type = text
    case .value(let value as String): type = value
    default: throw lexer.fault("expected the name of a type in quotes")
    }
    guard PredicateCast.isKnown(type) else {
      throw lexer.fault("expected one of the types \(PredicateCast.names.joined(separator: ", "))")
    }
    try lexer.advance()
    try expect(")")
    // A date, and whatever else has no literal of its own, is a constant.
    let node = PredicateCast.node(value, type)
    if case .cast(.constant(_?), _) = node, PredicateCast.makesConstants(type) {
      throw start.fault("expected a value that fits \(type)")
    }
    if case .constant = node { return try parsePostfix(node, 1, level: level) }
    return try parsePostfix(node, try self.depth(depth), level: level)
  }

  private mutating func parseTernary(level: Int) throws(KVError) -> Parsed {
    try lexer.advance()
    try expect("(")
    let (condition, conditionDepth) = try predicate(level: level + 1)
    try expect(",")
    let (first, firstDepth) = try expression(level: level + 1)
    try expect(",")
    let (second, secondDepth) = try expression(level: level + 1)
    try expect(")")
    let depth = try depth(conditionDepth, firstDepth, secondDepth)
    return try parsePostfix(.ternary(condition, first, second), depth, level: level)
  }

  private static func negated(_ constant: (any Sendable)?) -> (any Sendable)? {
    switch constant {
    case let value as Int: PredicateLexer.shortest(-Int128(value))
    case let value as Int128 where value != .min: PredicateLexer.shortest(-value)
    case let value as Double: -value
    default: nil
    }
  }
}
