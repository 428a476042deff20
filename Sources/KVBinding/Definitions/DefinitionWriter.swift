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
    func put(_ entry: DefinitionEntry, _ value: Any) { members[form.name(entry)] = value }
    func put(_ entry: DefinitionEntry, text: String) { if !text.isEmpty { put(entry, text) } }
    put(.key, text: draft.key)
    put(.pathToSource, text: draft.pathToSource)
    put(.pathToTarget, text: draft.pathToTarget)
    put(.sourceKeyPath, text: draft.sourceKeyPath)
    put(.targetKeyPath, text: draft.targetKeyPath)
    put(.direction, form == .json ? draft.direction.rawValue : draft.direction.number)
    put(.transformerName, text: draft.transformerName)
    if draft.initialSync != .automatic { put(.initialSync, draft.initialSync.rawValue) }
    if let placeholder = draft.nullPlaceholder { put(.nullPlaceholder, placeholder.value) }
    if let fallback = draft.fallback { put(.fallback, fallback.value) }
    if draft.validates { put(.validates, true) }
    if !draft.skipsEqual { put(.skipsEqual, false) }
    if draft.trigger != .onChange { put(.trigger, draft.trigger.rawValue) }
    return members
  }

  /// Returns a text of the drafts that XML cannot hold, with its binding; nil if there is none.
  static func unwritableInXML(_ drafts: [KVBindingDraft]) -> (index: Int, text: String)? {
    for (index, draft) in drafts.enumerated() {
      let texts = [
        draft.key, draft.pathToSource, draft.pathToTarget, draft.sourceKeyPath, draft.targetKeyPath,
        draft.transformerName, draft.nullPlaceholder?.text ?? "", draft.fallback?.text ?? "",
      ]
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
