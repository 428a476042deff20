import KVCore

/// Parses a format into a syntax tree (FLT.3).
///
/// One pass with one token of preview: a parenthesis may begin a predicate or an expression, so that both are parsed by
/// one function, which binds operators by precedence. Recursion is limited to ``Limits/nesting`` levels.
struct PredicateParser {
  /// A predicate or an expression, and how deep its tree is.
  struct Parsed {
    enum Item {
      case predicate(PredicateNode)
      case expression(ExpressionNode)
    }

    let item: Item
    let depth: Int

    init(_ node: PredicateNode, _ depth: Int = 1) {
      item = .predicate(node)
      self.depth = depth
    }

    init(_ node: ExpressionNode, _ depth: Int = 1) {
      item = .expression(node)
      self.depth = depth
    }
  }

  /// The precedences of operators.
  enum Precedence {
    static let or = 1
    static let and = 2
    static let not = 3
    static let comparison = 4
    static let sum = 5
    static let product = 6
    static let power = 7
  }

  /// An operator between two operands.
  enum Infix {
    case or, and
    case comparison
    case arithmetic(function: String, precedence: Int)

    var precedence: Int {
      switch self {
      case .or: Precedence.or
      case .and: Precedence.and
      case .comparison: Precedence.comparison
      case .arithmetic(_, let precedence): precedence
      }
    }
  }

  var lexer: PredicateLexer

  private init(
    _ bytes: [UInt8], _ arguments: [PredicateArguments.Argument], isExpression: Bool
  ) throws(KVError) {
    lexer = try PredicateLexer(bytes, PredicateArguments(arguments), isExpression: isExpression)
  }

  /// Parses a predicate.
  static func predicate(
    _ bytes: [UInt8], _ arguments: [PredicateArguments.Argument] = []
  ) throws(KVError) -> PredicateNode {
    var parser = try PredicateParser(bytes, arguments, isExpression: false)
    let parsed = try parser.parse(0, level: 0)
    let node = try parser.predicate(parsed).0
    guard case .end = parser.lexer.token else { throw parser.lexer.fault("expected AND, OR or the end") }
    // It would be true or false for all values: a text was meant as a key (FLT.12).
    if case .comparison(let comparison) = node, comparison.operator.isSign, case .constant = comparison.left,
      case .constant = comparison.right,
      arguments.contains(where: { argument in
        if case .value(let value) = argument { value is String || value is KVKeyPath } else { false }
      })
    {
      throw parser.lexer.fault(
        "expected a key on one side",
        hint: " What %@ and \\(…) insert is a value, and never a key: write %K or \\(key: …) for that.")
    }
    return node
  }

  /// Parses an expression.
  static func expression(
    _ bytes: [UInt8], _ arguments: [PredicateArguments.Argument] = []
  ) throws(KVError) -> ExpressionNode {
    var parser = try PredicateParser(bytes, arguments, isExpression: true)
    let node = try parser.expression(level: 0).0
    guard case .end = parser.lexer.token else {
      throw parser.lexer.fault("expected an operator or the end", hint: parser.wordHint ?? "")
    }
    return node
  }

  // MARK: Tokens

  func isSign(_ sign: String) -> Bool { if case .sign(sign) = lexer.token { true } else { false } }

