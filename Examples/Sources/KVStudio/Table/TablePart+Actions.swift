import Foundation
import KVBinding
import KVDocuments
import KVQuery

extension TablePart {
  /// Does what a page asks for; nil if there is no such action.
  func carryOut(
    _ action: String, _ table: Table, _ window: TableWindow, _ request: PartRequest
  ) throws -> [String: Any]? {
    if ["add", "remove", "edit", "live", "change"].contains(action) { try table.model.checkEditing() }
    switch action {
    case "rows": return try rows(table, window, request)
    case "find": return try find(table, request)
    case "select": try select(table, window, request)
    case "sort": try sort(table, request)
    case "filter": try filter(table, request)
    case "group": try group(table, request)
    case "collapse":
      guard let group = object(try request.number("id")) as? TableRows.Group else {
        throw Refusal(410, "The group is not in the table any more.")
      }
      table.rows.collapse(group, try request.flag("isOn"))
    case "edit": try edit(table, window, request)
    case "discard": try window.discard()
    case "add": return try add(table, window)
    case "remove": try remove(table, window)
    case "undo", "redo": try undo(table, window, request, isRedo: action == "redo")
    case "live":
      let isOn = try request.flag("isOn")
      update { $0.isLive = isOn }
    case "change": try table.undo.manager.withoutRecording { try table.life.change() }
    default: return nil
    }
    return [:]
  }

  // MARK: Rows

  private func rows(_ table: Table, _ window: TableWindow, _ request: PartRequest) throws -> [String: Any] {
    let (first, count) = (try request.number("first"), try request.number("count", in: 0...200))
    let end = min(table.rows.count, first.addingReportingOverflow(count).partialValue)
    let rows = (min(first, end)..<end).compactMap { table.rows.row(at: $0) }
    window.show(rows, table.model.columns)
    return [
      "version": table.rows.version, "count": table.rows.count, "first": min(first, end), "rows": rows.map(members),
    ]
  }

  /// Returns where a row is; null if it is not in the table, or the filter hides it.
  private func find(_ table: Table, _ request: PartRequest) throws -> [String: Any] {
    let id = try request.number("id")
    let expected = request.has("index") ? try request.number("index") : nil
    return ["index": row(id, expected, table)?.index ?? KVDocument.Null()]
  }

  private func row(_ id: Int, _ expected: Int?, _ table: Table) -> (row: KVObject, index: Int)? {
    if let expected, let row = table.rows.row(at: expected), self.id(of: row) == id { return (row, expected) }
    guard let object = object(id), let index = table.rows.index(of: object) else { return nil }
    return (object, index)
  }

  // MARK: Selecting

  /// Selects a row only, adds it to the selection or takes it out, or selects all from the first row to it.
  private func select(_ table: Table, _ window: TableWindow, _ request: PartRequest) throws {
    let mode = try request.text("mode")
    if mode == "none" {
      try table.undo.commit(window)
      try window.selectNone()
      return
    }
    if mode == "these" {
      try table.undo.commit(window)
      let rows = try request.numbers("ids", atMost: TableWindow.selectionLimit).compactMap(object)
      let present = table.rows.present(among: rows)
      let found = rows.filter { present.contains(ObjectIdentifier($0)) }
      try window.select(found, anchor: found.last, lead: found.last)
      return
    }
    let (id, expected) = (try request.number("id"), request.has("index") ? try request.number("index") : nil)
    guard let (row, index) = row(id, expected, table) else {
      throw Refusal(410, "The row is not in the table any more.")
    }
    try table.undo.commit(window)
    switch mode {
    case "only": try window.select([row], anchor: row, lead: row)
    case "toggle":
      let others = window.selected.filter { $0 !== row }
      let isSelected = others.count < window.selected.count
      try window.select(isSelected ? others : others + [row], anchor: row, lead: row)
    case "extend":
      let anchor = window.anchor ?? row
      let start = table.rows.index(of: anchor) ?? index
      let range = min(start, index)...max(start, index)
      guard range.count <= TableWindow.selectionLimit else {
        throw Refusal(422, "At most \(TableWindow.selectionLimit) rows can be selected, and these are \(range.count).")
      }
      let records = range.compactMap { table.rows.row(at: $0) as? KVRecord }
      try window.select(records.isEmpty ? [row] : records, anchor: anchor, lead: row)
    default:
      throw Refusal(
        422, "A row is selected \"only\", \"toggle\" or \"extend\"; \"these\" selects some, and \"none\" no row.")
    }
  }

  // MARK: Arranging

  private func column(_ table: Table, _ request: PartRequest) throws -> TableColumn {
    let key = try request.text("column")
    guard let column = table.model.column(key) else {
      throw Refusal(422, "There is no column \"\(key.prefix(100))\".")
    }
    return column
  }

  /// Sorts by a column, in addition to others or alone: ascending, then descending, then not.
  private func sort(_ table: Table, _ request: PartRequest) throws {
    let (column, adds) = (try column(table, request), try request.flag("adds"))
    let rows = table.rows
    var sort = rows.sort
    let place = sort.firstIndex { $0.keyPath == column.path }
    let next: KVSortDescriptor? = place.map { sort[$0].ascending ? sort[$0].reversed : nil } ?? column.descriptor
    if !adds {
      sort = next.map { [$0] } ?? []
    } else if let place {
      if let next { sort[place] = next } else { sort.remove(at: place) }
    } else if let next {
      sort.append(next)
    }
    try rows.arrange(by: sort, where: rows.predicate, grouping: rows.grouping)
  }

