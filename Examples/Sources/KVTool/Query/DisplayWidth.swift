/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// Returns the columns of a text without control characters.
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the columns of a character: two for those of East Asia and for emoji.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
      first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
      || wide.contains { $0.contains(first.value) }
    return isWide ? 2 : 1
  }

  /// Whether a character would move the cursor, or do something else to the terminal.
  static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { isControl($0) }
  }

  /// Returns a text on one line, with escapes for control characters.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