  /// Whether the token is a keyword.
  func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = lexer.token {
      word.utf8.count == keyword.utf8.count && PredicateLexer.keyword(word) == keyword
    } else {
      false
    }
  }

  /// Reads a sign.
  mutating func expect(_ sign: String) throws(KVError) {
    guard isSign(sign) else { throw lexer.fault("expected \"\(sign)\"", hint: wordHint ?? "") }
    try lexer.advance()
  }

  // MARK: Operands

  /// Returns a predicate and its depth.
  func predicate(_ parsed: Parsed) throws(KVError) -> (PredicateNode, Int) {
    guard case .predicate(let node) = parsed.item else { throw operatorFault }
    return (node, parsed.depth)
  }

  /// The error of a token that stands where the operator of a comparison is expected.
  private var operatorFault: KVError {
    lexer.fault(
      "expected an operator such as == or CONTAINS",
      hint: wordHint ?? " A condition is a comparison, as in x == TRUE.")
  }

  /// The text to write instead of the token, if the token is a word that other languages have between operands.
  var wordHint: String? {
    if isWord("IS") { return " Write x == NULL or x != NULL." }
    guard isWord("NOT") || isSign("!") else { return nil }
    return " NOT stands before a comparison, as in NOT x IN {1, 2}; unequal is x != 1."
  }

  /// Parses a predicate, as an argument.
  mutating func predicate(level: Int) throws(KVError) -> (PredicateNode, Int) {
    try predicate(try parse(0, level: level))
  }

  /// Parses an expression.
  mutating func expression(level: Int, _ precedence: Int = Precedence.sum) throws(KVError) -> (ExpressionNode, Int) {
    let start = lexer
    guard case let parsed = try parse(precedence, level: level), case .expression(let node) = parsed.item else {
      throw start.fault("expected an expression and no predicate")
    }
    return (node, parsed.depth)
  }

  /// Returns the depth of a node over parts.
  func depth(_ parts: Int...) throws(KVError) -> Int {
    let depth = (parts.max() ?? 0) + 1
    if depth > Limits.nesting { throw tooDeep(.limit(Limits.nesting)) }
    return depth
  }

  private func tooDeep(_ nesting: NestingFault) -> KVError {
    let fault = lexer.fault("expected less nesting")
    return KVError(
      .limitExceeded,
      "the predicate \(KeyPathParser.excerpt(fault.keyPath ?? "")) is \(nesting.nested)\(nesting.cure()).",
      keyPath: fault.keyPath, offset: fault.offset)
  }

  // MARK: Precedence

  /// Parses operands and the operators between them that bind at least as close as a precedence.
  mutating func parse(_ minimum: Int, level: Int) throws(KVError) -> Parsed {
    if let fault = NestingFault.entering(level - 1) { throw tooDeep(fault) }
    var left = try parseOperand(level: level)
    while let infix = infix(), infix.precedence >= minimum {
      switch infix {
      case .or: left = try parseList(left, isAnd: false, level: level)
      case .and: left = try parseList(left, isAnd: true, level: level)
      case .comparison:
        guard case .expression(let node) = left.item else { throw lexer.fault("expected AND, OR or the end") }
        left = try parseComparison(node, left.depth, nil, level: level)
      case .arithmetic(let function, let precedence):
        guard case .expression(let node) = left.item else { throw lexer.fault("expected AND, OR or the end") }
        try lexer.advance()
        let next = precedence == Precedence.power ? precedence : precedence + 1
        let (right, rightDepth) = try expression(level: precedence == Precedence.power ? level + 1 : level, next)
        left = Parsed(.function(function, [node, right]), try depth(left.depth, rightDepth))
      }
    }
    return left
  }

  /// Returns the operator that the token is.
  func infix() -> Infix? {
    switch lexer.token {
    case .sign(let sign):
      switch sign {
      case "&&": return .and
      case "||": return .or
      case "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", ":=": return .comparison
      default:
        return PredicateFunctions.signs[sign].map { .arithmetic(function: $0.function, precedence: $0.precedence) }
      }
    case .word(let word):
      switch PredicateLexer.keyword(word) {
      case "AND": return .and
      case "OR": return .or
      case "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN", "BETWEEN", "UTI": return .comparison
      default: return nil
      }
    case .end, .number, .text, .value, .keyPath: return nil
    }
  }

  /// Parses the rest of a conjunction or disjunction.
  private mutating func parseList(_ first: Parsed, isAnd: Bool, level: Int) throws(KVError) -> Parsed {
    var (node, depth) = try predicate(first)
    var nodes = [node]
    while let infix = infix(), infix.precedence == (isAnd ? Precedence.and : Precedence.or) {
      try lexer.advance()
      let parsed = try parse(infix.precedence + 1, level: level)
      let part = try predicate(parsed)
      nodes.append(part.0)
      depth = max(depth, part.1)
    }
    node = isAnd ? .all(nodes) : .any(nodes)
    return Parsed(node, try self.depth(depth))
  }

  /// Parses the operator and the right side of a comparison.
  mutating func parseComparison(
    _ left: ExpressionNode, _ leftDepth: Int, _ quantifier: PredicateComparison.Quantifier?, level: Int
  ) throws(KVError) -> Parsed {
    let `operator` = try parseOperator()
    let options = try parseOptions()
    let start = lexer
    let (right, rightDepth) = try expression(level: level)
    let comparison = PredicateComparison(
      quantifier: quantifier, left: left, operator: `operator`, options: options, right: right)
    try Self.check(comparison, start)
    return Parsed(.comparison(comparison), try depth(leftDepth, rightDepth))
  }

  private mutating func parseOperator() throws(KVError) -> PredicateComparison.Operator {
    let found: PredicateComparison.Operator?
    switch lexer.token {
    case .sign("="), .sign("=="): found = .equal
    case .sign("!="), .sign("<>"): found = .notEqual
    case .sign("<="), .sign("=<"): found = .lessOrEqual
    case .sign(">="), .sign("=>"): found = .greaterOrEqual
    case .sign("<"): found = .less
    case .sign(">"): found = .greater
    case .sign(":="):
      throw lexer.unsupported(":=", "a predicate sets no variables; pass them to evaluate(with:variables:)")
    case .word(let word) where PredicateLexer.keyword(word) == "UTI":
      throw lexer.unsupported("an operator of uniform types (UTI-…)", "there is no registry of them")
    case .word(let word): found = PredicateComparison.Operator(rawValue: PredicateLexer.keyword(word))
    case .end, .sign, .number, .text, .value, .keyPath: found = nil
    }
    guard let found else { throw operatorFault }
    try lexer.advance()
    return found
  }

  private mutating func parseOptions() throws(KVError) -> KVTextOptions {
    guard isSign("[") else { return [] }
    try lexer.advance()
    guard case .word(let letters) = lexer.token else { throw lexer.fault("expected the options c, d or cd") }
    var options: KVTextOptions = []
    for letter in letters {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      default: throw lexer.unsupported("the option \(letter)", "the options are c (no case) and d (no diacritics)")
      }
    }
    try lexer.advance()
    try expect("]")
    return options
  }

  /// Throws if the right side cannot be what the operator needs.
  private static func check(_ comparison: PredicateComparison, _ start: PredicateLexer) throws(KVError) {
    let count: Int
    switch (comparison.operator, comparison.right) {
    case (.matches, .constant(let pattern as String)):
      guard let reason = try TextPattern.fault(ofRegex: pattern) else { return }
      throw start.fault("expected a regular expression: \(reason)")
    case (.between, .constant(let bound?)) where bound is any NumericValue || bound is String: count = 1
    case (.between, .list(let nodes)): count = nodes.count
    case (.between, .constant(let constant as [(any Sendable)?])): count = constant.count
    default: return
    }
    if count != 2 { throw start.fault("expected two bounds after BETWEEN, {least, greatest}") }
  }
}
