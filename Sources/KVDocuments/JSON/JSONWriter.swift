import Foundation
import KVCore

/// Writes the tree of a JSON document, in the layout of Foundation's `JSONEncoder`.
struct JSONWriter {
  private var bytes: [UInt8] = []
  private let isPretty: Bool
  private var depth = 0

  private init(isPretty: Bool) { self.isPretty = isPretty }

  /// Returns a document in UTF-8; members are sorted by name.
  static func data(_ tree: Any?, isPretty: Bool = false) throws(DocumentFault) -> Data {
    var writer = JSONWriter(isPretty: isPretty)
    try writer.write(tree)
    return Data(writer.bytes)
  }

  private mutating func write(_ tree: Any?) throws(DocumentFault) {
    // By identity: a cast that fails costs a hundred times as much.
    let type: Any.Type = tree.map { Swift.type(of: $0) } ?? KVDocument.Null.self
    if type == String.self, let text = tree as? String {
      write(text)
    } else if type == Bool.self, let truth = tree as? Bool {
      bytes += (truth ? "true" : "false").utf8
    } else if type == KVDocument.Null.self {
      bytes += "null".utf8
    } else if type == [String: Any].self, let members = tree as? [String: Any] {
      try write(members.ordered { $0.key }, "{", "}") { (writer, member) throws(DocumentFault) in
        writer.write(member.key)
        writer.bytes += (writer.isPretty ? " : " : ":").utf8
        try writer.write(member.value)
      }
    } else if type == [Any].self, let elements = tree as? [Any] {
      try write(elements, "[", "]") { (writer, element) throws(DocumentFault) in try writer.write(element) }
    } else if let tree {
      // A number, whose description is one of JSON: that of a `Double` has a fraction or an exponent.
      bytes += "\(tree)".utf8
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], _ start: Unicode.Scalar, _ end: Unicode.Scalar,
    _ write: (inout JSONWriter, Element) throws(DocumentFault) -> Void
  ) throws(DocumentFault) {
    try DocumentFault.checkNesting(depth)
    bytes.append(UInt8(ascii: start))
    depth += 1
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      breakLine()
      try write(&self, element)
    }
    depth -= 1
    // An empty container has an empty line, as Foundation has it.
    if isPretty, isFirst { bytes.append(0x0A) }
    breakLine()
    bytes.append(UInt8(ascii: end))
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(0x0A)
    bytes += repeatElement(0x20, count: 2 * depth)
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += #"\b"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0..<0x20: bytes += #"\u00\#(byte < 0x10 ? "0" : "")\#(String(byte, radix: 16))"#.utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
