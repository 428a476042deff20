/// The names of a type's properties that a piece of its code mentions, unqualified or after `self`.
///
/// A name that a local declaration shadows is not mentioned: one of a variable, a parameter, a capture, a pattern or a
/// nested function. Where the rules of the language need types to decide (a dictionary's key or a label), the name
/// counts: one affecting key too many notifies once too often, and one too few is silence.
package struct Mentions {
  let tokens: TokenList
  let scanner: DeclarationScanner
  /// The names to look for; nil for all.
  private let candidates: Set<String>?
  private var scopes = ScopeStack()
  private var found: [Mention] = []
  /// Where the value of the last variable ends, and how many brackets are open there.
  private var lastValue = (end: 0, depth: 0)
  /// Names that are declared from a token on.
  private var declarations: [Int: [String]] = [:]

  /// A mention of a property.
  package struct Mention: Equatable, Sendable {
    package let name: String
    /// The index of its token.
    package let token: Int
    /// Whether the name is declared where it is read: `[items]` of a closure, `if let items`.
    package let isShorthand: Bool
    /// Whether it is in a closure or a nested function.
    package let isInClosure: Bool
  }

  /// Returns the mentions of some names in a range of tokens, in their order.
  ///
  /// - Parameters:
  ///   - candidates: The names; nil for all names that can be those of properties: neither words of the language nor
  ///     types nor what is called.
  ///   - range: The indexes of the tokens.
  ///   - tokens: The tokens of the source.
  /// - Complexity: O(*n*) in the number of tokens.
  package static func of(_ candidates: Set<String>?, in range: Range<Int>, of tokens: TokenList) -> [Mention] {
    var mentions = Mentions(tokens: tokens, candidates: candidates)
    mentions.read(range)
    return mentions.found
  }

  private init(tokens: TokenList, candidates: Set<String>?) {
    self.tokens = tokens
    self.candidates = candidates
    scanner = DeclarationScanner(tokens)
  }

  private mutating func read(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if let names = declarations.removeValue(forKey: index) { scopes.declare(names) }
      switch tokens.kind(index) {
      case .identifier: index = readName(at: index, before: range.upperBound)
      case .punctuation: index = readPunctuation(at: index, before: range.upperBound)
      default: index += 1
      }
    }
  }

  // MARK: Brackets

  private mutating func readPunctuation(at index: Int, before end: Int) -> Int {
    switch tokens[index] {
    case "{":
      let isBlock = scopes.opensBlock
      scopes.openBrace()
      return isBlock ? index + 1 : readSignature(at: index + 1, before: end)
    case "(": scopes.openBracket(isParenthesis: true)
    case "[": scopes.openBracket(isParenthesis: false)
    case "}", ")", "]": scopes.close()
    case ",": scopes.endCondition()
    case ":": scopes.endCase()
    default: break
    }
    return index + 1
  }

  /// Reads the captures and parameters of a closure, if it has any.
  private mutating func readSignature(at start: Int, before end: Int) -> Int {
    var index = start
    var names: [String] = []
    while tokens.isPunctuation(index, "@") { index = scanner.prefix(at: index, before: end).end }
    let captures = index
    if tokens.isPunctuation(index, "[") { index = tokens.end(ofBracketAt: index, before: end) }
    let capturesEnd = index
    if tokens.isPunctuation(index, "(") {
      let close = tokens.end(ofBracketAt: index, before: end)
      names += parameters(in: index + 1..<max(index + 1, close - 1))
      index = close
    } else {
      while tokens.kind(index) == .identifier, !isWord(index, ["async", "in", "throws"]) {
        names.append(name(index))
        index += 1
        guard tokens.isPunctuation(index, ",") else { break }
        index += 1
      }
    }
    index = signatureEnd(from: index, before: end)
    guard index < end, tokens.isWord(index, "in") else { return start }
    // `[items]` and `[x = items]` read the property outside of the closure; the names hold in it.
    for capture in tokens.split(captures + 1..<max(captures + 1, capturesEnd - 1), by: ",") {
      let equals = capture.first { tokens.isOperator($0, "=") }
      let declared = (equals ?? capture.upperBound) - 1
      names.append(name(declared))
      for read in (equals ?? declared)..<capture.upperBound where tokens.kind(read) == .identifier {
        addMention(at: read, isShorthand: equals == nil, closures: scopes.closureDepth - 1)
      }
    }
    scopes.declare(names)
    return index + 1
  }

  /// Returns the index behind the effects and the result of a closure's signature.
  private func signatureEnd(from start: Int, before end: Int) -> Int {
    var index = start
    while index < end, isWord(index, ["async", "throws"]) {
      index += 1
      if tokens.isPunctuation(index, "(") { index = tokens.end(ofBracketAt: index, before: end) }
    }
    return tokens.isOperator(index, "->") ? scanner.typeEnd(at: index + 1, before: end) : index
  }

  // MARK: Names

  func name(_ index: Int) -> String { scanner.unquoted(tokens[index]) }

  func isWord(_ index: Int, _ words: Set<Substring>) -> Bool {
    tokens.kind(index) == .identifier && words.contains(tokens[index])
  }

  /// Whether a name is a member of something written before it.
  func isMember(_ index: Int) -> Bool { index > 0 && tokens.isPunctuation(index - 1, ".") }

  /// Whether a name stands after `self.`, `self?.`, `self!.` or `super.`.
  private func isMemberOfSelf(_ index: Int) -> Bool {
    guard isMember(index), index >= 2 else { return false }
    let isOptional = tokens.isOperator(index - 2, "?") || tokens.isOperator(index - 2, "!")
    let base = isOptional ? index - 3 : index - 2
    return base >= 0 && isWord(base, ["self", "super"]) && !isMember(base)
  }

  /// Whether a name is the label of an argument: `price(of: item)`.
  private func isLabel(_ index: Int) -> Bool {
    tokens.isPunctuation(index + 1, ":") && index > 0 && scopes.isInParentheses
      && (tokens.isPunctuation(index - 1, "(") || tokens.isPunctuation(index - 1, ","))
  }

  private mutating func addMention(at index: Int, isShorthand: Bool = false, closures: Int? = nil) {
    let name = name(index)
    guard candidates?.contains(name) ?? mayBeProperty(index) else { return }
    let isOwn =
      isMember(index)
      ? isMemberOfSelf(index)
      : !isLabel(index) && !scopes.declares(name) && !Keywords.reserved.contains(tokens[index])
    guard isOwn else { return }
    found.append(
      Mention(
        name: name, token: index, isShorthand: isShorthand, isInClosure: (closures ?? scopes.closureDepth) > 0))
  }

  /// Whether a name can be that of a property: neither a word of the language nor a type nor what is called.
  private func mayBeProperty(_ index: Int) -> Bool {
    guard let first = tokens[index].first, first.isLowercase || first == "_" || first == "`" else { return false }
    let isCalled = tokens.isPunctuation(index + 1, "(") && !tokens.tokens[index + 1].followsSpace
    return !isCalled && !Keywords.reserved.contains(tokens[index])
  }

  private mutating func readName(at index: Int, before end: Int) -> Int {
    guard !isMember(index) else {
      addMention(at: index)
      return index + 1
    }
    switch tokens[index] {
    case "let", "var": return readBinding(at: index, before: end)
    // The `while` of a `repeat` has no block.
    case "while" where tokens.isPunctuation(index - 1, "}") && !tokens.tokens[index].isFirstOnLine: break
    case "if", "while", "switch": scopes.beginCondition()
    case "guard": scopes.beginCondition(isGuard: true)
    // The `else` of a guard ends its condition; that of an `if` begins a block.
    case "else": if scopes.isInCondition { scopes.endCondition() } else { scopes.beginCondition() }
    case "for": return readLoop(at: index, before: end)
    case "catch":
      scopes.beginCondition()
      scopes.declareInBlock(["error"])
    case "do", "repeat", "defer": scopes.beginCondition()
    case "case": return readCase(at: index, before: end)
    case "default" where tokens.isPunctuation(index + 1, ":"): scopes.beginCase()
    case "func": return readFunction(at: index, before: end)
    case "struct", "class", "enum", "actor": return typeBodyEnd(from: index, before: end)
    default: addMention(at: index)
    }
    return index + 1
  }

  /// Reads the pattern of a variable, whose names hold behind its initial value or condition.
  private mutating func readBinding(at start: Int, before end: Int) -> Int {
    var index = start + 1
    let names: [String]
    if scopes.isInCase || tokens.isPunctuation(index, "(") {
      let patternEnd = self.patternEnd(at: index, before: end)
      names = patternNames(in: index..<patternEnd)
      index = patternEnd
    } else {
      guard tokens.kind(index) == .identifier else { return index }
      names = [name(index)]
      // `if let items` reads the property.
      if scopes.isInCondition, isShorthand(index) { addMention(at: index, isShorthand: true) }
      index += 1
    }
    if scopes.isInCase {
      scopes.declare(names)
    } else if scopes.isInCondition {
      scopes.declareInCondition(names)
    } else {
      let typeStart = index
      if tokens.isPunctuation(index, ":") { index = scanner.typeEnd(at: index + 1, before: end) }
      let valueEnd = tokens.isOperator(index, "=") ? self.valueEnd(at: index + 1, before: end) : typeStart
      // A variable is not read before its value is: `let items = items` mentions the property.
      if valueEnd > index { declarations[valueEnd, default: []] += names } else { scopes.declare(names) }
    }
    return index
  }

  /// Returns the index behind the value of a variable; what is no Swift may have variables in values of variables.
  private mutating func valueEnd(at start: Int, before end: Int) -> Int {
    if start >= lastValue.end || lastValue.depth != scopes.depth {
      lastValue = (scanner.expressionEnd(at: start, before: end), scopes.depth)
    }
    return lastValue.end
  }

  /// Reads the word of a case, and the pattern if it is that of a condition.
  private mutating func readCase(at start: Int, before end: Int) -> Int {
    guard scopes.isInCondition else {
      scopes.beginCase()
      return start + 1
    }
    let patternEnd = patternEnd(at: start + 1, before: end)
    let pattern = start + 1..<max(start + 1, patternEnd)
    guard let first = pattern.first(where: { isWord($0, ["let", "var"]) }) else { return start + 1 }
    scopes.declareInCondition(patternNames(in: first..<pattern.upperBound))
    return pattern.upperBound
  }

  /// Reads the pattern of a loop, whose names hold in its block.
  private mutating func readLoop(at start: Int, before end: Int) -> Int {
    scopes.beginCondition()
    var index = start + 1
    while isWord(index, ["try", "await", "case", "let", "var"]) { index += 1 }
    let patternEnd = patternEnd(at: index, before: end)
    scopes.declareInBlock(patternNames(in: index..<patternEnd))
    return max(patternEnd, start + 1)
  }

  private mutating func readFunction(at start: Int, before end: Int) -> Int {
    scopes.declare([name(start + 1)])
    scopes.beginCondition(isFunction: true)
    var index = start + 2
    if tokens.kind(index) == .operator, let close = scanner.genericEnd(at: index, before: end) { index = close }
    guard tokens.isPunctuation(index, "("), index < end else { return min(index, end) }
    let close = tokens.end(ofBracketAt: index, before: end)
    scopes.declareInBlock(parameters(in: index + 1..<max(index + 1, close - 1)))
    return close
  }

  private func typeBodyEnd(from start: Int, before end: Int) -> Int {
    // A word such as `actor` may be a name.
    guard tokens.kind(start + 1) == .identifier, !tokens.tokens[start + 1].isFirstOnLine else { return start + 1 }
    var index = start + 1
    while index < end, !tokens.isPunctuation(index, "{") { index += 1 }
    return index < end ? tokens.end(ofBracketAt: index, before: end) : end
  }
}
