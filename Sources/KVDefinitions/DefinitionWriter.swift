import KVBinding
import KVCore
import KVDocuments

/// Creates the tree of a document from drafts (DEF.2).
///
/// Default values are left out.
enum DefinitionWriter {
  static func tree(_ drafts: [BindingDraft], _ format: KVDocument.Format) -> [String: Any] {
    var tree: [String: Any] = [format.definitionsName: drafts.map { members($0, format) }]
    if format == .json { tree[format.versionName] = KVBindingDefinition.currentVersion }
    return tree
  }

  private static func members(_ draft: BindingDraft, _ format: KVDocument.Format) -> [String: Any] {
    var members: [String: Any] = [:]
    for field in DefinitionField.all { members[field.name(in: format)] = field.written(draft, format)?.value }
    return members
  }

  /// Returns a text of the drafts that XML cannot contain, with its binding; nil if there is none.
  static func unwritableInXML(_ drafts: [BindingDraft]) -> (index: Int, text: String)? {
    for (index, draft) in drafts.enumerated() {
      let texts = DefinitionField.all.lazy.compactMap { $0.written(draft, .xml)?.text }
      if let text = texts.first(where: { $0.unicodeScalars.contains(where: isForeignToXML) }) { return (index, text) }
    }
    return nil
  }

  /// Whether XML does not have the character, or reads it as another one.
  private static func isForeignToXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
