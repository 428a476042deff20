import KVBinding

@testable import Sheet

/// The changes of values that observers of cells are notified of.
final class Recorder {
  private(set) var changes: [(cell: Cell, old: Any?, new: Any?)] = []

  func append(_ change: KVChange) {
    if let cell = change.object as? Cell { changes.append((cell, change.old, change.new)) }
  }

  /// Returns a line for each change, in the order of the cells' names, and forgets them.
  func taken() -> [String] {
    defer { changes = [] }
    return changes.map { "\($0.cell.name): \($0.old ?? "nil") → \($0.new ?? "nil")" }.sorted()
  }
}
