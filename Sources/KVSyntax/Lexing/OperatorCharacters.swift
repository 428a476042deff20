/// The characters of operators, by the grammar of the Swift language.
enum OperatorCharacters {
  private static let ascii = Set("/=-+!*%<>&|^~?".utf8)

  /// Returns the number of bytes of the operator character at a position; zero if there is none.
  static func length(at position: Int, in source: [UInt8]) -> Int {
    let byte = source[position]
    if byte < 0x80 {
      // A period begins an operator if another one follows.
      let isPeriods = byte == Ascii.period && position + 1 < source.count && source[position + 1] == Ascii.period
      return ascii.contains(byte) || isPeriods ? 1 : 0
    }
    guard byte >= 0xC2, position + 1 < source.count else { return 0 }
    let second = UInt32(source[position + 1] & 0x3F)
    if byte < 0xE0 { return isOperator(UInt32(byte & 0x1F) << 6 | second) ? 2 : 0 }
    guard byte < 0xF0, position + 2 < source.count else { return 0 }
    return isOperator(UInt32(byte & 0xF) << 12 | second << 6 | UInt32(source[position + 2] & 0x3F)) ? 3 : 0
  }

  private static func isOperator(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA1...0xA7, 0xA9, 0xAB, 0xAC, 0xAE, 0xB0, 0xB1, 0xB6, 0xBB, 0xBF, 0xD7, 0xF7, 0x2016, 0x2017,
      0x2020...0x2027, 0x2030...0x203E, 0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775,
      0x2794...0x2BFF, 0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3020, 0x3030:
      true
    default: false
    }
  }
}
