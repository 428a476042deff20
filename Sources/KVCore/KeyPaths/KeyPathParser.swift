/// A parser that turns a text into the components of a key path.
///
/// The parser makes one pass over the UTF-8 without recursion: it takes linear time and is safe for any input (KP.4,
/// KP.5).
package struct KeyPathParser {
  static func parse(_ text: String) throws(KVError) -> [KVKeyPath.Component] {
    var parser = KeyPathParser(text: text)
    return try parser.parsePath()
  }

  private let text: String
  private let bytes: [UInt8]
  private var position = 0
  private var components: [KVKeyPath.Component] = []

  private init(text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  private mutating func parsePath() throws(KVError) -> [KVKeyPath.Component] {
    if bytes.isEmpty { throw fault("a key path is never empty; expected a key", at: 0) }
    if bytes[0] != UInt8(ascii: "[") { try parseComponent() }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "["):
        try append(try parseSubscript())
      case UInt8(ascii: "."):
        position += 1
        try parseComponent()
      default:
        throw fault("expected \".\", \"[\" or the end after \"]\"", at: position)
      }
    }
    return components
  }

  private mutating func append(_ component: KVKeyPath.Component) throws(KVError) {
    components.append(component)
    // A component takes at least two bytes, so that the length of the remaining text bounds the work here.
    if components.count > KVKeyPath.maximumCount { throw Self.tooLong(components.count) }
  }

  /// Parses a key or an operator with its argument.
  private mutating func parseComponent() throws(KVError) {
    let start = position
    let isOperator = position < bytes.count && bytes[position] == UInt8(ascii: "@")
    if isOperator { position += 1 }
    let nameStart = position
    scan: while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "."), UInt8(ascii: "["): break scan
      case UInt8(ascii: "]"): throw fault("unexpected \"]\" without a \"[\" before it", at: position)
      case UInt8(ascii: "@") where position == nameStart && isOperator:
        throw fault("expected the name of an operator after \"@\"", at: position)
      default: position += 1
      }
    }
    guard position > nameStart else {
      let expected = isOperator ? "expected the name of an operator after \"@\"" : "expected a key"
      throw fault(expected, at: isOperator ? nameStart : start)
    }
    let name = string(nameStart..<position)
    guard isOperator else { return try append(.key(name)) }
    var argument: String?
    if position < bytes.count, bytes[position] == UInt8(ascii: "[") { argument = try parseArgument() }
    try append(.operator(name, argument: argument))
  }

  /// Parses `[n]` or `["k"]`.
  private mutating func parseSubscript() throws(KVError) -> KVKeyPath.Component {
    let open = position
    position += 1
    guard position < bytes.count else { throw unclosed(open) }
    if bytes[position] == UInt8(ascii: "\"") {
      let entry = try parseQuoted()
      try closeBracket(open)
      return .entry(entry)
    }
    let start = position
    var value = 0
    while position < bytes.count, case let digit = bytes[position], digit >= 0x30, digit <= 0x39 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(Int(digit - 0x30))
      if overflow || sumOverflows { throw fault("expected an integer that fits in \(Int.bitWidth) bits", at: start) }
      value = sum
      position += 1
    }
    guard position > start else {
      throw fault("expected an index that is not negative, or a quoted key, after \"[\"", at: start)
    }
    try closeBracket(open)
    return .index(value)
  }

  /// Parses the argument of an operator: a quoted string, or bare text up to the bracket.
  private mutating func parseArgument() throws(KVError) -> String {
    let open = position
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      let argument = try parseQuoted()
      try closeBracket(open)
      return argument
    }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "]") {
      if bytes[position] == UInt8(ascii: "[") || bytes[position] == UInt8(ascii: "\"") {
        throw fault("expected \"]\"; quote an argument that holds brackets or quotes", at: position)
      }
      position += 1
    }
    guard position < bytes.count else { throw unclosed(open) }
    guard position > start else { throw fault("expected an argument between \"[\" and \"]\"", at: start) }
    let argument = string(start..<position)
    position += 1
    return argument
  }

  private mutating func parseQuoted() throws(KVError) -> String {
    let open = position
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") else {
          throw fault("expected \\\" or \\\\ : no other escape exists", at: position)
        }
        content.append(next)
        position += 2
      default:
        content.append(byte)
        position += 1
      }
    }
    throw fault("the quote opened here is never closed; expected \"", at: open)
  }

  private mutating func closeBracket(_ open: Int) throws(KVError) {
    guard position < bytes.count else { throw unclosed(open) }
    guard bytes[position] == UInt8(ascii: "]") else { throw fault("expected \"]\"", at: position) }
    position += 1
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  // MARK: Faults

  private func unclosed(_ open: Int) -> KVError {
    fault("the bracket opened here is never closed; expected \"]\"", at: open)
  }

  private func fault(_ expected: String, at position: Int) -> KVError {
    let offset = String(decoding: bytes[..<position], as: UTF8.self).count
    return KVError(
      .invalidKeyPath, "\(Self.excerpt(text)) is not a key path: at offset \(offset), \(expected).",
      keyPath: text, offset: offset)
  }

  static func tooLong(_ count: Int) -> KVError {
    KVError(
      .invalidKeyPath,
      "A key path has at most \(KVKeyPath.maximumCount) components; this one has \(count) or more. Split it.")
  }

  /// Throws if a key could not be written in a text.
  package static func checkKey(_ key: String, after prefix: String = "") throws(KVError) {
    let forbidden = key.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    guard key.isEmpty || forbidden || key.utf8.first == UInt8(ascii: "@") else { return }
    let text = prefix + key
    throw KVError(
      .invalidKeyPath,
      """
      \(excerpt(text)) is not a key: a key is not empty, holds no ".", "[" or "]", and does not begin with "@". For other \
      dictionary keys use an entry, as in ["a.b"].
      """, keyPath: text, component: text)
  }

  /// Returns the name of an operator, which is given with or without its sign.
  static func operatorName(_ text: String) throws(KVError) -> String {
    let name = text.utf8.first == UInt8(ascii: "@") ? String(text.dropFirst()) : text
    try checkKey(name, after: "@")
    return name
  }

  /// The text in quotes, truncated if it is very long.
  package static func excerpt(_ text: String) -> String {
    text.utf8.count <= 200 ? "\"\(text)\"" : "\"\(text.prefix(60))…\""
  }
}
