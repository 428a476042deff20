import KVCore

extension JSONReader {
  /// The text between the quotes of a string.
  private struct StringToken {
    let range: Range<Int>
    let hasEscapes: Bool
    let isASCII: Bool
  }

  /// Reads a string, whose first quote is the next byte.
  mutating func string() throws(DocumentFault) -> String {
    let token = try stringToken()
    if !token.hasEscapes, token.isASCII { return String(decoding: bytes[token.range], as: UTF8.self) }
    let text =
      token.hasEscapes
      ? String(validating: try unescaped(token.range), as: UTF8.self)
      : String(validating: bytes[token.range], as: UTF8.self)
    guard let text else { throw notUTF8(in: token.range) }
    return text
  }

  /// Checks a string, whose first quote is the next byte.
  mutating func skipString() throws(DocumentFault) {
    let token = try stringToken()
    if token.hasEscapes { _ = try unescaped(token.range) }
    if !token.isASCII, String(validating: bytes[token.range], as: UTF8.self) == nil { throw notUTF8(in: token.range) }
  }

  /// Finds the end of a string, and goes behind it.
  private mutating func stringToken() throws(DocumentFault) -> StringToken {
    (tokenStart, isInToken) = (position, true)
    defer { isInToken = false }
    position += 1
    var hasEscapes = false
    var seen: UInt8 = 0
    while true {
      let end = bytes.count
      var offset = position
      while offset < end {
        let byte = bytes[offset]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        seen |= byte
        offset += 1
      }
      position = offset
      guard let byte = next else { throw try endless(hasEscapes) }
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return StringToken(range: (tokenStart + 1)..<(position - 1), hasEscapes: hasEscapes, isASCII: seen < 0x80)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position += 1
        if next == nil { throw try endless(hasEscapes) }
        position += 1
      case 0..<0x20:
        if hasEscapes { _ = try unescaped((tokenStart + 1)..<position) }
        if byte != 0x0A, byte != 0x0D {
          throw fault("\(Self.name(of: byte)) is a control character, which has to be escaped")
        }
        throw fault(
          #"the string that begins here has no end on its line; a line break in it is written \n"#, at: tokenStart)
      default:
        break  // more of the document was read
      }
    }
  }

  /// Returns the fault of a string without an end, or throws that of an escape in it.
  private func endless(_ hasEscapes: Bool) throws(DocumentFault) -> DocumentFault {
    if hasEscapes { _ = try unescaped((tokenStart + 1)..<position) }
    return fault("the string that begins here has no end", at: tokenStart)
  }

  // MARK: Escapes

  /// Returns the bytes of a string with its escapes resolved.
  private func unescaped(_ range: Range<Int>) throws(DocumentFault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      if bytes[offset] == UInt8(ascii: "\\") {
        try unescape(&offset, range.upperBound, into: &text)
      } else {
        text.append(bytes[offset])
        offset += 1
      }
    }
    return text
  }

  /// Resolves the escape at an offset, and goes behind it.
  private func unescape(_ offset: inout Int, _ end: Int, into text: inout [UInt8]) throws(DocumentFault) {
    let backslash = offset
    guard offset + 1 < end else { throw fault("the string that begins here has no end", at: tokenStart) }
    let kind = bytes[offset + 1]
    offset += 2
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try escapedScalar(&offset, end, from: backslash).utf8
    default:
      throw fault(#"a backslash stands only before one of " \ / b f n r t u"#, at: backslash)
    }
  }

  /// Reads the character of an escape behind its `\u`; one beyond 16 bits is written as two escapes.
  private func escapedScalar(
    _ offset: inout Int, _ end: Int, from backslash: Int
  ) throws(DocumentFault) -> Unicode.Scalar {
    let unit = try hexadecimal(&offset, end, from: backslash)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let isHigh = unit < 0xDC00
    if isHigh, bytes[offset..<end].starts(with: #"\u"#.utf8) {
      let second = offset
      offset += 2
      let low = try hexadecimal(&offset, end, from: second)
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) {
        return scalar
      }
    }
    let missing = isHigh ? "second" : "first"
    throw fault("the escape is half of a character, whose \(missing) half is missing", at: backslash)
  }

  private func hexadecimal(_ offset: inout Int, _ end: Int, from backslash: Int) throws(DocumentFault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard offset < end, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
        throw fault("\"\\u\" stands before four hexadecimal digits", at: backslash)
      }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }

  /// Returns the fault of a string that is not UTF-8, at its first such byte.
  private func notUTF8(in string: Range<Int>) -> DocumentFault {
    var offset = string.lowerBound
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes[string].makeIterator()
    while case .valid(let character) = parser.parseScalar(from: &iterator) { offset += character.count }
    return fault("\(Self.name(of: bytes[offset])) is not UTF-8", at: offset)
  }
}
