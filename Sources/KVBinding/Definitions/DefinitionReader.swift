import KVCore

/// Reads the tree of a document into drafts, and notes every fault on the way (DEF.2).
struct DefinitionReader {
  private(set) var drafts: [KVBindingDraft] = []
  private(set) var faults: [KVBindingFault] = []
  /// Whether the document is one of definitions at all.
  private(set) var isReadable = true

  private let form: DefinitionForm
  /// Where the document is JSON, its lines.
  private let outline: JSONOutline?
  /// The entries that a fault was told of already, of the definition that is being read.
  private var faulty: Set<DefinitionEntry> = []
  private var index: Int?
  private var key: String?

  init(_ root: Any?, _ form: DefinitionForm, outline: JSONOutline? = nil) {
    self.form = form
    self.outline = outline
    read(root)
  }

  /// How many containers deep the entries of a definition stand in a document.
  static let outlineDepth = 3

  // MARK: The document

  private mutating func read(_ root: Any?) {
    guard let root = root as? [String: Any] else {
      let example = form == .json ? #" Write {"version": 1, "bindings": […]}."# : ""
      return refuse("the document is \(DocumentValue.article(of: root)), not an object.\(example)", .wrongType, nil)
    }
    let known = [form.version, form.container]
    for name in root.keys.sorted() where !known.contains(name) { reportUnknown(name, known, of: " of the document") }
    reportRepeated(outline, "in the document")
    readVersion(root[form.version])
    guard isReadable else { return }
    guard let container = root[form.container] else {
      let meant = Suggestion.nearest(to: form.container, among: root.keys.sorted())
      let hint = meant.map { " Is it \"\(Self.short($0))\" that is meant?" } ?? ""
      return refuse("\"\(form.container)\" is missing: it holds the definitions.\(hint)", .missingEntry, form.container)
    }
    guard let elements = Self.elements(container) else {
      let found = DocumentValue.article(of: container)
      return refuse("\"\(form.container)\" is \(found), not an array of definitions.", .wrongType, form.container)
    }
    for (position, element) in elements.enumerated() { readDefinition(element, position) }
    (index, key) = (nil, nil)
    faults += DefinitionChecks.duplicateKeys(drafts.map(\.key), form: form) { definition($0)?.members["key"]?.line }
  }

  private mutating func readVersion(_ value: Any?) {
    guard let value = value.flatMap(unwrappingOptionals) else {
      // The original writes none.
      if form == .json {
        let current = KVBindingDefinition.currentVersion
        report(.missingEntry, "\"version\" is missing: write \"version\": \(current).", form.version)
      }
      return
    }
    guard let version = Self.integer(value) else {
      let found = DocumentValue.article(of: value)
      return report(.wrongType, "\"\(form.version)\" is \(found), not an integer.", form.version)
    }
    guard version != KVBindingDefinition.currentVersion else { return }
    let current = KVBindingDefinition.currentVersion
    if version > current {
      refuse(
        """
        the document has version \(version), and this library reads versions up to \(current). Use a later one, or write \
        the document anew.
        """, .unsupportedVersion, form.version)
    } else {
      report(.invalidValue, "\"\(form.version)\" is \(version); versions begin with 1.", form.version)
    }
  }

  private mutating func refuse(_ message: String, _ code: KVBindingFault.Code, _ entry: String?) {
    isReadable = false
    // What is wrong beside it means nothing then.
    faults = []
    report(code, message, entry)
  }

  // MARK: A definition

  private mutating func readDefinition(_ element: Any?, _ position: Int) {
    (index, key, faulty) = (position, nil, [])
    var draft = KVBindingDraft()
    defer { drafts.append(draft) }
    guard let members = element as? [String: Any] else {
      return report(.wrongType, "the definition is \(DocumentValue.article(of: element)), not an object.", nil)
    }
    if let name = members[form.name(.key)] as? String, !name.isEmpty { key = name }
    let known = form.names
    for name in members.keys.sorted() where !known.contains(name) { reportUnknown(name, known, of: "") }
    reportRepeated(definition(position), "there")
    let entries = Entries(members, form)
    draft.key = text(.key, entries)
    draft.pathToSource = text(.pathToSource, entries)
    draft.pathToTarget = text(.pathToTarget, entries)
    draft.sourceKeyPath = text(.sourceKeyPath, entries)
    draft.targetKeyPath = text(.targetKeyPath, entries)
    draft.transformerName = text(.transformerName, entries)
    draft.direction = direction(entries) ?? draft.direction
    draft.initialSync = choice(.initialSync, entries) ?? draft.initialSync
    draft.trigger = choice(.trigger, entries) ?? draft.trigger
    draft.validates = truth(.validates, entries) ?? draft.validates
    draft.skipsEqual = truth(.skipsEqual, entries) ?? draft.skipsEqual
    draft.nullPlaceholder = scalar(.nullPlaceholder, entries)
    draft.fallback = scalar(.fallback, entries)
    for fault in draft.check(index: position, form: form).faults
    where !faulty.contains(where: { form.name($0) == fault.entry }) {
      faults.append(fault.at(line(of: fault.entry)))
    }
  }

