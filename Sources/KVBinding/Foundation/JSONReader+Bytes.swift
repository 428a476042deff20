extension JSONReader {
  @inline(__always)
  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  @inline(__always)
  mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// The character at the position, for messages.
  var found: String {
    guard let byte = peek() else { return "the end" }
    if byte < 0x20 || byte == 0x7F { return "the control character \(byte)" }
    let rest = String(decoding: bytes[position..<min(position + 64, bytes.count)], as: UTF8.self)
    return "\"\(rest.prefix(1))\""
  }

  func fault(_ reason: String, _ code: KVError.Code = .custom) -> KVError { fault(reason, code, at: position) }

  func fault(_ reason: String, _ code: KVError.Code = .custom, at position: Int) -> KVError {
    let before = bytes[..<position]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[lineStart..<position], as: UTF8.self).count + 1
    return KVError(code, "no JSON: at line \(line), column \(column), \(reason).")
  }
}
