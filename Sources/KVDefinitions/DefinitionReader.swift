import KVBinding
import KVCore
import KVDocuments

/// Reads the tree of a document into drafts, and collects the faults, no more than are listed and one (DEF.2).
struct DefinitionReader {
  private(set) var drafts: [BindingDraft] = []
  private(set) var faults: [KVBindingFault] = []
  /// Whether the document is a document of definitions.
  private(set) var isReadable = true

  private let format: KVDocument.Format
  /// The lines of the document, if it is JSON.
  private let outline: JSONOutline?
  /// The index and the key of the definition that is being read.
  private var index: Int?
  private var key: String?

  init(_ root: Any?, _ format: KVDocument.Format, outline: JSONOutline? = nil) {
    self.format = format
    self.outline = outline
    read(root)
  }

  /// The depth of the entries of a definition in a document.
  static let outlineDepth = 3

  // MARK: The document

  private mutating func read(_ root: Any?) {
    guard let root = root as? [String: Any] else {
      let example = format == .json ? #" Write {"version": 1, "bindings": […]}."# : ""
      return refuse("the document is \(article(of: root)), not \(object).\(example)", .wrongType, nil)
    }
    let known = [format.versionName, format.definitionsName]
    for name in root.keys.sorted() where !known.contains(name) { reportUnknown(name, known, of: " of the document") }
    reportRepeated(outline, "in the document")
    readVersion(root[format.versionName])
    guard isReadable else { return }
    guard let container = root[format.definitionsName] else {
      let meant = Suggestion.nearest(to: format.definitionsName, among: root.keys.sorted())
      let name = format.definitionsName
      let hint = meant.map { " The document has \"\(Self.short($0))\": rename it to \"\(name)\"." } ?? ""
      return refuse(
        "\"\(name)\" is missing: it holds the definitions.\(hint)", .missingEntry, name)
    }
    guard let elements = container as? [Any?] else {
      let found = article(of: container)
      return refuse(
        "\"\(format.definitionsName)\" is \(found), not an array of definitions.", .wrongType, format.definitionsName)
    }
    for (position, element) in elements.enumerated() { readDefinition(element, position) }
    (index, key) = (nil, nil)
    if isFull { return }
    faults += DefinitionChecks.duplicateKeys(drafts.map(\.key), format: format) { definition($0)?.members["key"]?.line }
  }

  private mutating func readVersion(_ value: Any?) {
    guard let value = value.flatMap(unwrappingOptionals) else {
      // Bindings for iOS writes none.
      if format == .json {
        let current = KVBindingDefinition.currentVersion
        report(.missingEntry, "\"version\" is missing: write \"version\": \(current).", format.versionName)
      }
      return
    }
    guard let version = Self.integer(value) else {
      let found = article(of: value)
      return report(.wrongType, "\"\(format.versionName)\" is \(found), not an integer.", format.versionName)
    }
    guard version != KVBindingDefinition.currentVersion else { return }
    let current = KVBindingDefinition.currentVersion
    if version > current {
      refuse(
        """
        the document has version \(version), and this library reads versions up to \(current). Use a later one, or write \
        the document anew.
        """, .unsupportedVersion, format.versionName)
    } else {
      report(.invalidValue, "\"\(format.versionName)\" is \(version); versions begin with 1.", format.versionName)
    }
  }

  private mutating func refuse(_ message: String, _ code: KVError.Code, _ entry: String?) {
    isReadable = false
    // Other faults mean nothing then.
    faults = []
    report(code, message, entry)
  }

  // MARK: A definition

  private mutating func readDefinition(_ element: Any?, _ position: Int) {
    (index, key) = (position, nil)
    var draft = BindingDraft()
    // The entries whose faults were reported: a draft would report them again.
    var faulty: Set<String> = []
    defer { drafts.append(draft) }
    guard let members = element as? [String: Any] else {
      return report(.wrongType, "the definition is \(article(of: element)), not \(object).", nil)
    }
    if let name = members[DefinitionField.key.name(in: format)] as? String, !name.isEmpty { key = name }
    let known = format.fieldNames
    for name in members.keys.sorted() where !known.contains(name) { reportUnknown(name, known, of: "") }
    reportRepeated(definition(position), "there")
    for field in DefinitionField.all {
      let name = field.name(in: format)
      do throws(KVBindingFaults) { try field.read(members[name].flatMap(unwrappingOptionals), format, &draft) } catch {
        faulty.insert(name)
        error.faults.forEach { report($0) }
      }
    }
    if isFull { return }
    for fault in draft.check(format: format).faults where !faulty.contains(fault.entry ?? "") { report(fault) }
  }

  // MARK: Faults

  /// Whether there are more faults than are listed.
  private var isFull: Bool { faults.count > Limits.faults }

  private mutating func reportRepeated(_ object: JSONOutline?, _ position: String) {
    for (name, line) in object?.repeated ?? [] {
      report(.repeatedEntry, "\"\(Self.short(name))\" stands \(position) twice; take one out.", name, line: line)
    }
  }

  private mutating func reportUnknown(_ name: String, _ known: [String], of position: String) {
    if isFull { return }
    let subject = "unknown entry \"\(Self.short(name))\"\(position)"
    report(.unknown(name, .unknownEntry, subject, "entries", known, entry: name))
  }

  private mutating func report(_ code: KVError.Code, _ message: String, _ entry: String?, line: Int? = nil) {
    report(KVBindingFault(code, message, entry: entry), line: line)
  }

  /// Adds a fault of the definition that is being read, or of the document.
  private mutating func report(_ fault: KVBindingFault, line: Int? = nil) {
    if isFull { return }
    var fault = fault
    (fault.index, fault.key, fault.line) = (index, key, line ?? self.line(of: fault.entry))
    faults.append(fault)
  }

  /// Returns the line of an entry, or of the definition, or of the document.
  private func line(of entry: String?) -> Int? {
    let object = index.map { definition($0) } ?? outline
    return entry.flatMap { object?.members[$0]?.line } ?? object?.line
  }

  /// The lines of a definition.
  private func definition(_ index: Int) -> JSONOutline? {
    guard let definitions = outline?.members[format.definitionsName]?.elements, definitions.indices.contains(index)
    else {
      return nil
    }
    return definitions[index]
  }

  // MARK: Values

  /// The format's word for an object, with its article.
  private var object: String { format == .json ? "an object" : "a dictionary" }

  private func article(of value: Any?) -> String { DocumentValue.article(of: value, in: format) }

  static func integer(_ value: Any) -> Int? {
    // JSON does not tell 1.0 from 1, as a whole number.
    if type(of: value) == Double.self, let number = value as? Double { return Int(exactly: number) }
    guard type(of: value) != Bool.self, let integer = value as? any FixedWidthInteger else { return nil }
    return Int(exactly: integer)
  }

  static func short(_ text: String) -> String { text.count > 60 ? "\(text.prefix(60))…" : text }
}
