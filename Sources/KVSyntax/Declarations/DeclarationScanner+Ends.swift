/// Where types and expressions end, by the rules of the language's own parser.
extension DeclarationScanner {
  /// Returns the index behind a type.
  func typeEnd(at start: Int, before end: Int) -> Int {
    var index = start
    /// Whether the type could end here.
    var isComplete = false
    while index < end {
      let token = tokens.tokens[index]
      switch token.kind {
      case .identifier:
        if Self.effects.contains(tokens[index]) {
          isComplete = false
        } else if isComplete {
          return index
        } else {
          isComplete = !Self.typeModifiers.contains(tokens[index])
        }
        index += 1
      case .operator:
        guard let close = typeOperatorEnd(at: index, before: end, isComplete: &isComplete) else { return index }
        index = close
      case .punctuation:
        switch tokens[index] {
        case "(", "[":
          // `throws(Error)` is the only type with parentheses behind a word.
          if isComplete { return index }
          isComplete = !tokens.isWord(index - 1, "throws")
          index = tokens.end(ofBracketAt: index, before: end)
        case ".":
          isComplete = false
          index += 1
        case "@" where !isComplete:
          index = prefix(at: index, before: end).end
        default: return index
        }
      default: return index
      }
    }
    return end
  }

  private static let effects: Set<Substring> = ["async", "rethrows", "throws"]
  private static let typeModifiers: Set<Substring> = [
    "__owned", "__shared", "any", "borrowing", "consuming", "each", "inout", "isolated", "nonisolated", "repeat",
    "sending", "some",
  ]

  /// Returns the index behind an operator of a type; nil if the type ends before it.
  private func typeOperatorEnd(at index: Int, before end: Int, isComplete: inout Bool) -> Int? {
    guard let first = tokens[index].first else { return nil }
    switch first {
    case "<":
      guard isComplete, let close = genericEnd(at: index, before: end) else { return nil }
      return close
    case "?", "!":
      return isComplete && !tokens.tokens[index].followsSpace ? index + 1 : nil
    case "-", "&", "~":
      guard first != "-" || tokens[index] == "->" else { return nil }
      isComplete = false
      return index + 1
    default: return nil
    }
  }

  /// Returns the index behind the angle brackets that open at an index; nil if they are operators.
  ///
  /// They are given up at the first token that no type has, and after as many tokens as no type has, so that a source
  /// with angle brackets that nothing closes takes linear time.
  func genericEnd(at start: Int, before end: Int) -> Int? {
    var depth = 0
    var index = start
    while index < end, index < start + 400 {
      switch tokens.kind(index) {
      case .operator:
        guard let after = angleDepth(depth, after: index) else { return nil }
        depth = after
        index += 1
        if depth <= 0 { return index }
      case .identifier, .number: index += 1
      case .punctuation:
        guard let first = tokens[index].first, ",.:@([".contains(first) else { return nil }
        index = next(index, before: end)
      default: return nil
      }
    }
    return nil
  }

  /// Returns the depth of angle brackets behind an operator; nil if no type has such an operator.
  private func angleDepth(_ depth: Int, after index: Int) -> Int? {
    var depth = depth
    var last: Character = " "
    for character in tokens[index] {
      switch character {
      case "<": depth += 1
      case ">" where last != "-": depth -= 1
      case ">", "-", "?", "!", "&", "~", "=": break
      default: return nil
      }
      last = character
    }
    return depth
  }