  /// The entries of a definition; null is as good as absent.
  private struct Entries {
    let members: [String: Any]
    let form: DefinitionForm

    init(_ members: [String: Any], _ form: DefinitionForm) {
      self.members = members
      self.form = form
    }

    subscript(entry: DefinitionEntry) -> Any? { members[form.name(entry)].flatMap(unwrappingOptionals) }
  }

  private mutating func text(_ entry: DefinitionEntry, _ entries: Entries) -> String {
    guard let value = entries[entry] else { return "" }
    if let text = value as? String { return text }
    reportType(entry, value, "a string")
    return ""
  }

  private mutating func truth(_ entry: DefinitionEntry, _ entries: Entries) -> Bool? {
    guard let value = entries[entry] else { return nil }
    if type(of: value) == Bool.self { return value as? Bool }
    reportType(entry, value, "true or false")
    return nil
  }

  private mutating func scalar(_ entry: DefinitionEntry, _ entries: Entries) -> KVBindingScalar? {
    guard let value = entries[entry] else { return nil }
    if let scalar = KVBindingScalar(value) { return scalar }
    reportType(entry, value, "a string, a finite number, or true or false")
    return nil
  }

  private mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ entry: DefinitionEntry, _ entries: Entries
  ) -> Choice? where Choice.RawValue == String {
    guard let value = entries[entry] else { return nil }
    let known = Choice.allCases.map(\.rawValue)
    guard let text = value as? String else {
      reportType(entry, value, "one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))")
      return nil
    }
    if text.isEmpty { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let suggestion = Suggestion.nearest(to: text, among: known)
    let question = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    faulty.insert(entry)
    let subject = "\"\(form.name(entry))\" is \"\(Self.short(text))\""
    report(
      .invalidValue, "\(subject).\(question) Known values: \(Failure.list(known)).", form.name(entry), known: known,
      suggestion: suggestion)
    return nil
  }

  private mutating func direction(_ entries: Entries) -> KVBindingDirection? {
    let name = form.name(.direction)
    guard let value = entries[.direction], (value as? String)?.isEmpty != true else {
      let values = form == .json ? "\"oneWay\", \"twoWay\", \"once\" or \"toSource\"" : Self.directionNumbers
      report(.missingEntry, "\"\(name)\" is missing: it is \(values).", name)
      return nil
    }
    if form == .json { return choice(.direction, entries) }
    guard let number = Self.integer(value) else {
      reportType(.direction, value, "an integer: \(Self.directionNumbers)")
      return nil
    }
    if let direction = KVBindingDirection.allCases.first(where: { $0.number == number }) { return direction }
    report(.invalidValue, "\"\(name)\" is \(number), which is no direction: it is \(Self.directionNumbers).", name)
    return nil
  }

  private static let directionNumbers =
    "0 (two-way), 1 (source to target), 2 (once) or 3 (target to source)"

  // MARK: Faults

  private mutating func reportType(_ entry: DefinitionEntry, _ value: Any, _ wanted: String) {
    faulty.insert(entry)
    let found = DocumentValue.article(of: value)
    report(.wrongType, "\"\(form.name(entry))\" is \(found); it has to be \(wanted).", form.name(entry))
  }

  private mutating func reportRepeated(_ object: JSONOutline?, _ position: String) {
    for (name, line) in object?.repeated ?? [] {
      report(.repeatedEntry, "\"\(Self.short(name))\" stands \(position) twice; take one out.", name, line: line)
    }
  }

  private mutating func reportUnknown(_ name: String, _ known: [String], of position: String) {
    let suggestion = Suggestion.nearest(to: name, among: known)
    let question = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    let subject = "unknown entry \"\(Self.short(name))\"\(position)"
    report(
      .unknownEntry, "\(subject).\(question) Known entries: \(Failure.list(known)).", name, known: known,
      suggestion: suggestion)
  }

  private mutating func report(
    _ code: KVBindingFault.Code, _ message: String, _ entry: String?, line: Int? = nil, known: [String] = [],
    suggestion: String? = nil
  ) {
    faults.append(
      KVBindingFault(
        code, message, index: index, key: key, entry: entry, line: line ?? self.line(of: entry), knownNames: known,
        suggestion: suggestion))
  }

  /// The line of an entry, or else of the definition, or else of the document.
  private func line(of entry: String?) -> Int? {
    let object = index.map { definition($0) } ?? outline
    return entry.flatMap { object?.members[$0]?.line } ?? object?.line
  }

  /// The lines of a definition.
  private func definition(_ index: Int) -> JSONOutline? {
    guard let definitions = outline?.members[form.container]?.elements, definitions.indices.contains(index) else {
      return nil
    }
    return definitions[index]
  }

  // MARK: Values

  private static func elements(_ value: Any) -> [Any?]? {
    if let array = value as? [Any?], type(of: value) == [Any?].self { return array }
    return (value as? [Any]).map { $0.map { Optional($0) } }
  }

  private static func integer(_ value: Any) -> Int? {
    guard type(of: value) != Bool.self, let integer = value as? any FixedWidthInteger else { return nil }
    return Int(exactly: integer)
  }

  static func short(_ text: String) -> String { text.count > 60 ? "\(text.prefix(60))…" : text }
}
