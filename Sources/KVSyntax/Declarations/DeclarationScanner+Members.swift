extension DeclarationScanner {
  /// Reads the members between the braces of a type.
  func members(in range: Range<Int>) -> [TypeMember] {
    var members: [TypeMember] = []
    var index = range.lowerBound
    while index < range.upperBound {
      index = readMember(at: index, before: range.upperBound, into: &members)
    }
    return members
  }

  /// Reads a member and returns the index behind it.
  private func readMember(at start: Int, before end: Int, into members: inout [TypeMember]) -> Int {
    if isCondition(start) {
      let close = lineEnd(from: start + 1, before: end)
      members.append(.condition(tokens[start..<close]))
      return close
    }
    // Behind a body, another member can follow on the line.
    if tokens.isPunctuation(start, ";") { return start + 1 }
    let prefix = prefix(at: start, before: end)
    guard prefix.end < end else { return end }
    let word = tokens.kind(prefix.end) == .identifier ? tokens[prefix.end] : ""
    switch word {
    case "var", "let":
      return readProperties(at: prefix.end, prefix, before: end, into: &members)
    case "func":
      members.append(
        .function(
          unquoted(tokens[prefix.end + 1]), modifiers: prefix.modifiers,
          signature: signature(at: prefix.end + 2, before: end)))
      return bodyEnd(from: prefix.end + 1, before: end)
    case "class", "struct", "enum", "actor", "typealias":
      members.append(.type(unquoted(tokens[prefix.end + 1])))
      return word == "typealias"
        ? memberEnd(from: prefix.end + 1, before: end) : bodyEnd(from: prefix.end + 1, before: end)
    case "init", "deinit", "subscript", "protocol", "extension", "precedencegroup":
      return bodyEnd(from: prefix.end + 1, before: end)
    default:
      return memberEnd(from: prefix.end + 1, before: end)
    }
  }

  /// Returns the place of a function's generic parameters and its parameters; an empty one if it has none.
  private func signature(at start: Int, before end: Int) -> Range<Int> {
    guard start < end else { return 0..<0 }
    var index = start
    if tokens.kind(index) == .operator, tokens[index].first == "<", let close = genericEnd(at: index, before: end) {
      index = close
    }
    guard index < end, tokens.isPunctuation(index, "(") else { return 0..<0 }
    let close = tokens.end(ofBracketAt: index, before: end)
    return tokens.tokens[start].range.lowerBound..<tokens.tokens[close - 1].range.upperBound
  }

  /// Returns whether a token begins a line of conditional compilation.
  private func isCondition(_ index: Int) -> Bool {
    tokens.kind(index) == .pound && ["#if", "#elseif", "#else", "#endif"].contains(tokens[index])
  }

  private func lineEnd(from start: Int, before end: Int) -> Int {
    var index = start
    while index < end, !tokens.tokens[index].isFirstOnLine { index += 1 }
    return index
  }

  /// Returns the index behind a member whose body is in braces, or where the next one begins.
  private func bodyEnd(from start: Int, before end: Int) -> Int {
    var index = start
    while index < end {
      if tokens.isPunctuation(index, "{") { return tokens.end(ofBracketAt: index, before: end) }
      if tokens.isPunctuation(index, ";") { return index + 1 }
      if index > start, tokens.tokens[index].isFirstOnLine, beginsDeclaration(index) { return index }
      index = next(index, before: end)
    }
    return end
  }

  /// Returns the index where the member behind a word ends: at a semicolon, or where the next one begins.
  private func memberEnd(from start: Int, before end: Int) -> Int {
    var index = start
    while index < end {
      if tokens.isPunctuation(index, ";") { return index + 1 }
      if tokens.tokens[index].isFirstOnLine, beginsDeclaration(index) { return index }
      index = next(index, before: end)
    }
    return end
  }

  /// Returns the index behind a token, or behind the brackets that it opens.
  func next(_ index: Int, before end: Int) -> Int {
    tokens.opensBracket(index) ? tokens.end(ofBracketAt: index, before: end) : index + 1
  }
}
