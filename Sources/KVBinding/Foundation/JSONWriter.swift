import Foundation

/// Writes a value as JSON, or says at which path it holds what JSON cannot.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let options: KVJSON.Options
  private var depth = 0
  /// The records that are being written: one that comes again contains itself.
  private var open: Set<ObjectIdentifier> = []

  init(_ options: KVJSON.Options) { self.options = options }

  mutating func write(_ value: Any?) throws(UnwritableValue) {
    guard let value else { return put("null") }
    switch DocumentValue(value) {
    case .null: put("null")
    case .bool(let truth): put(truth ? "true" : "false")
    case .number(let number): try writeNumber(number)
    case .string(let text): put(quoted: text)
    case .date(let date) where options.contains(.datesAsText): put(quoted: date.formatted(.iso8601))
    case .date: throw UnwritableValue("it has no dates; make it a string or a number, or pass .datesAsText")
    case .data(let data) where options.contains(.dataAsText): put(quoted: data.base64EncodedString())
    case .data: throw UnwritableValue("it has no data; make it a string, or pass .dataAsText")
    case .array(let elements): try writeArray(elements)
    case .set(let elements): try writeSet(elements)
    case .dictionary(let dictionary):
      try writeObject(dictionary.keys.sorted()) { dictionary[$0] }
    case .record(let record):
      guard open.insert(ObjectIdentifier(record)).inserted else {
        throw .containsItself()
      }
      defer { open.remove(ObjectIdentifier(record)) }
      try writeObject(record.keys) { record[$0] }
    case .other:
      throw .foreign(value)
    }
  }

  // MARK: Collections

  private mutating func writeObject(_ names: [String], _ value: (String) -> Any?) throws(UnwritableValue) {
    try enter("{")
    if names.isEmpty { return leave("}", isEmpty: true) }
    for (place, name) in names.enumerated() {
      separate(place)
      put(quoted: name)
      put(options.contains(.pretty) ? ": " : ":")
      do throws(UnwritableValue) { try write(value(name)) } catch { throw error.under(.naming(name)) }
    }
    leave("}")
  }

  private mutating func writeArray(_ elements: [Any]) throws(UnwritableValue) {
    try enter("[")
    if elements.isEmpty { return leave("]", isEmpty: true) }
    for (index, element) in elements.enumerated() {
      separate(index)
      do throws(UnwritableValue) { try write(element) } catch { throw error.under(.index(index)) }
    }
    leave("]")
  }

  private mutating func writeSet(_ elements: Set<AnyHashable>) throws(UnwritableValue) {
    var texts: [(text: [UInt8], element: Any)] = []
    for element in elements {
      var writer = JSONWriter(options)
      writer.open = open
      writer.depth = depth
      try writer.write(element.base)
      texts.append((writer.bytes, element.base))
    }
    try writeArray(texts.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.element))
  }

  private mutating func enter(_ bracket: StaticString) throws(UnwritableValue) {
    guard depth < KVJSON.maximumDepth else { throw UnwritableValue.tooDeep() }
    depth += 1
    put(bracket)
  }

  private mutating func leave(_ bracket: StaticString, isEmpty: Bool = false) {
    depth -= 1
    if !isEmpty { breakLine() }
    put(bracket)
  }

  private mutating func separate(_ place: Int) {
    if place > 0 { put(",") }
    breakLine()
  }

  private mutating func breakLine() {
    guard options.contains(.pretty) else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  // MARK: Scalars

  private mutating func writeNumber(_ number: KVNumber) throws(UnwritableValue) {
    switch number {
    case .integer(let value):
      if let small = Int(exactly: value) { put(text: small.description) } else { put(text: value.description) }
    case .floating(let value):
      guard value.isFinite else { throw UnwritableValue("it has no number \(value); leave the value out") }
      put(text: value.description)
    case .exact(let value):
      guard value.double.isFinite else { throw UnwritableValue("it has no number \(value); leave the value out") }
      put(text: "\(value)")
    }
  }

  private mutating func put(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated() {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        put(escaped: byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func put(escaped byte: UInt8) {
    switch byte {
    case 0x08: put("\\b")
    case 0x09: put("\\t")
    case 0x0A: put("\\n")
    case 0x0C: put("\\f")
    case 0x0D: put("\\r")
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      put(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }

  private mutating func put(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func put(text: String) { bytes.append(contentsOf: text.utf8) }
}
