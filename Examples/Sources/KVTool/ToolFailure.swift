import KVBinding

/// What is wrong with a file, a path or a value: one line for standard error; of definitions one line a fault.
struct ToolFailure: Error {
  let lines: [String]
  /// A text with a mark below the character that is wrong: two lines, or none.
  private(set) var excerpt: [String] = []

  init(_ sentence: String) { self.init(lines: [sentence]) }

  init(lines sentences: [String]) {
    lines = sentences.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
  }

  /// Shows where in a text the fault is.
  ///
  /// - Parameters:
  ///   - sentence: What is wrong.
  ///   - offset: How many characters of the text precede the fault; nil if that is unknown.
  ///   - text: The text.
  init(_ sentence: String, at offset: Int?, of text: String) {
    self.init(sentence)
    if let offset { excerpt = Self.excerpt(of: text, at: offset) }
  }

  /// Returns the failure with more words at the end of its sentence.
  func appending(_ words: String) -> ToolFailure {
    var failure = ToolFailure(line + words)
    failure.excerpt = excerpt
    return failure
  }

  private static func excerpt(of text: String, at offset: Int) -> [String] {
    // One character for each, so that the columns are those of the text.
    let characters = text.map { DisplayWidth.isControl($0) ? " " : $0 }
    let start = offset > 60 ? offset - 50 : 0
    let end = min(characters.count, offset + 40)
    guard start <= characters.count, offset <= characters.count else { return [] }
    let before = (start > 0 ? "…" : "") + String(characters[start..<offset])
    let behind = String(characters[offset..<max(offset, end)]) + (end < characters.count ? "…" : "")
    return ["  " + before + behind, "  " + String(repeating: " ", count: DisplayWidth.of(before)) + "^"]
  }

  var line: String { lines.joined(separator: " ") }

  init(_ error: KVError) {
    // Without the root type that the whole description names: to the user of the tool it means nothing.
    self.init(error.message)
  }
}