  private func group(_ table: Table, _ request: PartRequest) throws {
    let rows = table.rows
    let grouping = try request.text("column").isEmpty ? nil : column(table, request)
    try rows.arrange(by: rows.sort, where: rows.predicate, grouping: grouping)
  }

  /// Shows only the rows that meet a condition, which reads nothing but the columns.
  private func filter(_ table: Table, _ request: PartRequest) throws {
    let text = try request.text("text")
    var predicate: KVPredicate?
    do throws(KVError) {
      if !text.allSatisfy(\.isWhitespace) {
        predicate = try KVPredicate(format: text)
          .limited(toKeyPaths: table.model.columns.map(\.path), functions: ["length", "lowercase", "uppercase", "abs"])
      }
      let rows = table.rows
      if let predicate { try check(predicate, text, table.model) }
      do { try rows.arrange(by: rows.sort, where: predicate, grouping: rows.grouping) } catch let error as KVError {
        throw error
      } catch { throw KVError(.unsupported, (error as? Refusal)?.sentence ?? "\(error)") }
    } catch {
      // The text again, with a mark below the character.
      let mark = error.offset.map { [text, String(repeating: " ", count: $0) + "^"] } ?? []
      throw Refusal(422, error.message, details: mark)
    }
    update { $0.filter = text }
  }

  /// Throws an error if a condition takes too long: everything else would wait for it.
  private func check(_ predicate: KVPredicate, _ text: String, _ model: TableModel) throws(KVError) {
    let (end, length) = (processorTime() + filterTime, text.utf8.count)
    let keys = Set(predicate.keyPaths.map(\.first))
    let columns = model.columns.filter { keys.contains($0.path.first) }
    for (index, record) in model.records.enumerated() {
      // A single row takes no more time than this: the clock is looked at between rows.
      for column in columns where Self.size(of: record[column.key]) > Self.filterSize / length {
        throw KVError(
          .limitExceeded,
          """
          The condition takes too long: "\(column.title.prefix(100))" of row \(index + 1) has more than \
          \(Self.filterSize / length) bytes. Write a shorter condition, or one without this column.
          """)
      }
      _ = try predicate.evaluate(with: record)
      guard processorTime() > end else { continue }
      throw KVError(
        .limitExceeded,
        """
        The condition takes too long: after \(filterTime.components.seconds) seconds, \(index + 1) of \
        \(model.records.count) rows had been tested. Write a simpler one.
        """)
    }
  }

  /// How many bytes a value may have, times those of the condition that reads it.
  private static let filterSize = 32 << 20

  /// Returns how many bytes the strings in a value have, and one for everything else in it.
  private static func size(of value: Any?) -> Int {
    switch value {
    case let text as String: text.utf8.count
    case let data as Data: data.count
    case let record as KVRecord: record.keys.reduce(1) { $0 + size(of: record[$1]) }
    case let members as [String: Any]: members.values.reduce(1) { $0 + size(of: $1) }
    case let elements as [Any?]: elements.reduce(1) { $0 + size(of: $1) }
    default: 1
    }
  }

  /// The processor time of this thread, which does not pass while other programs have the processor.
  nonisolated static func processorTimeOfThread() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  // MARK: Editing

  private func edit(_ table: Table, _ window: TableWindow, _ request: PartRequest) throws {
    let (column, text, commits) = (try column(table, request), try request.text("text"), try request.flag("commits"))
    try table.undo.record(window.selectedRecords)
    let base = request.has("base") ? try request.text("base", atMost: 2 * fieldLimit) : nil
    try window.type(text, in: column.key, over: base)
    if commits { try table.undo.commit(window) }
  }

  private func add(_ table: Table, _ window: TableWindow) throws -> [String: Any] {
    try table.undo.commit(window)
    let record = KVRecord()
    for column in table.model.columns { if let value = column.newValue { record[column.key] = value } }
    // A new row is to be seen.
    if let predicate = table.rows.predicate, try !predicate.evaluate(with: record) {
      try table.rows.arrange(by: table.rows.sort, where: nil, grouping: table.rows.grouping)
      update { $0.filter = "" }
    }
    let place = window.selectedRecords.first.flatMap { first in table.model.records.firstIndex { $0 === first } }
    try table.undo.insert(record, at: place.map { $0 + 1 } ?? 0)
    if let group = table.rows.collapsedGroup(of: record) { table.rows.collapse(group, false) }
    try window.select([record], anchor: record, lead: record)
    return ["id": id(of: record)]
  }

  private func remove(_ table: Table, _ window: TableWindow) throws {
    let records = window.selectedRecords
    guard !records.isEmpty else { throw Refusal(422, "No row is selected. Select the rows to remove.") }
    try window.discard()
    try table.undo.remove(records)
  }

  private func undo(_ table: Table, _ window: TableWindow, _ request: PartRequest, isRedo: Bool) throws {
    let known = request.has("revision") ? try request.number("revision") : nil
    // A step may change a thousand rows, and the fields would read all selected rows after each of them.
    let others = windows.values.map { ($0, $0.suspend()) }
    defer { for (window, rows) in others { window.resume(rows) } }
    try table.undo.undo(isRedo: isRedo, known: known, in: window)
  }
}
