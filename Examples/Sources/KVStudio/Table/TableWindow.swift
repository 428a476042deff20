import KVControllers
import KVDocuments

/// The table in one window: what is selected, the fields of the detail pane, and which rows are on the screen.
@MainActor final class TableWindow {
  /// The most rows that are selected at once.
  static let selectionLimit = 1000

  /// The selected rows, all of which are selected in it: its selection has their common values, or markers.
  let controller = KVArrayController<KVObject>()
  /// The field of each column.
  private var fields: [(column: TableColumn, field: TextField, binding: KVPathBinding)] = []
  /// The row at which a range begins, and the row that the keyboard moves from.
  private(set) var anchor: KVObject?
  private(set) var lead: KVObject?
  private var isSelectionChanged = true
  private var shown: [ObjectIdentifier: (row: KVObject, observations: [KVObservation])] = [:]
  private var changed: Set<ObjectIdentifier> = []
  /// What the edited fields showed when their user began to type.
  private var bases: [String: String] = [:]

  init(_ columns: [TableColumn]) throws {
    controller.avoidsEmptySelection = false
    for column in columns {
      let field = TextField()
      let binding = try field.bind(
        "text", to: column.selectionPath, of: controller,
        options: .init(
          column.isEditable ? .twoWay : .oneWay, transformer: column.transformer, nullPlaceholder: "",
          noSelection: "", multipleValues: "", notApplicable: "", trigger: .onCommit))
      fields.append((column, field, binding))
    }
  }

  // MARK: Selecting

  var selected: [KVObject] { controller.content }
  var selectedRecords: [KVRecord] { selected.compactMap { $0 as? KVRecord } }

  /// Selects rows.
  ///
  /// - Throws: The error of an edit that cannot be committed, or a ``Refusal`` of too many rows. Nothing changes then.
  func select(_ rows: [KVObject], anchor: KVObject?, lead: KVObject?) throws {
    guard rows.count <= Self.selectionLimit else {
      throw Refusal(422, "At most \(Self.selectionLimit) rows can be selected, and these are \(rows.count).")
    }
    try commit()
    show(rows)
    (self.anchor, self.lead) = (anchor, lead)
  }

  /// Selects no row; the keyboard stays where it is.
  func selectNone() throws { try select([], anchor: anchor, lead: lead) }

  /// Deselects rows that are not in the table any more, with edits of them.
  func deselect(where isGone: (KVObject) -> Bool) {
    let rest = selected.filter { !isGone($0) }
    if rest.count < selected.count {
      try? controller.discardEditing()
      show(rest)
    }
    if anchor.map(isGone) ?? false { anchor = rest.first }
    if lead.map(isGone) ?? false { lead = rest.first }
  }

  /// Lets the fields show nothing while many rows change; not if there is an edit.
  ///
  /// - Returns: The rows for ``resume(_:)``.
  func suspend() -> [KVObject] {
    guard selected.count > 20, !controller.isEditing else { return [] }
    defer { show([]) }
    return selected
  }

  /// Lets the fields show rows again.
  func resume(_ rows: [KVObject]) { if !rows.isEmpty { show(rows) } }

  private func show(_ rows: [KVObject]) {
    controller.update {
      controller.content = rows
      controller.selectionIndexes = Array(rows.indices)
    }
    bases = [:]
    isSelectionChanged = true
  }

  // MARK: Editing

  var isEditing: Bool { controller.isEditing }

  /// Takes the text of a field; it is an edit of the selected rows until it is committed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - key: The key of the column.
  ///   - base: What the field showed when the user began to type; nil for what it shows now.
  func type(_ text: String, in key: String, over base: String?) throws {
    guard let (column, field, binding) = fields.first(where: { $0.column.key == key }) else {
      throw Refusal(422, "There is no column \"\(key.prefix(100))\".")
    }
    guard !selected.isEmpty else { throw Refusal(422, "Nothing is selected. Select a row first.") }
    guard binding.isEditable else { throw Refusal(422, "\(column.title) of what is selected cannot be edited.") }
    guard !isLong(field) else {
      throw Refusal(422, "\(column.title) is too long to be edited here: it has more than \(fieldLimit) bytes.")
    }
    if let base = base ?? (bases[key] == nil ? present(column) : nil) { bases[key] = base }
    try field.receive(text, .valueChanged)
  }

