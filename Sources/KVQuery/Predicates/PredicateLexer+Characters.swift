import KVCore

// The characters of words, and which words are keywords.

extension PredicateLexer {
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

  /// Whether a byte is part of a word: a letter, a digit, `_`, or a character that is not ASCII.
  static func isWordByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 && byte != marker
  }

  static func radix(_ byte: UInt8) -> Int? {
    switch byte | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  /// Whether a text is one word, as the lexer reads it.
  static func isWord(_ text: String) -> Bool {
    guard let lexer = try? PredicateLexer(Array(text.utf8), PredicateArguments([])), case .word(let word) = lexer.token
    else { return false }
    return word.utf8.elementsEqual(text.utf8) && !text.utf8.contains(UInt8(ascii: ":"))
  }

  /// Whether a key can be written as it is.
  static func isPlainKey(_ key: String, isFirst: Bool) -> Bool {
    isWord(key) && !(isFirst && isReserved(key))
  }

  /// Whether a word means something else than a key at the beginning of an expression.
  static func isReserved(_ word: String) -> Bool { reserved.contains(keyword(word)) }

  /// Returns a word as keywords are written: with ASCII letters in upper case, and other letters as they are.
  static func keyword(_ word: String) -> String {
    String(decoding: word.utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
  }

  private static let reserved: Set = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE", "BEGINSWITH", "ENDSWITH",
    "CONTAINS", "LIKE", "MATCHES", "IN", "BETWEEN", "NULL", "NIL", "TRUE", "YES", "FALSE", "NO", "SELF", "SUBQUERY",
    "CAST", "TERNARY", "ANYKEY", "FETCH", "FUNCTION", "UTI", "FIRST", "LAST", "SIZE",
  ]
}
