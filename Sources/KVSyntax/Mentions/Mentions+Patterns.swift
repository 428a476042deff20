/// The names that patterns and parameters declare.
extension Mentions {
  /// Returns the names of parameters: the last one before each colon, or each one without a type.
  func parameters(in range: Range<Int>) -> [String] {
    var names: [String] = []
    var index = range.lowerBound
    var expectsName = true
    while index < range.upperBound {
      if tokens.isPunctuation(index, ",") {
        expectsName = true
      } else if tokens.isPunctuation(index, ":") {
        expectsName = false
      } else if expectsName, tokens.kind(index) == .identifier {
        names.append(name(index))
      }
      index = scanner.next(index, before: range.upperBound)
    }
    return names
  }

  func isShorthand(_ index: Int) -> Bool {
    tokens.isPunctuation(index + 1, ",") || tokens.isPunctuation(index + 1, "{") || tokens.isWord(index + 1, "else")
  }

  /// Returns the index behind a pattern: at an equals sign, a colon, a comma, `in` or a brace.
  ///
  /// A pattern is given up after as many tokens as none has, so that a source without an end of it takes linear time.
  func patternEnd(at start: Int, before end: Int) -> Int {
    let end = min(end, start + 400)
    var index = start
    while index < end {
      if tokens.kind(index) == .punctuation, ",:{})]".contains(tokens[index].first ?? " ") { return index }
      if tokens.isOperator(index, "=") || isWord(index, ["in", "where", "else"]) { return index }
      index = scanner.next(index, before: end)
    }
    return end
  }

  /// Returns the names of a pattern: neither members nor labels.
  func patternNames(in range: Range<Int>) -> [String] {
    range.filter {
      tokens.kind($0) == .identifier && !isMember($0) && !tokens.isPunctuation($0 + 1, ":")
        && !isWord($0, ["_", "as", "is", "let", "var"])
    }.map(name)
  }
}
