/// The brackets that are open at a token, with the names that are declared in them.
struct ScopeStack {
  private struct Scope {
    /// The index of the scope itself if it is in braces, or of the one around it that is.
    let brace: Int
    let isBrace: Bool
    var isParenthesis = false
    /// Whether the braces are those of a closure or a function.
    var isClosure = false
    var names: [String] = []
    /// The names that the patterns of a `case` have declared, which hold up to the next one.
    var caseNames: [String] = []
    var condition: Condition?
    var isInCase = false
    /// The names that hold behind the braces of a `guard`.
    var namesAfterGuard: [String] = []
  }

  /// The condition between a word such as `if` and its braces.
  private struct Condition {
    let isGuard: Bool
    /// Whether the block is that of a nested function.
    let isFunction: Bool
    /// The names of the binding that is being read: its value does not see them.
    var bound: [String] = []
    /// The names that hold in the rest of the condition, and in its block.
    var names: [String] = []
    /// The names that hold in the block only.
    var blockNames: [String] = []
  }

  private var scopes = [Scope(brace: 0, isBrace: true)]
  /// How many scopes declare a name.
  private var counts: [String: Int] = [:]

  private var top: Scope {
    get { scopes[scopes.count - 1] }
    set { scopes[scopes.count - 1] = newValue }
    _modify { yield &scopes[scopes.count - 1] }
  }

  /// How many closures and nested functions are open.
  private(set) var closureDepth = 0

  /// How many brackets are open.
  var depth: Int { scopes.count }

  func declares(_ name: String) -> Bool { counts[name, default: 0] > 0 }

  /// Whether a brace begins the block of a condition, a loop or a function, rather than a closure.
  var opensBlock: Bool { top.condition != nil }
  var isInCondition: Bool { top.condition != nil }
  /// Whether the pattern of a `case` is being read.
  var isInCase: Bool { top.isInCase }
  var isInParentheses: Bool { top.isParenthesis }

  private mutating func count(_ names: [String], _ change: Int) {
    for name in names { counts[name, default: 0] += change }
  }

  mutating func declare(_ names: [String]) {
    count(names, 1)
    if isInCase { scopes[top.brace].caseNames += names } else { top.names += names }
  }

  mutating func declareInCondition(_ names: [String]) { top.condition?.bound += names }
  mutating func declareInBlock(_ names: [String]) { top.condition?.blockNames += names }

  mutating func beginCondition(isGuard: Bool = false, isFunction: Bool = false) {
    top.condition = Condition(isGuard: isGuard, isFunction: isFunction)
  }

  /// Ends one part of a condition: its names hold from here on.
  mutating func endCondition() {
    guard let bound = top.condition?.bound, !bound.isEmpty else { return }
    count(bound, 1)
    top.condition?.names += bound
    top.condition?.bound = []
  }

  mutating func beginCase() {
    count(top.caseNames, -1)
    top.caseNames = []
    top.isInCase = true
  }

  /// Ends the pattern of a `case` at its colon.
  mutating func endCase() { top.isInCase = false }

  mutating func openBracket(isParenthesis: Bool) {
    let isInCase = top.isInCase
    scopes.append(Scope(brace: top.brace, isBrace: false, isParenthesis: isParenthesis))
    top.isInCase = isInCase
  }

  mutating func openBrace() {
    endCondition()
    let brace = scopes.count
    guard let condition = top.condition else {
      closureDepth += 1
      return scopes.append(Scope(brace: brace, isBrace: true, isClosure: true))
    }
    top.condition = nil
    if condition.isFunction { closureDepth += 1 }
    if condition.isGuard {
      // The block of a guard does not see the names; what follows it does.
      count(condition.names, -1)
      top.namesAfterGuard = condition.names
      scopes.append(Scope(brace: brace, isBrace: true))
    } else {
      count(condition.blockNames, 1)
      let names = condition.names + condition.blockNames
      scopes.append(Scope(brace: brace, isBrace: true, isClosure: condition.isFunction, names: names))
    }
  }

  mutating func close() {
    guard scopes.count > 1, let closed = scopes.popLast() else { return }
    if closed.isClosure { closureDepth -= 1 }
    count(closed.names + closed.caseNames, -1)
    if let condition = closed.condition { count(condition.names, -1) }
    guard closed.isBrace, !top.namesAfterGuard.isEmpty else { return }
    declare(top.namesAfterGuard)
    top.namesAfterGuard = []
  }
}
