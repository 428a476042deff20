import KVSyntax

extension Target {
  /// MOD.4, MOD.9: the scanner of the macro reads any text, in time that grows with its length.
  static let scanner = Target(name: "Scanner") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    #if DEBUG
      let steps = StepCount.of { check(text, bytes) }
      let bound = 400 * (text.utf8.count + 10)
      expect(steps <= bound, "reading takes \(steps) steps, more than \(bound):", bytes)
    #else
      check(text, bytes)
    #endif
    let tokens = TokenList(text)
    checkSpaces(tokens, bytes)
    let returns = text.utf8.map { $0 == 0x0A ? 0x0D : $0 }
    let others = TokenList(String(decoding: returns, as: UTF8.self))
    expect(others.tokens == tokens.tokens, "with carriage returns other tokens:", bytes)
  }

  private static func check(_ text: String, _ bytes: [UInt8]) {
    let declaration = TypeDeclaration(text)
    let tokens = declaration.tokens
    let length = tokens.source.count
    var end = 0
    for (index, token) in tokens.tokens.enumerated() {
      let range = token.range
      // Behind an interpolation at the end of a line there may be nothing left of a text.
      let isInPlace = range.lowerBound >= end && range.upperBound <= length && (!range.isEmpty || token.kind == .string)
      expect(isInPlace, "a token out of place:", bytes, "\(token)")
      end = range.upperBound
      expect((0...tokens.count).contains(token.partner), "a partner that is not there:", bytes)
      if token.kind == .punctuation, token.partner < tokens.count, tokens[index] == "(" {
        expect(tokens.tokens[token.partner].partner == index, "a bracket whose partner has another:", bytes)
      }
    }
    for place in [declaration.inheritedStart, declaration.nameEnd, declaration.introducerRange.upperBound] {
      expect((0...length).contains(place), "a place behind the source:", bytes)
    }
    let names = Set(declaration.properties.map(\.name))
    for property in declaration.properties {
      expect(!property.name.isEmpty, "a property without a name:", bytes)
      expect(property.start <= property.nameRange.lowerBound, "a name before its declaration:", bytes)
      expect(property.nameRange.upperBound <= length, "a name behind the source:", bytes)
      let written = String(decoding: tokens.source[property.nameRange], as: UTF8.self)
      expect(written == property.writtenName, "a name from another place:", bytes, property.writtenName)
      if let getter = property.accessors.getter { checkMentions(names, getter, tokens, bytes) }
    }
    checkMentions(nil, 0..<tokens.count, tokens, bytes)
  }

  private static func checkMentions(
    _ names: Set<String>?, _ range: Range<Int>, _ tokens: TokenList, _ bytes: [UInt8]
  ) {
    expect(range.upperBound <= tokens.count, "a getter behind the source:", bytes)
    for mention in Mentions.of(names, in: range, of: tokens) {
      expect(range.contains(mention.token), "a mention out of its range:", bytes, mention.name)
      expect(names?.contains(mention.name) ?? true, "a mention of another name:", bytes, mention.name)
      let written = tokens[mention.token]
      expect(written == mention.name || written == "`\(mention.name)`", "a mention of another token:", bytes)
    }
  }

  /// Other white space between tokens, and no comments: the same tokens.
  private static func checkSpaces(_ tokens: TokenList, _ bytes: [UInt8]) {
    var text = ""
    for (index, token) in tokens.tokens.enumerated() {
      if token.isFirstOnLine, index > 0 { text += "\n" } else if token.followsSpace { text += " " }
      text += tokens[index]
    }
    let again = TokenList(text)
    let isSame =
      again.count == tokens.count
      && again.tokens.indices.allSatisfy { index in
        let (one, other) = (tokens.tokens[index], again.tokens[index])
        return one.kind == other.kind && tokens[index] == again[index] && one.partner == other.partner
      }
    expect(isSame, "with other white space other tokens:", bytes, text.debugDescription)
  }
}
