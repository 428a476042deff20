/// The tokens of a source, with the partners of their brackets.
package struct TokenList: Sendable {
  package let source: [UInt8]
  package let tokens: [Token]

  /// Splits a source into tokens.
  ///
  /// - Parameter source: Swift source; any text is accepted.
  /// - Complexity: O(*n*) in the length of the source.
  package init(_ source: String) {
    self.source = Array(source.utf8)
    tokens = Self.pairing(Lexer.tokens(of: self.source), in: self.source)
  }

  package var count: Int { tokens.count }

  /// Returns the text of a token; empty before the first and behind the last one.
  package subscript(index: Int) -> Substring {
    tokens.indices.contains(index) ? Substring(decoding: source[tokens[index].range], as: UTF8.self) : ""
  }

  /// Returns the source from the first to the last of some tokens, with what stands between them.
  package subscript(range: Range<Int>) -> String {
    guard let first = range.first, range.upperBound <= count else { return "" }
    return String(
      decoding: source[tokens[first].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound], as: UTF8.self)
  }

  func kind(_ index: Int) -> Token.Kind? {
    #if DEBUG
      StepCount.add()
    #endif
    return tokens.indices.contains(index) ? tokens[index].kind : nil
  }

  /// Returns whether a token is a character of punctuation, or an operator, of a text.
  func isPunctuation(_ index: Int, _ text: Character) -> Bool {
    kind(index) == .punctuation && self[index].first == text
  }

  /// Returns whether a token is an operator of a text.
  func isOperator(_ index: Int, _ text: String) -> Bool {
    kind(index) == .operator && text.utf8.elementsEqual(source[tokens[index].range])
  }

  /// Returns whether a token is a word; not if it is in backticks.
  func isWord(_ index: Int, _ word: Substring) -> Bool { kind(index) == .identifier && self[index] == word }

  /// Returns the index behind the bracket that closes the one at an index, at most an end.
  func end(ofBracketAt index: Int, before end: Int) -> Int { min(tokens[index].partner + 1, end) }

  /// Splits a range at a character that stands outside of its brackets; ranges without tokens are left out.
  package func split(_ range: Range<Int>, by separator: Character) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if isPunctuation(index, separator) {
        if index > start { parts.append(start..<index) }
        start = index + 1
        index += 1
      } else {
        index = max(index + 1, opensBracket(index) ? end(ofBracketAt: index, before: range.upperBound) : index + 1)
      }
    }
    if range.upperBound > start { parts.append(start..<range.upperBound) }
    return parts
  }

  /// Returns whether a token opens a bracket.
  func opensBracket(_ index: Int) -> Bool {
    kind(index) == .punctuation && self[index].first.map { "([{".contains($0) } ?? false
  }

  private static func pairing(_ tokens: [Token], in source: [UInt8]) -> [Token] {
    var tokens = tokens
    var open: [(index: Int, closing: UInt8)] = []
    /// How many brackets of each kind are open, so that one without a partner is known at once.
    var waiting: [UInt8: Int] = [:]
    for index in tokens.indices where tokens[index].kind == .punctuation {
      let byte = source[tokens[index].range.lowerBound]
      tokens[index].partner = tokens.count
      if let closing = closing[byte] {
        open.append((index, closing))
        waiting[closing, default: 0] += 1
      } else if let count = waiting[byte], count > 0 {
        while let last = open.popLast() {
          waiting[last.closing, default: 1] -= 1
          guard last.closing == byte else { continue }
          tokens[last.index].partner = index
          tokens[index].partner = last.index
          break
        }
      }
    }
    return tokens
  }

  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]
}
