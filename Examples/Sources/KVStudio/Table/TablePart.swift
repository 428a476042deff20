import KVBinding
import KVDocuments

/// The table: one model with one order, one filter and one undo, and a selection and a scroll position for each window.
///
/// It is made when a window shows it first.
@MainActor final class TablePart: StudioPart {
  let name = "table"
  let model: @MainActor () -> TableModel
  /// How much processor time a condition may take for all records.
  let filterTime: Duration
  /// The clock of ``filterTime``.
  let processorTime: () -> Duration
  private(set) var table: Table?
  private var names: Set<String> = []
  private(set) var windows: [String: TableWindow] = [:]
  private let numbers = ObjectNumbers()
  private var pending: [TableRows.Changes] = []
  private var shownSummary: String?
  private var tickCount = 0

  /// What all windows share.
  struct Table {
    let model: TableModel
    let rows: TableRows
    let undo: TableUndo
    let life: TableLife
    var filter = ""
    var isLive = false
  }

  /// Creates the part.
  ///
  /// - Parameters:
  ///   - model: The model; nil for a survey of 100,000 records, which is made later.
  ///   - filterTime: How much processor time a condition may take for all records.
  ///   - processorTime: The processor time that has passed.
  init(
    _ model: TableModel? = nil, filterTime: Duration = .seconds(5),
    processorTime: @escaping () -> Duration = TablePart.processorTimeOfThread
  ) {
    self.model = { model ?? .survey(count: 100_000) }
    self.filterTime = filterTime
    self.processorTime = processorTime
  }

  func open(_ window: String) { names.insert(window) }

  func close(_ window: String) {
    names.remove(window)
    windows[window] = nil
    if windows.isEmpty { table?.isLive = false }
  }

  func state(of window: String) -> [String: Any] { [:] }

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    guard names.contains(window) else { throw Refusal.closedWindow(window) }
    if action == "show" { return try show(in: window) }
    guard let table, let objects = windows[window] else {
      throw Refusal(409, "The table is not shown in this window.")
    }
    // What is refused may have changed something before, such as one of two fields.
    defer { settle() }
    guard let answer = try carryOut(action, table, objects, PartRequest(body)) else {
      throw Refusal(404, "The table has no action \"\(action.prefix(100))\".")
    }
    return answer
  }

  /// Changes what all windows share.
  func update(_ change: (inout Table) -> Void) { if table != nil { change(&table!) } }

  // MARK: Showing

  private func show(in window: String) throws -> [String: Any] {
    if table == nil {
      let model = model()
      table = Table(model: model, rows: try TableRows(model), undo: TableUndo(model), life: TableLife(model))
    }
    guard let table else { return [:] }
    settle()
    let objects = try windows[window] ?? TableWindow(table.model.columns)
    windows[window] = objects
    let columns = table.model.columns.map { column in
      ["key": column.key, "title": column.title, "kind": column.kind.rawValue, "isEditable": column.isEditable]
        as [String: Any]
    }
    return summary(table).merging([
      "title": table.model.title, "columns": columns, "version": table.rows.version,
      "selection": objects.selection(id(of:)), "isEditable": table.model.isEditable,
    ]) { $1 }
  }

  private func summary(_ table: Table) -> [String: Any] {
    let (rows, manager, null) = (table.rows, table.undo.manager, KVDocument.Null())
    return [
      "count": rows.count, "shown": rows.recordCount, "total": table.model.records.count,
      "filter": table.filter, "isLive": table.isLive, "group": rows.grouping?.key ?? null,
      "sort": table.model.columns.compactMap { column -> [String: Any]? in
        guard let place = rows.sort.firstIndex(where: { $0.keyPath == column.path }) else { return nil }
        return ["key": column.key, "place": place + 1, "ascending": rows.sort[place].ascending]
      },
      "undo": manager.canUndo ? manager.undoMenuTitle : null, "redo": manager.canRedo ? manager.redoMenuTitle : null,
      "revision": table.undo.revision,
    ]
  }

  /// Returns a row as a page shows it.
  func members(of row: KVObject) -> [String: Any] {
    guard let columns = table?.model.columns else { return [:] }
    guard let group = row as? TableRows.Group else {
      let record = row as? KVRecord
      return ["id": id(of: row), "cells": columns.map { String(TableColumn.text(of: record?[$0.key]).prefix(200)) }]
    }
    let value = TableColumn.text(of: group.key)
    let title = "\(table?.rows.grouping?.title ?? ""): \(value.isEmpty ? "none" : String(value.prefix(200)))"
    let isCollapsed = table?.rows.isCollapsed(group) ?? false
    return ["id": id(of: row), "group": title, "count": group.elements.count, "isCollapsed": isCollapsed]
  }

  /// Returns the number by which pages name an object.
  func id(of object: KVObject) -> Int { numbers.number(of: object) }

  /// Returns the object of a number; nil if it is gone.
  func object(_ id: Int) -> KVObject? { numbers.object(id) }

  // MARK: Changes

  /// Notes what has changed, before rows are asked for by index again.
  private func settle() {
    guard let table, let changes = table.rows.takeChanges() else { return }
    pending.append(changes)
    for window in windows.values where !window.selected.isEmpty {
      if let gone = changes.gone {
        if !gone.isEmpty { window.deselect { gone.contains(ObjectIdentifier($0)) } }
      } else {
        let present = table.rows.present(among: window.selected)
        window.deselect { !present.contains(ObjectIdentifier($0)) }
      }
    }
  }

  func tick() {
    guard let table, table.isLive else { return }
    tickCount += 1
    guard tickCount % 5 == 0 else { return }
    try? table.undo.manager.withoutRecording { try table.life.change() }
  }

  func publishChanges(to hub: EventHub) {
    guard let table, !windows.isEmpty else { return }
    settle()
    for changes in pending { hub.publish("table.rows", for: nil, event(changes, table)) }
    pending = []
    for (name, window) in windows {
      let rows = window.takeChangedRows()
      if !rows.isEmpty { hub.publish("table.cells", for: name, ["rows": rows.map(members)]) }
      if let selection = window.takeSelection(id(of:)) { hub.publish("table.selection", for: name, selection) }
    }
    let summary = summary(table)
    let text = (try? KVDocument(summary).data()).map { String(decoding: $0, as: UTF8.self) }
    if text != shownSummary { hub.publish("table.summary", for: nil, summary) }
    shownSummary = text
  }

  /// The changes as a page makes them in what it has: an operation, indexes, and the rows that are new or different.
  private func event(_ changes: TableRows.Changes, _ table: Table) -> [String: Any] {
    var operations: [[String: Any]] = []
    var isLast = true
    for change in changes.rows.reversed() {
      switch change {
      case .setting: operations.append(["kind": "setting"])
      case .removal(let indexes): operations.append(["kind": "removal", "indexes": indexes])
      case .insertion(let indexes): operations.append(["kind": "insertion", "indexes": indexes])
      case .replacement(let indexes): operations.append(["kind": "replacement", "indexes": indexes])
      }
      // The rows of the last change are where it says; those of earlier ones may have moved since.
      if isLast, case .insertion(let indexes) = change, indexes.count <= 50 {
        operations[operations.count - 1]["rows"] = indexes.compactMap { table.rows.row(at: $0).map(members) }
      }
      if case .replacement = change {} else { isLast = false }
    }
    return ["version": table.rows.version, "count": table.rows.count, "changes": Array(operations.reversed())]
  }
}
