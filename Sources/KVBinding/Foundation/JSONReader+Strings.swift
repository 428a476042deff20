extension JSONReader {
  mutating func readString() throws(KVError) -> String {
    let open = position
    position += 1
    let start = position
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try string(UnsafeBufferPointer(rebasing: bytes[start..<position]), at: start)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try readEscapedString(from: start, open: open)
      case 0..<0x20: throw fault("a string holds \(found), which has to be escaped")
      default: position += 1
      }
    }
    throw unclosed(open)
  }

  private mutating func readEscapedString(from start: Int, open: Int) throws(KVError) -> String {
    var content = Array(bytes[start..<position])
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try string(content, at: start)
        position += 1
        return text
      case UInt8(ascii: "\\"): try readEscape(into: &content)
      case 0..<0x20: throw fault("a string holds \(found), which has to be escaped")
      default:
        content.append(byte)
        position += 1
      }
    }
    throw unclosed(open)
  }

  private mutating func readEscape(into content: inout [UInt8]) throws(KVError) {
    let start = position
    position += 1
    guard let byte = peek() else { throw fault("the document ends inside a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      var value = try readHexadecimal()
      if value >> 10 == 0x36, peek() == UInt8(ascii: "\\") {  // the first half of a surrogate pair
        position += 1
        guard peek() == UInt8(ascii: "u") else { throw halfPair(start) }
        position += 1
        let second = try readHexadecimal()
        guard second >> 10 == 0x37 else { throw halfPair(start) }
        value = 0x1_0000 + (value & 0x3FF) << 10 + second & 0x3FF
      }
      guard let scalar = Unicode.Scalar(value) else { throw halfPair(start) }
      content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default:
      position = start
      throw fault("no such escape: \"\\\" is followed by one of \" \\ / b f n r t u")
    }
  }

  private mutating func readHexadecimal() throws(KVError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("expected four hexadecimal digits after \"\\u\", found \(found)")
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }

  private func string(_ content: some Collection<UInt8>, at start: Int) throws(KVError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw fault("a string that is not UTF-8 begins", at: start)
    }
    return text
  }

  private mutating func halfPair(_ start: Int) -> KVError {
    fault("half of a surrogate pair stands alone", at: start)
  }

  private func unclosed(_ open: Int) -> KVError { fault("the quote opened here is never closed", at: open) }
}
