import KVCore

/// Makes a program of a syntax tree.
enum PredicateCompiler {
  /// Returns the program of a predicate.
  ///
  /// - Throws: ``KVError``: `limitExceeded` for a tree that is too deep, which operators can make; `invalidPredicate` for
  ///   a malformed regular expression or an unknown function.
  static func program(_ node: PredicateNode, depth: Int = 1) throws(KVError) -> PredicateProgram {
    let program = try unguarded(node, try deeper(depth))
    return isGuarded(depth) ? GuardedTest(program) : program
  }

  private static func unguarded(_ node: PredicateNode, _ depth: Int) throws(KVError) -> PredicateProgram {
    switch node {
    case .constant(let value): return ConstantTest(value)
    case .not(let inner): return NotTest(try program(inner, depth: depth))
    case .and(let nodes): return ListTest(try programs(nodes, depth), decisive: false)
    case .or(let nodes): return ListTest(try programs(nodes, depth), decisive: true)
    case .closure(let closure):
      if let fault = closure.fault { throw tooDeep(fault) }
      return ClosureTest(closure)
    case .comparison(let comparison):
      let matcher = try Matcher(comparison)
      let left = try program(comparison.left, depth: depth)
      let right =
        if case .keyPath(let path) = comparison.right, comparison.operator != .isIn, comparison.operator != .between {
          PathProgram(path, mayBeText: true)
        } else {
          try program(comparison.right, depth: depth)
        }
      if comparison.quantifier != nil { return QuantifiedTest(comparison, left, right, matcher) }
      if case .keyPath(let path) = comparison.left, case .constant(let constant as Int) = comparison.right {
        return IntegerTest(path, constant, matcher)
      }
      let test = ComparisonTest(left, right, matcher)
      if case .keyPath(let path) = comparison.left, let pattern = matcher.constantPattern {
        return TextTest(path, pattern, general: test)
      }
      return test
    }
  }

  private static func programs(_ nodes: [PredicateNode], _ depth: Int) throws(KVError) -> [PredicateProgram] {
    var result: [PredicateProgram] = []
    for node in nodes { result.append(try program(node, depth: depth)) }
    return result
  }

  /// Returns the program of an expression.
  static func program(_ node: ExpressionNode, depth: Int) throws(KVError) -> ExpressionProgram {
    let program = try unguarded(node, try deeper(depth))
    return isGuarded(depth) ? GuardedProgram(program) : program
  }

  private static func unguarded(_ node: ExpressionNode, _ depth: Int) throws(KVError) -> ExpressionProgram {
    switch node {
    case .constant(let constant): return ConstantProgram(constant)
    case .subject: return SubjectProgram()
    case .keyPath(let path): return PathProgram(path)
    case .variable(let name): return VariableProgram(name)
    case .path(let base, let path): return try continued(try program(base, depth: depth), path)
    case .element(let base, let index):
      switch index {
      case .first: return ElementProgram(try program(base, depth: depth), .first)
      case .last: return ElementProgram(try program(base, depth: depth), .last)
      case .size: return ElementProgram(try program(base, depth: depth), .size)
      case .at(let index, let policy):
        let index = try program(index, depth: depth)
        let whole = try program(base, depth: depth)
        let element = ElementProgram(whole, .at(index, policy))
        if base.endsInOperator { return element }
        return SubscriptProgram(whole, [.computed(index)], otherwise: element) ?? element
      }
    case .list(let nodes): return ListProgram(try programs(nodes, depth))
    case .function(let name, let arguments):
      guard let function = PredicateFunctions.function(name) else {
        throw KVError(.invalidPredicate, "there is no function \(name): it was unregistered.", component: name)
      }
      let limited = name == "mode" ? PredicateFunctions.mode(by: node.policy) : function
      return FunctionProgram(limited, try programs(arguments, depth))
    case .subquery(let collection, let variable, let predicate):
      return SubqueryProgram(
        try program(collection, depth: depth), variable, try program(predicate, depth: depth), node.policy)
    case .cast(let inner, let type): return CastProgram(try program(inner, depth: depth), type)
    case .ternary(let condition, let first, let second):
      return TernaryProgram(
        try program(condition, depth: depth), try program(first, depth: depth), try program(second, depth: depth))
    }
  }

  /// Returns the program of a path from the value of another one.
  ///
  /// Brackets at its beginning belong to the key before them, as those with a computed index do (KVC.5).
  private static func continued(
    _ base: ExpressionProgram, _ path: KVKeyPath
  ) throws(KVError) -> ExpressionProgram {
    let brackets = path.components.prefix { !$0.takesDot }
    guard !brackets.isEmpty, base.unguarded is SubscriptProgram else { return ContinuedProgram(base, path) }
    let whole = ContinuedProgram(base, try path.part(Array(brackets)))
    let program = SubscriptProgram(base, brackets.map { .constant($0) }, otherwise: whole) ?? whole
    if brackets.count == path.count { return program }
    return ContinuedProgram(program, try path.part(Array(path.components.dropFirst(brackets.count))))
  }

  private static func programs(_ nodes: [ExpressionNode], _ depth: Int) throws(KVError) -> [ExpressionProgram] {
    var result: [ExpressionProgram] = []
    for node in nodes { result.append(try program(node, depth: depth)) }
    return result
  }

  /// Returns the depth of the parts of a node.
  private static func deeper(_ depth: Int) throws(KVError) -> Int {
    if let fault = NestingFault.entering(depth - 2) { throw tooDeep(fault) }
    return depth + 1
  }

  /// Whether the program of a node asks for room on the stack: its reserve is enough for the levels between two questions.
  private static func isGuarded(_ depth: Int) -> Bool { depth.isMultiple(of: 16) }

  /// Throws if the stack has no room for the next levels of a program (FLT.14).
  static func checkStack() throws(KVError) { if !StackSpace.hasRoom() { throw tooDeep(.stack) } }

  static func tooDeep(_ fault: NestingFault) -> KVError {
    KVError(.limitExceeded, "the predicate is \(fault.nested)\(fault.cure()).")
  }
}
