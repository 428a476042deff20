extension JSONReader {
  /// Reads a string, whose first quote is the next byte.
  mutating func string() throws(DocumentFault) -> String {
    let start = position
    position += 1
    var unescaped: [UInt8] = []
    // What stands between two escapes is copied at once, and what stands before none not at all.
    var copied = position
    while next != UInt8(ascii: "\"") {
      guard let byte = next else { throw fault("the string that begins here has no end", at: start) }
      if byte == 0x0A || byte == 0x0D {
        throw fault(#"the string that begins here has no end on its line; a line break in it is written \n"#, at: start)
      }
      if byte < 0x20 { throw fault("\(Self.name(of: byte)) is a control character, which has to be escaped") }
      if byte == UInt8(ascii: "\\") {
        unescaped += bytes[copied..<position]
        try escape(from: start, into: &unescaped)
        copied = position
      } else {
        position += 1
      }
    }
    let rest = bytes[copied..<position]
    let hasEscapes = copied > start + 1
    guard let text = String(validating: hasEscapes ? (unescaped + rest)[...] : rest, as: UTF8.self) else {
      throw notUTF8(in: (start + 1)..<position)
    }
    position += 1
    return text
  }

  /// Resolves an escape, whose backslash is the next byte.
  private mutating func escape(from start: Int, into text: inout [UInt8]) throws(DocumentFault) {
    let backslash = position
    position += 1
    guard let kind = next else { throw fault("the string that begins here has no end", at: start) }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try escapedScalar(from: backslash).utf8
    default:
      throw fault(#"a backslash stands only before one of " \ / b f n r t u"#, at: backslash)
    }
  }

  /// Reads the character of an escape behind its `\u`; one beyond 16 bits is written as two escapes.
  private mutating func escapedScalar(from backslash: Int) throws(DocumentFault) -> Unicode.Scalar {
    let unit = try hexadecimal(from: backslash)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let isHigh = unit < 0xDC00
    if isHigh, bytes[position...].starts(with: #"\u"#.utf8) {
      position += 2
      let low = try hexadecimal(from: position - 2)
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) {
        return scalar
      }
    }
    let missing = isHigh ? "second" : "first"
    throw fault("the escape is half of a character, whose \(missing) half is missing", at: backslash)
  }

  private mutating func hexadecimal(from backslash: Int) throws(DocumentFault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw fault("\"\\u\" stands before four hexadecimal digits", at: backslash)
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
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

  static func name(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
  }
}
