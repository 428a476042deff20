import KVBinding
import KVDocuments

/// The model of the outline: a document, which all windows show.
@KVModel final class OutlineModel: KVObject {
  var root: OutlineNode
  /// Whether it may be edited.
  @KVIgnored let isEditable: Bool

  init(_ root: OutlineNode, isEditable: Bool = true) {
    self.root = root
    self.isEditable = isEditable
  }

  /// Makes an outline of what a document has at its top.
  ///
  /// - Throws: A ``Refusal`` if it has too many values.
  convenience init(_ value: Any?, named name: String, isEditable: Bool) throws {
    var rest = OutlineNode.countLimit
    self.init(try OutlineNode(value, named: name, within: &rest), isEditable: isEditable)
  }

  /// Throws a refusal if nothing may be changed.
  func checkEditing() throws(Refusal) {
    guard !isEditable else { return }
    throw Refusal(403, "\(root.name) can only be read here. Start kv studio with --allow-edits to change it in memory.")
  }

  /// The outline that is shown without a document.
  static func sample() throws -> OutlineModel {
    let text = """
      {"title": "A week in Lisbon", "days": 7, "isBooked": true, "guide": {"name": "Inês", "languages": ["pt", "en"]}, \
      "stops": [{"place": "Alfama", "hours": 3}, {"place": "Belém", "hours": 2.5, "note": null}, \
      {"place": "Sintra", "hours": 6, "by": ["train", "tram"]}]}
      """
    return OutlineModel(try OutlineNode(json: text, named: "Journey"))
  }
}
