/// Reads a JSON document (RFC 8259) into plain Swift values, and notes the lines of its outer parts.
///
/// The reader visits each byte once, follows no more than ``KVJSON/maximumDepth`` containers into each other, and
/// refuses whatever the grammar does not allow: no document traps, and none takes longer than its length. A byte order
/// mark at the beginning is skipped.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0
  private var line = 1
  private let outlineDepth: Int
  /// The outline of the value that was read last, unless it is nested too deeply to have one.
  private var outline = JSONOutline(line: 1)

  private init(_ data: some Sequence<UInt8>, outlineDepth: Int) {
    var bytes = Array(data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self.bytes = bytes
    self.outlineDepth = outlineDepth
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The document, in UTF-8.
  ///   - outlineDepth: How many containers deep lines are noted.
  /// - Returns: The value as ``KVJSON/value(from:)`` returns it, and the lines of its parts.
  /// - Complexity: O(*n*) in the bytes.
  static func read(
    _ data: some Sequence<UInt8>, outlineDepth: Int = 0
  ) throws(DocumentFault) -> (value: Any?, outline: JSONOutline) {
    var reader = JSONReader(data, outlineDepth: outlineDepth)
    return (try reader.document(), reader.outline)
  }

  private mutating func document() throws(DocumentFault) -> Any? {
    // UTF-16 and UTF-32 begin with one of these bytes, JSON in UTF-8 never does.
    if bytes.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) {
      throw DocumentFault("it is not UTF-8", code: .invalidDocument, line: 1)
    }
    skipSpace()
    let value = try self.value(depth: 0)
    skipSpace()
    if position < bytes.count { throw expected("the end of the document") }
    return value
  }

  // MARK: Values

  /// Reads a value; nil for null.
  private mutating func value(depth: Int) throws(DocumentFault) -> Any? {
    if depth <= outlineDepth { outline = JSONOutline(line: line) }
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "-"): return try number()
    case _ where isDigit: return try number()
    case UInt8(ascii: "t") where takeWord("true"): return true
    case UInt8(ascii: "f") where takeWord("false"): return false
    case UInt8(ascii: "n") where takeWord("null"): return nil
    default: throw expected("a value")
    }
  }

  private mutating func object(_ depth: Int) throws(DocumentFault) -> [String: Any] {
    try open(depth)
    var outline = outline
    defer { self.outline = outline }
    var members: [String: Any] = [:]
    if take("}") { return members }
    repeat {
      guard next == UInt8(ascii: "\"") else {
        throw expected(members.isEmpty ? "a name in double quotes or \"}\"" : "a name in double quotes")
      }
      let name = try string()
      let nameLine = line
      skipSpace()
      guard take(":") else { throw expected("\":\"") }
      let value: Any?
      do throws(DocumentFault) { value = try self.value(depth: depth + 1) } catch { throw error.under(.naming(name)) }
      // Only a null is boxed as an optional: it has to stay an entry.
      let first = members.updateValue(value ?? (Any?.none as Any), forKey: name)
      if let first { members[name] = first }
      if depth < outlineDepth {
        if first == nil { outline.members[name] = self.outline } else { outline.repeated.append((name, nameLine)) }
      }
      skipSpace()
    } while take(",")
    return try close("}", members)
  }

  private mutating func array(_ depth: Int) throws(DocumentFault) -> Any {
    try open(depth)
    var outline = outline
    defer { self.outline = outline }
    var elements: [Any?] = []
    if take("]") { return [Any]() }
    repeat {
      do throws(DocumentFault) { elements.append(try value(depth: depth + 1)) } catch {
        throw error.under(.index(elements.count))
      }
      if depth < outlineDepth { outline.elements.append(self.outline) }
      skipSpace()
    } while take(",")
    let values = elements.compactMap(\.self)
    return try close("]", values.count == elements.count ? values as Any : elements as Any)
  }

  // MARK: Marks and space

  private mutating func open(_ depth: Int) throws(DocumentFault) {
    guard depth < KVJSON.maximumDepth else {
      throw fault("arrays and objects are nested more than \(KVJSON.maximumDepth) deep", code: .limitExceeded)
    }
    position += 1
    skipSpace()
  }

  /// Takes the mark at the end of a container, but not the space behind it.
  private mutating func close<Container>(
    _ mark: Unicode.Scalar, _ container: Container
  ) throws(DocumentFault) -> Container {
    guard next == UInt8(ascii: mark) else { throw expected("\",\" or \"\(mark)\"") }
    position += 1
    return container
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Takes a mark and the space behind it, if it is the next.
  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: mark) else { return false }
    position += 1
    skipSpace()
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  // MARK: Faults

  func expected(_ what: String) -> DocumentFault { fault("expected \(what), found \(found)") }

  /// Returns a fault with its place: here, or where something began on the same line.
  func fault(_ reason: String, at offset: Int? = nil, code: KVError.Code = .invalidDocument) -> DocumentFault {
    let before = bytes[..<(offset ?? position)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    // The bytes that go on with a character are not counted.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return DocumentFault(reason, code: code, line: line, column: column)
  }

  /// What stands at the position: a word, a character, a byte that is no UTF-8, or nothing.
  private var found: String {
    let rest = bytes[position...]
    let word = rest.prefix(20).prefix { byte in byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter }
    if !word.isEmpty { return "\"\(String(decoding: word, as: UTF8.self))\"" }
    guard let byte = rest.first else { return "the end of the document" }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = rest.makeIterator()
    guard case .valid(let character) = parser.parseScalar(from: &iterator) else { return Self.name(of: byte) }
    let scalar = Unicode.UTF8.decode(character)
    return "\"\(scalar == "'" ? "'" : scalar.escaped(asASCII: false))\""
  }
}
