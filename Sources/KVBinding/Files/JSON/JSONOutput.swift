import Foundation

/// The tree of a JSON document, as `JSONEncoder` writes it.
struct JSONOutput: Encodable {
  private let tree: Any?

  init(_ tree: Any?) { self.tree = tree }

  /// Returns the document.
  func data(isPretty: Bool = false) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return try encoder.encode(self)
  }

  func encode(to encoder: any Encoder) throws {
    // By identity: a cast that fails costs a hundred times as much.
    let type: Any.Type = tree.map { Swift.type(of: $0) } ?? KVDocument.Null.self
    if type == String.self, let text = tree as? String {
      try text.encode(to: encoder)
    } else if type == Int.self, let integer = tree as? Int {
      try integer.encode(to: encoder)
    } else if type == [String: Any].self, let members = tree as? [String: Any] {
      var container = encoder.container(keyedBy: JSONKey.self)
      for (name, member) in members { try container.encode(JSONOutput(member), forKey: JSONKey(name)) }
    } else if type == [Any].self, let elements = tree as? [Any] {
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(JSONOutput(element)) }
    } else {
      var container = encoder.singleValueContainer()
      if let scalar = tree as? any Encodable { try container.encode(scalar) } else { try container.encodeNil() }
    }
  }
}