  /// Returns the index behind an expression that initializes a property: at a comma, at a semicolon, at the braces of
  /// accessors, or where the next member begins.
  func expressionEnd(at start: Int, before end: Int) -> Int {
    var index = start
    /// Whether the expression could end here.
    var isComplete = false
    while index < end {
      if isComplete, tokens.tokens[index].isFirstOnLine, !continues(index) { return index }
      switch tokens.kind(index) {
      case .identifier:
        isComplete =
          !(Keywords.precedingOperand.contains(tokens[index]) || Self.operandModifiers.contains(tokens[index]))
        index += 1
      case .operator:
        if isComplete, tokens[index].first == "<", !tokens.tokens[index].followsSpace,
          let close = genericArgumentEnd(at: index, before: end)
        {
          index = close
        } else {
          isComplete = isComplete && isPostfix(index)
          index += 1
        }
      case .punctuation:
        switch tokens[index] {
        case ",", ";", ")", "]", "}": return index
        case "{":
          if isComplete, beginsAccessors(index, before: end) { return index }
          isComplete = true
          index = tokens.end(ofBracketAt: index, before: end)
        case "(", "[":
          isComplete = true
          index = tokens.end(ofBracketAt: index, before: end)
        case "@":
          if isComplete { return index }
          index = prefix(at: index, before: end).end
        default:
          isComplete = false
          index += 1
        }
      case .pound where tokens[index] == "#if" && tokens.tokens[index].isFirstOnLine:
        index = conditionEnd(at: index, before: end)
      default:
        isComplete = true
        index += 1
      }
    }
    return end
  }

  private static let operandModifiers: Set<Substring> = ["any", "some"]

  /// Returns whether a line that begins with a token goes on with the expression before it.
  private func continues(_ index: Int) -> Bool {
    switch tokens.kind(index) {
    case .operator:
      // An operator between spaces has two operands; one without a space behind it begins another expression.
      return isFollowedBySpace(index) || tokens[index].first == "."
    case .punctuation:
      return ".:{".contains(tokens[index].first ?? " ") || "([,".contains(tokens[index].first ?? " ") == false
    case .identifier:
      return ["as", "is", "else", "catch"].contains(tokens[index]) || tokens.isPunctuation(index + 1, ":")
    case .pound: return tokens[index] == "#if" && isMemberChain(after: index)
    default: return false
    }
  }

  private func isFollowedBySpace(_ index: Int) -> Bool {
    index + 1 >= tokens.count || tokens.tokens[index + 1].followsSpace
  }

  private func isPostfix(_ index: Int) -> Bool {
    guard !tokens.tokens[index].followsSpace else { return false }
    guard !isFollowedBySpace(index) else { return true }
    return tokens.kind(index + 1) == .punctuation && ".,;:)]}([{".contains(tokens[index + 1].first ?? " ")
  }

  /// Returns the index behind generic arguments in an expression: `Set<Int>()`; nil if they are a comparison.
  private func genericArgumentEnd(at start: Int, before end: Int) -> Int? {
    guard let close = genericEnd(at: start, before: end) else { return nil }
    guard close < end else { return close }
    let next = tokens.tokens[close]
    switch next.kind {
    case .punctuation: return "(" == tokens[close] || "[" == tokens[close] ? (next.isFirstOnLine ? nil : close) : close
    case .operator: return ["?", "!", "&"].contains(tokens[close]) ? close : nil
    default: return next.isFirstOnLine ? close : nil
    }
  }

  /// Returns whether the lines behind a condition go on with a member: `value\n#if DEBUG\n.debugged()`.
  private func isMemberChain(after start: Int) -> Bool {
    var index = start + 1
    while index < tokens.count, !tokens.tokens[index].isFirstOnLine { index += 1 }
    return tokens.isPunctuation(index, ".")
  }

  /// Returns the index behind the `#endif` of a condition.
  private func conditionEnd(at start: Int, before end: Int) -> Int {
    var depth = 0
    var index = start
    while index < end {
      if tokens.isPunctuation(index, "{") || tokens.isPunctuation(index, "(") || tokens.isPunctuation(index, "[") {
        index = tokens.end(ofBracketAt: index, before: end)
        continue
      }
      if tokens.kind(index) == .pound {
        if tokens[index] == "#if" { depth += 1 }
        if tokens[index] == "#endif" { depth -= 1 }
      }
      index += 1
      if depth == 0 { return index }
    }
    return end
  }
}
