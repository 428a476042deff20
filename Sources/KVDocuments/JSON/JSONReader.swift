import Foundation
import KVCore

/// Reads a JSON document (RFC 8259) into plain Swift values, and notes the lines of its outer parts.
///
/// The document arrives in chunks, and only a window of it is in memory: the chunk that is being read, and the token
/// that began before it. The reader visits each byte once, follows no more than ``Limits/nesting`` containers into
/// each other, and refuses whatever the grammar does not allow, in what it skips as in what it builds: no document
/// traps, and none takes longer than its length. A byte order mark at the beginning is skipped.
package struct JSONReader {
  /// The window.
  var bytes: [UInt8] = []
  /// The index in the window of the next byte.
  var position = 0
  /// The index of the first byte of the token that was read last; valid until more of the document is read.
  var tokenStart = 0
  /// Whether a token is being read, and has to stay in the window.
  var isInToken = false
  /// The line of the position, counted from one.
  var line = 1
  /// How many characters of the line stand before the window.
  var columnsBefore = 0
  /// Whether the window reaches to the end of the document.
  var isComplete = false
  /// The error that ended the document before its end.
  var failure: (any Error)?
  let source: () throws -> Data?

  /// How many containers deep lines are noted.
  let outlineDepth: Int
  /// The outline of the value that was read last, unless it is nested too deeply to have one.
  private(set) var outline = JSONOutline(line: 1)

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - outlineDepth: How many containers deep lines are noted.
  ///   - source: Returns the next chunk of the document, in UTF-8; nil or an empty one at its end.
  init(outlineDepth: Int = 0, source: @escaping () throws -> Data?) {
    self.outlineDepth = outlineDepth
    self.source = source
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The document, in UTF-8.
  ///   - outlineDepth: How many containers deep lines are noted.
  /// - Returns: The value as ``JSONCoding/value(from:)`` returns it, and the lines of its parts.
  /// - Complexity: O(*n*) in the bytes.
  package static func read(
    _ data: Data, outlineDepth: Int = 0
  ) throws(DocumentFault) -> (value: Any?, outline: JSONOutline) {
    var unread: Data? = data
    var reader = JSONReader(outlineDepth: outlineDepth) {
      defer { unread = nil }
      return unread
    }
    let value = try reader.document { (reader) throws(DocumentFault) in try reader.value(0) }
    return (value, reader.outline)
  }

  /// Reads a document, whose value a function reads.
  mutating func document<Value>(
    _ read: (inout JSONReader) throws(DocumentFault) -> Value
  ) throws(DocumentFault) -> Value {
    fill(4)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    // UTF-16 and UTF-32 begin with one of these bytes, JSON in UTF-8 never does.
    if bytes.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) {
      throw DocumentFault("it is not UTF-8", code: .invalidDocument, line: 1)
    }
    skipSpace()
    let value = try read(&self)
    skipSpace()
    if next != nil { throw expected("the end of the document") }
    return value
  }

  // MARK: Values

  /// Reads a value; nil for null.
  mutating func value(_ depth: Int) throws(DocumentFault) -> Any? {
    if depth <= outlineDepth { outline = JSONOutline(line: line) }
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "-"): return try number()
    case _ where isDigit: return try number()
    case UInt8(ascii: "t") where readWord("true"): return true
    case UInt8(ascii: "f") where readWord("false"): return false
    case UInt8(ascii: "n") where readWord("null"): return nil
    default: throw expected("a value")
    }
  }

  private mutating func object(_ depth: Int) throws(DocumentFault) -> [String: Any] {
    var outline = outline
    defer { self.outline = outline }
    var members: [String: Any] = [:]
    try readMembers(depth) { (reader, name, repeatedLine) throws(DocumentFault) in
      let value = try reader.value(depth + 1)
      if let repeatedLine {
        outline.repeated.append((name, repeatedLine))
        return
      }
      // Only a null is boxed as an optional: it has to stay an entry.
      members[name] = .some(value ?? (Any?.none as Any))
      if depth < reader.outlineDepth { outline.members[name] = reader.outline }
    }
    return members
  }

  private mutating func array(_ depth: Int) throws(DocumentFault) -> Any {
    var outline = outline
    defer { self.outline = outline }
    var elements: [Any] = []
    var hasNull = false
    try readElements(depth) { (reader, _) throws(DocumentFault) in
      let element = try reader.value(depth + 1)
      hasNull = hasNull || element == nil
      elements.append(element ?? (Any?.none as Any))
      if depth < reader.outlineDepth { outline.elements.append(reader.outline) }
    }
    return Self.array(elements, hasNull: hasNull)
  }

  /// Returns an array as documents have it: `[Any]`, or `[Any?]` if an element is a null.
  static func array(_ elements: [Any], hasNull: Bool) -> Any {
    hasNull ? elements.map { unwrappingOptionals($0) } as [Any?] : elements
  }
}
