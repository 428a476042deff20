/// Where the parts of a JSON document stand, line by line; and the line of the first fault, if it is malformed.
///
/// `JSONDecoder` reads, but does not tell where it found what; whoever mends a file wants to know.
struct JSONLines {
  /// Lines, counted from one, by path: `version`, `bindings[2]`, `bindings[2].direction`.
  private(set) var lines: [String: Int] = [:]
  /// Members that their object has already, by the path of the object: empty for the document itself.
  private(set) var repeated: [String: [(name: String, line: Int)]] = [:]
  /// Where the document is malformed; nil if it is not.
  private(set) var faultLine: Int?

  /// How deeply paths are noted: no definition is deeper.
  private static let notedDepth = 3

  init(_ bytes: some Sequence<UInt8>) {
    var scanner = Scanner(bytes: Array(bytes))
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    scanner.skipSpace()
    let isRead = scanner.value(at: "", depth: 0)
    scanner.skipSpace()
    if !isRead || scanner.position < scanner.bytes.count { faultLine = scanner.line }
    lines = scanner.lines
    repeated = scanner.repeated
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var line = 1
    var lines: [String: Int] = [:]
    var repeated: [String: [(name: String, line: Int)]] = [:]

    init(bytes: [UInt8]) { self.bytes = bytes }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        if byte == 0x0A { line += 1 }
        position += 1
      }
    }

    /// Skips a character, and the space behind it.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: character) else { return false }
      position += 1
      skipSpace()
      return true
    }

    /// Reads a value.
    ///
    /// - Returns: Whether it is one; the line is that of the fault if it is none.
    mutating func value(at path: String, depth: Int) -> Bool {
      // Of a member that occurs twice, the first one counts.
      if depth <= JSONLines.notedDepth, !path.isEmpty, lines[path] == nil { lines[path] = line }
      switch next {
      case UInt8(ascii: "{"): return object(at: path, depth: depth)
      case UInt8(ascii: "["): return array(at: path, depth: depth)
      case UInt8(ascii: "\""): return string() != nil
      default: return word()
      }
    }

    private mutating func object(at path: String, depth: Int) -> Bool {
      guard depth < 200, take("{") else { return false }
      if take("}") { return true }
      var names: Set<String> = []
      repeat {
        guard let name = string() else { return false }
        let isNoted = depth < JSONLines.notedDepth
        let childPath = isNoted ? (path.isEmpty ? name : "\(path).\(name)") : ""
        if isNoted, !names.insert(name).inserted { repeated[path, default: []].append((name, line)) }
        skipSpace()
        guard take(":"), value(at: childPath, depth: depth + 1) else { return false }
        skipSpace()
      } while take(",")
      return close("}")
    }

    private mutating func array(at path: String, depth: Int) -> Bool {
      guard depth < 200, take("[") else { return false }
      if take("]") { return true }
      var index = 0
      repeat {
        let childPath = depth < JSONLines.notedDepth ? "\(path)[\(index)]" : ""
        guard value(at: childPath, depth: depth + 1) else { return false }
        skipSpace()
        index += 1
      } while take(",")
      return close("]")
    }

    /// Skips a closing bracket, but not the space behind it: a fault is told where it stands.
    private mutating func close(_ character: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// Reads a string.
    private mutating func string() -> String? {
      guard next == UInt8(ascii: "\"") else { return nil }
      let start = position + 1
      var hasEscapes = false
      position = start
      while let byte = next, byte != UInt8(ascii: "\"") {
        if byte < 0x20 { return nil }
        if byte == UInt8(ascii: "\\") { hasEscapes = true }
        position += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      guard next != nil else { return nil }
      position += 1
      let text = bytes[start..<(position - 1)]
      return hasEscapes ? JSONLines.unescaped(text) : String(decoding: text, as: UTF8.self)
    }

    /// Reads a number, `true`, `false` or `null`.
    private mutating func word() -> Bool {
      let start = position
      while let byte = next, !" \t\n\r,]}:{[\"".utf8.contains(byte) { position += 1 }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      if ["true", "false", "null"].contains(text) { return true }
      return text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(text) != nil
    }
  }
}

extension JSONLines {
  /// Returns the text of a string whose characters are escaped; an escape that is none stays as it is.
  fileprivate static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
      UInt8(ascii: "t"): 0x09, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C,
    ]
    var units: [UInt16] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.first else {
        // Up to the next escape.
        let end = rest.firstIndex(of: UInt8(ascii: "\\")) ?? rest.endIndex
        units += Array(String(decoding: [byte] + rest[..<end], as: UTF8.self).utf16)
        rest = rest[end...]
        continue
      }
      if let character = plain[kind] {
        units.append(UInt16(character))
        rest.removeFirst()
      } else if kind == UInt8(ascii: "u"), rest.count > 4,
        let unit = UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16)
      {
        units.append(unit)
        rest = rest.dropFirst(5)
      } else {
        units.append(UInt16(byte))
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
