import Foundation
import KVCore

extension JSONReader {
  /// The next byte; nil at the end of the document.
  var next: UInt8? {
    mutating get { position < bytes.count || refill() ? bytes[position] : nil }
  }

  /// Reads more of the document into the window; what stands before the token, or before the position, leaves it.
  ///
  /// - Returns: Whether there is more.
  mutating func refill() -> Bool {
    if isComplete { return false }
    forget(isInToken ? tokenStart : position)
    var chunk: Data?
    do { chunk = try source() } catch { failure = error }
    guard let chunk, !chunk.isEmpty else {
      isComplete = true
      return false
    }
    bytes.append(contentsOf: chunk)
    return true
  }

  /// Reads until the window has so many bytes behind the position, or the end of the document.
  mutating func fill(_ count: Int) {
    while bytes.count - position < count, refill() {}
  }

  private mutating func forget(_ count: Int) {
    if count == 0 { return }
    columnsBefore = columns(before: count)
    bytes.removeFirst(count)
    position -= count
    tokenStart -= count
  }

  /// How many characters (Unicode scalars) of its line stand before an offset.
  private func columns(before offset: Int) -> Int {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 }
    // The bytes that go on with a character are not counted.
    let count = before[(lineStart ?? 0)...].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
    return lineStart == nil ? columnsBefore + count : count
  }

  // MARK: Faults

  mutating func expected(_ what: String) -> DocumentFault { fault("expected \(what), found \(found())") }

  /// Returns a fault with its place: here, or where something began on the same line.
  func fault(_ reason: String, at offset: Int? = nil, code: KVError.Code = .invalidDocument) -> DocumentFault {
    DocumentFault(reason, code: code, line: line, column: columns(before: offset ?? position) + 1)
  }

  /// Describes the text at the position: a word, a character, a byte that is not UTF-8, or nothing.
  private mutating func found() -> String {
    fill(20)
    let remaining = bytes[position...]
    let word = remaining.prefix(20).prefix { byte in byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter }
    if !word.isEmpty { return "\"\(String(decoding: word, as: UTF8.self))\"" }
    guard let byte = remaining.first else { return "the end of the document" }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = remaining.makeIterator()
    guard case .valid(let character) = parser.parseScalar(from: &iterator) else { return Self.name(of: byte) }
    let scalar = Unicode.UTF8.decode(character)
    return "\"\(scalar == "'" ? "'" : scalar.escaped(asASCII: false))\""
  }

  static func name(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
  }
}
