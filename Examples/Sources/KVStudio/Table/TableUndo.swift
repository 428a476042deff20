import KVControllers

/// The undo of the table: values are recorded by observing them, insertions and removals are registered.
///
/// The table also changes by itself. An index of a step would not be that of the same row any more, so that a step keeps
/// the records that it has inserted or removed, and finds them.
@MainActor final class TableUndo {
  let manager = KVUndoManager()
  private let model: TableModel
  /// The number of the last step that was made, undone or redone.
  ///
  /// A page sends the one that it knows: what it would undo is a step that its user has seen.
  private(set) var revision = 0

  init(_ model: TableModel) {
    self.model = model
    manager.levelsOfUndo = 200
  }

  /// Records changes of records from now on.
  func record(_ records: [KVRecord]) throws {
    let keys = model.columns.filter(\.isEditable).map(\.key)
    for record in records { try manager.record(record, keys: keys) }
  }

  /// Commits the edits of a window.
  func commit(_ window: TableWindow) throws(Refusal) {
    if window.isEditing { revision += 1 }
    try window.commit()
  }

  /// Undoes the last step, or makes the one again that was undone last.
  ///
  /// - Parameters:
  ///   - isRedo: Whether it is made again.
  ///   - known: The revision that the page knows; nil for any.
  ///   - window: The window, whose edits are committed before.
  /// - Throws: A ``Refusal`` if another window has made, undone or redone a step meanwhile.
  func undo(isRedo: Bool, known: Int?, in window: TableWindow) throws {
    guard known == nil || known == revision else {
      let title = isRedo ? manager.redoMenuTitle : manager.undoMenuTitle
      throw Refusal(
        409, "Another window has changed the table meanwhile. It would be \"\(title)\" now: press it again to do that.")
    }
    try commit(window)
    revision += 1
    _ = try isRedo ? manager.redo() : manager.undo()
  }

  /// Inserts a record.
  func insert(_ record: KVRecord, at index: Int) throws {
    revision += 1
    try manager.group("Add row") {
      try model.insert([record], at: [index])
      manager.register(
        model, undo: { try $0.remove([record]) }, redo: { try Self.restore([record], at: [index], in: $0) })
    }
  }

  /// Removes records.
  func remove(_ records: [KVRecord]) throws {
    revision += 1
    try manager.group(records.count == 1 ? "Remove row" : "Remove \(records.count) rows") {
      let (records, indexes) = try model.remove(records)
      manager.register(
        model, undo: { try Self.restore(records, at: indexes, in: $0) }, redo: { try $0.remove(records) })
    }
  }

  /// Inserts records where they have been, or near it.
  nonisolated private static func restore(_ records: [KVRecord], at indexes: [Int], in model: TableModel) throws {
    let present = Set(model.records.map(ObjectIdentifier.init))
    let missing = zip(records, indexes).filter { !present.contains(ObjectIdentifier($0.0)) }
    let count = model.records.count
    let places = missing.enumerated().map { number, each in min(each.1, count + number) }
    if !missing.isEmpty { try model.insert(missing.map(\.0), at: places) }
  }
}
