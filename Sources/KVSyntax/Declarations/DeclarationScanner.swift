/// Reads declarations from tokens.
///
/// It reads what a declaration says on its surface and passes over the rest: function bodies, initial values and types
/// are ranges of tokens. It has no state but the tokens; each function takes an index and returns the one behind what it
/// has read, which is larger.
struct DeclarationScanner {
  let tokens: TokenList

  init(_ tokens: TokenList) { self.tokens = tokens }

  /// The attributes and modifiers before the keyword of a declaration.
  struct Prefix {
    var attributes: [Attribute] = []
    var modifiers: [String] = []
    /// The index of the first of them.
    let start: Int
    /// The index of the declaration's own word.
    var end: Int
  }

  /// Reads attributes and modifiers.
  func prefix(at start: Int, before end: Int) -> Prefix {
    var prefix = Prefix(start: start, end: start)
    while prefix.end < end {
      if tokens.isPunctuation(prefix.end, "@") {
        let attribute = attribute(at: prefix.end, before: end)
        prefix.attributes.append(attribute.attribute)
        prefix.end = attribute.end
      } else if isModifier(prefix.end) {
        let start = prefix.end
        prefix.end += 1
        if tokens.isPunctuation(prefix.end, "("), prefix.end < end {
          prefix.end = tokens.end(ofBracketAt: prefix.end, before: end)
        }
        prefix.modifiers.append(tokens[start..<prefix.end].filter { !$0.isWhitespace })
      } else {
        break
      }
    }
    return prefix
  }

  private func attribute(at start: Int, before end: Int) -> (attribute: Attribute, end: Int) {
    var index = start + 1
    var name = ""
    while index < end, tokens.kind(index) == .identifier {
      name += tokens[index]
      index += 1
      guard tokens.isPunctuation(index, "."), !tokens.tokens[index].followsSpace else { break }
      name += "."
      index += 1
    }
    if tokens.kind(index) == .operator, tokens[index].first == "<", let close = genericEnd(at: index, before: end) {
      index = close
    }
    var arguments: String?
    if index < end, tokens.isPunctuation(index, "("), !tokens.tokens[index].followsSpace {
      let close = tokens.end(ofBracketAt: index, before: end)
      arguments = tokens[index..<close]
      index = close
    }
    index = max(index, start + 1)
    let range = tokens.tokens[start].range.lowerBound..<tokens.tokens[index - 1].range.upperBound
    return (Attribute(name: name, arguments: arguments, range: range), index)
  }

  /// Returns whether a word is a modifier here: words such as `open` and `class` are other things elsewhere.
  private func isModifier(_ index: Int) -> Bool {
    guard tokens.kind(index) == .identifier, Keywords.modifiers.contains(tokens[index]) else { return false }
    var next = index + 1
    if tokens.isPunctuation(next, "("), next < tokens.count {
      next = min(tokens.tokens[next].partner + 1, tokens.count)
    }
    guard tokens.kind(next) == .identifier else { return tokens.isPunctuation(next, "@") }
    if tokens[index] == "class" || tokens[index] == "actor" {
      return Keywords.declarations.contains(tokens[next]) || Keywords.modifiers.contains(tokens[next])
    }
    return true
  }

  /// Returns whether a token begins a declaration.
  func beginsDeclaration(_ index: Int) -> Bool {
    switch tokens.kind(index) {
    case .identifier: Keywords.declarations.contains(tokens[index]) || isModifier(index)
    case .punctuation: tokens.isPunctuation(index, "@")
    case .pound: true
    default: false
    }
  }

  // MARK: Types

  /// Reads the first declaration.
  func firstDeclaration() -> TypeDeclaration {
    let prefix = prefix(at: 0, before: tokens.count)
    let isDeclaration = tokens.kind(prefix.end) == .identifier && Keywords.declarations.contains(tokens[prefix.end])
    let introducer = isDeclaration ? String(tokens[prefix.end]) : ""
    var index = min(prefix.end + 1, tokens.count)
    let name: String
    if introducer == "extension" {
      let start = index
      index = typeEnd(at: index, before: tokens.count)
      name = tokens[start..<index]
    } else {
      name = unquoted(tokens[index])
      index = min(index + 1, tokens.count)
    }
    var isGeneric = false
    if tokens.kind(index) == .operator, tokens[index].first == "<",
      let close = genericEnd(at: index, before: tokens.count)
    {
      isGeneric = true
      index = close
    }
    let nameEnd = index > 0 && index <= tokens.count ? tokens.tokens[index - 1].range.upperBound : 0
    var inherited: [String] = []
    var inheritedStart = nameEnd
    if tokens.isPunctuation(index, ":") {
      repeat {
        let start = index + 1
        index = typeEnd(at: start, before: tokens.count)
        if index > start {
          if inherited.isEmpty { inheritedStart = tokens.tokens[start].range.lowerBound }
          inherited.append(tokens[start..<index])
        }
      } while tokens.isPunctuation(index, ",")
    }
    while index < tokens.count, !tokens.isPunctuation(index, "{") { index += 1 }
    let isType = ["class", "struct", "enum", "actor", "protocol", "extension"].contains(introducer)
    let members =
      isType && index < tokens.count
      ? self.members(in: index + 1..<max(index + 1, tokens.tokens[index].partner)) : []
    return TypeDeclaration(
      tokens: tokens, introducer: introducer, name: name, attributes: prefix.attributes, modifiers: prefix.modifiers,
      isGeneric: isGeneric, inheritedTypes: inherited, members: members,
      introducerRange: prefix.end < tokens.count ? tokens.tokens[prefix.end].range : 0..<0, nameEnd: nameEnd,
      inheritedStart: inheritedStart)
  }

  func unquoted(_ name: Substring) -> String {
    name.count > 2 && name.first == "`" && name.last == "`" ? String(name.dropFirst().dropLast()) : String(name)
  }
}
