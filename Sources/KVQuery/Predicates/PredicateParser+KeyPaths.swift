import KVCore

extension PredicateParser {
  /// Parses a key path that begins with a key or an operator.
  mutating func parseKeyPath(level: Int) throws(KVError) -> Parsed {
    let start = lexer
    var components = [try parseComponent()]
    try parseComponents(&components)
    let path = try Self.placing(at: start) { () throws(KVError) in try Self.path(components) }
    return try parsePostfix(.keyPath(path), 1, level: level)
  }

  /// Parses what follows an expression: `.key`, `.@operator`, `[0]`, `["key"]`, `[FIRST]`, `[index]`.
  mutating func parsePostfix(_ node: ExpressionNode, _ depth: Int, level: Int) throws(KVError) -> Parsed {
    var (node, depth) = (node, depth)
    while isSign(".") || isSign("[") {
      let start = lexer
      var components: [KVKeyPath.Component] = []
      try parseComponents(&components)
      if !components.isEmpty {
        let path = try Self.placing(at: start) { () throws(KVError) in try Self.path(components) }
        node = try Self.placing(at: start) { () throws(KVError) in try .appending(path, to: node) }
      }
      guard isSign("[") else { break }
      try lexer.advance()
      let index = try parseIndex(&depth, level: level)
      try expect("]")
      depth = try self.depth(depth)
      if case .at(let index, _) = index {
        node = try Self.placing(at: start) { () throws(KVError) in try .element(of: node, at: index) }
      } else {
        node = .element(node, index)
      }
    }
    return Parsed(node, depth)
  }

  /// Returns what a function makes; an error about a key path becomes one about the format, with the place of a token.
  private static func placing<Result>(
    at start: PredicateLexer, _ body: () throws(KVError) -> Result
  ) throws(KVError) -> Result {
    do throws(KVError) { return try body() } catch {
      throw start.fault("expected a key path", hint: " \(error.message)")
    }
  }

  private static func path(_ components: [KVKeyPath.Component]) throws(KVError) -> KVKeyPath {
    if components.count == 1, case .key(let key) = components[0] { return try KVKeyPath(key) }
    return try KVKeyPath(components: components)
  }

  /// Parses components, up to brackets with another index than a number or a text.
  private mutating func parseComponents(_ components: inout [KVKeyPath.Component]) throws(KVError) {
    while components.count <= KVKeyPath.maximumCount {
      if isSign(".") {
        let start = lexer
        try lexer.advanceToKey()
        let component = try parseComponent()
        // Brackets behind an operator would be its argument: what it yields is the base of another path.
        if case .operator(_, nil)? = components.last, !component.takesDot {
          lexer = start
          return
        }
        components.append(component)
      } else if isSign("["), let subscripted = try parseSubscript() {
        components.append(subscripted)
      } else {
        return
      }
    }
  }

  /// Parses a key or an operator with its argument.
  private mutating func parseComponent() throws(KVError) -> KVKeyPath.Component {
    switch lexer.token {
    case .word(let word) where !word.utf8.contains(UInt8(ascii: ":")):
      try lexer.advance()
      return .key(word)
    case .keyPath(let path) where path.count == 1:
      try lexer.advance()
      return path.first
    case .sign("#"):
      try lexer.advance()
      switch lexer.token {
      case .word(let key), .text(let key):
        if key.isEmpty { try Self.placing(at: lexer) { () throws(KVError) in try KeyPathParser.checkKey(key) } }
        try lexer.advance()
        return (try? KeyPathParser.checkKey(key)) == nil ? .entry(key) : .key(key)
      default: throw lexer.fault("expected a key after #")
      }
    case .sign("@"):
      try lexer.advance()
      let name: String
      switch lexer.token {
      case .word(let word): name = word
      case .text(let text) where !text.isEmpty: name = text
      default: throw lexer.fault("expected the name of an operator after @")
      }
      try lexer.advance()
      return .operator(name, argument: try parseArgument())
    default: throw lexer.fault("expected a key")
    }
  }

  /// Parses the argument of an operator, if there is one.
  private mutating func parseArgument() throws(KVError) -> String? {
    guard isSign("[") else { return nil }
    try lexer.advance()
    let argument: String
    switch lexer.token {
    case .word(let text), .text(let text): argument = text
    case .number(let number): argument = "\(number)"
    default: throw lexer.fault("expected the argument of the operator")
    }
    try lexer.advance()
    try expect("]")
    return argument
  }

  /// Parses `[0]` or `["key"]`; nil, with nothing read, for other brackets.
  private mutating func parseSubscript() throws(KVError) -> KVKeyPath.Component? {
    let start = lexer
    try lexer.advance()
    let component: KVKeyPath.Component
    switch lexer.token {
    case .number(let index as Int): component = .index(index)
    case .text(let text): component = .entry(text)
    default:
      lexer = start
      return nil
    }
    try lexer.advance()
    guard isSign("]") else {
      lexer = start
      return nil
    }
    try lexer.advance()
    return component
  }

  /// Parses an index that is no number.
  private mutating func parseIndex(
    _ depth: inout Int, level: Int
  ) throws(KVError) -> ExpressionNode.ElementIndex {
    if case .word(let word) = lexer.token {
      let start = lexer
      try lexer.advance()
      if isSign("]") {
        switch PredicateLexer.keyword(word) {
        case "FIRST": return .first
        case "LAST": return .last
        case "SIZE": return .size
        default: break
        }
      }
      lexer = start
    }
    let (node, nodeDepth) = try expression(level: level + 1)
    depth = max(depth, nodeDepth)
    return .at(node)
  }
}
