import KVCore

/// Makes the tree of a document of drafts (DEF.2): what is as by default is left out.
enum DefinitionWriter {
  static func json(_ drafts: [KVBindingDraft]) -> [String: Any] {
    ["version": KVBindingDefinition.currentVersion, "bindings": drafts.map { members($0, .json) }]
  }

  static func propertyList(_ drafts: [KVBindingDraft]) -> [String: Any] {
    ["ILBindings": drafts.map { members($0, .propertyList) }]
  }

  private static func members(_ draft: KVBindingDraft, _ form: DefinitionForm) -> [String: Any] {
    var members: [String: Any] = [:]
    for field in DefinitionField.all { members[field.name(in: form)] = field.written(draft, form)?.value }
    return members
  }

  /// Returns a text of the drafts that XML cannot hold, with its binding; nil if there is none.
  static func unwritableInXML(_ drafts: [KVBindingDraft]) -> (index: Int, text: String)? {
    for (index, draft) in drafts.enumerated() {
      let texts = DefinitionField.all.lazy.compactMap { $0.written(draft, .propertyList)?.text }
      if let text = texts.first(where: { $0.unicodeScalars.contains(where: isForeignToXML) }) { return (index, text) }
    }
    return nil
  }

  /// Whether XML has no such character, or reads it as another one.
  private static func isForeignToXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
