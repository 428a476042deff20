import Foundation
import KVBinding
import KVDocuments

/// A value of a JSON document, with the values in it.
@KVModel final class OutlineNode: KVObject {
  enum Kind: String, Sendable {
    case object, array, scalar
  }

  /// How many values an outline has when it is made.
  static let countLimit = 100_000
  /// The keys that an edit changes.
  static let editedKeys = ["name", "kind", "text", "children"]

  /// The name of a member of an object; that of an element of an array is not shown.
  var name: String
  var kind: Kind
  /// A scalar as JSON; empty for an object and an array.
  var text: String
  /// The members of an object, or the elements of an array.
  var children: [OutlineNode]
  /// Whether it cannot have children.
  var isLeaf: Bool { kind == .scalar }

  /// Makes nodes of a value and of all values in it; members are in the order of their names.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: Its name.
  ///   - rest: How many nodes may still be made.
  /// - Throws: A ``Refusal`` if there are more; `KVError` for a value that JSON does not have.
  init(_ value: Any?, named name: String = "", within rest: inout Int) throws {
    rest -= 1
    guard rest >= 0 else {
      throw Refusal(
        422, "The document has more than \(Self.countLimit) values, which the outline does not show. Use the inspector."
      )
    }
    self.name = name
    switch value {
    case let members as [String: Any]:
      (kind, text) = (.object, "")
      children = try members.sorted { $0.key < $1.key }.map { name, member in
        try OutlineNode(member, named: name, within: &rest)
      }
    case let elements as [Any?]:
      (kind, text) = (.array, "")
      children = try elements.map { try OutlineNode($0, within: &rest) }
    default:
      let data = try KVDocument(value).data(datesAsText: true, dataAsText: true)
      (kind, text, children) = (.scalar, String(decoding: data, as: UTF8.self), [])
    }
  }

  /// Makes nodes of a JSON text, which has at most as many as an outline.
  convenience init(json text: String, named name: String = "") throws {
    var rest = Self.countLimit
    try self.init(KVDocument(data: Data(text.utf8), format: .json).root, named: name, within: &rest)
  }

  /// Replaces a scalar by the value of a JSON text, which may be an object or an array.
  ///
  /// - Throws: `KVError` if the text is not JSON. Nothing has changed then.
  func replaceScalar(byJSON text: String) throws {
    let value = try OutlineNode(json: text)
    (kind, self.text, children) = (value.kind, value.text, value.children)
  }

  /// Returns a name that no member of the object has: the wanted one, or else that with the first free number.
  func freeName(_ wanted: String) -> String {
    let taken = Set(children.map(\.name))
    if !taken.contains(wanted) { return wanted }
    return (2...).lazy.map { "\(wanted) \($0)" }.first { !taken.contains($0) } ?? wanted
  }
}
