/// Reads a JSON document in one pass over its bytes (RFC 8259).
///
/// Every byte is asked for through ``peek()``, which knows the end: the document may hold anything at all. The depth is
/// bounded, and with it the stack.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var depth = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = UnsafeBufferPointer(start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  mutating func readDocument() throws(KVError) -> Any? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }  // the byte order mark of UTF-8
    skipSpace()
    if position == bytes.count { throw fault("the document is empty") }
    let value = try readValue()
    skipSpace()
    if position < bytes.count { throw fault("expected the end of the document, found \(found)") }
    return value
  }

  private mutating func readValue() throws(KVError) -> Any? {
    switch peek() {
    case UInt8(ascii: "\""): return try readString()
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") <= 9: return try readNumber()
    case UInt8(ascii: "t"):
      try readWord("true")
      return true
    case UInt8(ascii: "f"):
      try readWord("false")
      return false
    case UInt8(ascii: "n"):
      try readWord("null")
      return nil
    default: throw fault("expected a value, found \(found)")
    }
  }

  private mutating func readObject() throws(KVError) -> [String: Any] {
    try enter()
    var object: [String: Any] = [:]
    skipSpace()
    if peek() == UInt8(ascii: "}") { return leave(with: object) }
    while true {
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected the name of a member in quotes, found \(found)") }
      let name = try readString()
      skipSpace()
      guard peek() == UInt8(ascii: ":") else { throw fault("expected \":\", found \(found)") }
      position += 1
      skipSpace()
      // Only a null is boxed as an optional: it has to stay an entry.
      object[name] = try readValue() ?? (Any?.none as Any)
      skipSpace()
      switch peek() {
      case UInt8(ascii: "}"): return leave(with: object)
      case UInt8(ascii: ","): position += 1
      default: throw fault("expected \",\" or \"}\", found \(found)")
      }
      skipSpace()
    }
  }

  private mutating func readArray() throws(KVError) -> Any {
    try enter()
    var values: [Any] = []
    var nilIndexes: [Int] = []
    skipSpace()
    if peek() == UInt8(ascii: "]") { return leave(with: values) }
    while true {
      if let value = try readValue() {
        values.append(value)
      } else {
        nilIndexes.append(values.count)
        values.append(0)
      }
      skipSpace()
      switch peek() {
      case UInt8(ascii: "]"):
        guard !nilIndexes.isEmpty else { return leave(with: values) }
        var optionals = values.map { Optional($0) }
        for index in nilIndexes { optionals[index] = nil }
        return leave(with: optionals)
      case UInt8(ascii: ","): position += 1
      default: throw fault("expected \",\" or \"]\", found \(found)")
      }
      skipSpace()
    }
  }

  private mutating func enter() throws(KVError) {
    depth += 1
    guard depth <= KVJSON.maximumDepth else {
      throw fault("arrays and objects are nested more than \(KVJSON.maximumDepth) deep", .limitExceeded)
    }
    position += 1
  }

  private mutating func leave<Value>(with value: Value) -> Value {
    depth -= 1
    position += 1
    return value
  }

  private mutating func readWord(_ word: StaticString) throws(KVError) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, (0..<word.utf8CodeUnitCount).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
    else { throw fault("expected a value, found \(found)") }
    position = end
  }
}