  /// Writes the edits to the selected rows.
  ///
  /// - Throws: A ``Refusal`` that names the field: another window has changed what the user was looking at, or the text
  ///   is no value of the column. The edit stays in the field.
  func commit() throws(Refusal) {
    for (column, field, binding) in fields where binding.hasPendingEdit {
      let present = present(column)
      do throws(Refusal) {
        try Refusal.check(base: bases[column.key], present: present, new: field.text ?? "")
      } catch {
        throw Refusal(error.status, error.sentence, members: ["field": column.key, "present": present])
      }
    }
    do { try controller.commitEditing() } catch {
      var error: any Error = error
      while let inner = (error as? KVError)?.underlying { error = inner }
      let edited = fields.first { $0.binding.hasPendingEdit }
      throw Refusal(
        422, (error as? KVError)?.message ?? "\(error)", members: (edited?.column.key).map { ["field": $0] } ?? [:])
    }
    bases = [:]
  }

  /// The text of the common value of the selected rows, as a field shows it that nobody edits.
  private func present(_ column: TableColumn) -> String {
    let texts = Set(selectedRecords.map { TableColumn.text(of: $0[column.key]) })
    return texts.count > 1 ? "Multiple values" : texts.first ?? ""
  }

  private func isLong(_ field: TextField) -> Bool { (field.text?.utf8.count ?? 0) > fieldLimit }

  /// Shows the values of the selected rows again.
  func discard() throws {
    try controller.discardEditing()
    bases = [:]
    isSelectionChanged = true
  }

  // MARK: Showing

  /// Observes the rows on the screen, and no others.
  func show(_ rows: [KVObject], _ columns: [TableColumn]) {
    var former = shown
    shown = [:]
    for row in rows {
      let id = ObjectIdentifier(row)
      if let known = former.removeValue(forKey: id) {
        shown[id] = known
      } else if let record = row as? KVRecord {
        let observations = columns.compactMap { column in
          try? record.observe(column.path, options: []) { [weak self] _ in self?.changed.insert(id) }
        }
        shown[id] = (row, observations)
      }
    }
    changed.formIntersection(shown.keys)
  }

  /// Returns the rows on the screen that have changed since the last call.
  func takeChangedRows() -> [KVObject] {
    defer { changed = [] }
    return changed.compactMap { shown[$0]?.row }
  }

  /// Returns the selection and the fields if they have changed since the last call.
  func takeSelection(_ id: (KVObject) -> Int) -> [String: Any]? {
    guard isSelectionChanged || fields.contains(where: \.field.isChanged) else { return nil }
    return selection(id)
  }

  /// Returns the selection and the fields.
  func selection(_ id: (KVObject) -> Int) -> [String: Any] {
    isSelectionChanged = false
    let null = KVDocument.Null()
    let fields = fields.map { column, field, binding -> [String: Any] in
      field.isChanged = false
      return [
        "key": column.key, "marker": marker(binding) ?? null, "isEdited": binding.hasPendingEdit,
        "text": isLong(field) ? "\((field.text ?? "").prefix(TableColumn.maximumLength))…" : field.text ?? "",
        "isEditable": column.isEditable && binding.isEditable && !isLong(field),
      ]
    }
    return ["ids": selected.map(id), "lead": lead.map(id) ?? null, "fields": fields]
  }

  private func marker(_ binding: KVPathBinding) -> String? {
    switch binding.marker {
    case nil: nil
    case .noSelection: "No selection"
    case .multipleValues: "Multiple values"
    case .notApplicable: "Not applicable"
    }
  }
}
