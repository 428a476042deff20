import KVControllers

/// A spreadsheet: its formulas follow the cells that they read, and its edits can be undone.
@KVModel public final class Sheet: KVObject {
  /// The cells that an edit or a formula has named, in that order; some are empty.
  public internal(set) var cells: [Cell] = []
  /// Undoes and redoes the edits, which name their steps, as `A1 = 3`.
  public let undo = KVUndoManager()
  @KVIgnored private var cellsByName: [String: Cell] = [:]

  /// Returns the cell of a name.
  ///
  /// - Throws: ``CellError`` if the name is not one of A1 to Z999.
  public func cell(_ name: String) throws -> Cell {
    if let cell = cellsByName[name] { return cell }
    try Self.check(name)
    let cell = Cell(name, in: self)
    cellsByName[name] = cell
    try mutableArray(forKey: "cells").append(cell)
    try undo.record(cell, keys: ["input"])
    return cell
  }

  /// Edits a cell.
  ///
  /// - Throws: ``CellError`` for a name that is not a cell and for a cycle, `KVError` for a malformed formula. The sheet is
  ///   then as it was.
  public func set(_ name: String, to input: String) throws {
    try Self.check(name)
    try checkCycle(name, try Formula(input)?.precedents ?? [])
    try undo.group("\(name) = \(input)") { try cell(name).setValue(input, forKey: "input") }
  }

  /// Returns a list that follows the cells which meet a predicate, as `number > 3 AND column == 'B'`.
  ///
  /// - Throws: `KVError` for a malformed predicate, and for a key that cells do not have.
  public func cells(where format: String) throws -> KVArrangement<Cell> {
    let predicate = try KVPredicate(format: format)
    try predicate.check(for: Cell.self)
    return try KVArrangement(of: "cells", in: self, sortedBy: ["row", "column"], where: "input != ''" && predicate)
  }

  /// Throws an error if a formula of a cell would make the cell depend on itself.
  private func checkCycle(_ name: String, _ precedents: [String]) throws {
    var (readers, pending) = ([String: String](), [(name, precedents)])
    while let (reader, precedents) = pending.popLast() {
      for cell in precedents where readers.updateValue(reader, forKey: cell) == nil && cell != name {
        pending.append((cell, cellsByName[cell]?.precedents ?? []))
      }
    }
    guard let last = readers[name] else { return }
    let cycle = [name] + sequence(first: last) { $0 == name ? nil : readers[$0] }
    throw CellError("\(name) would depend on itself: \(cycle.reversed().joined(separator: " → "))")
  }

  static func check(_ name: String) throws(CellError) {
    if name.wholeMatch(of: /[A-Z][1-9][0-9]{0,2}/) == nil { throw CellError("\(name) is not a cell of A1 to Z999") }
  }
}
