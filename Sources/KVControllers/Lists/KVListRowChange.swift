import KVBinding
import KVCore

/// A change of the rows of a section.
///
/// Indexes ascend. The changes, applied in order to the old rows, result in the current rows.
public enum KVListRowChange: Hashable, Sendable {
  /// Rows were inserted, which now have these indexes.
  case insertion([Int])
  /// Rows were removed, which had these indexes before.
  case removal([Int])
  /// The rows at these indexes were replaced.
  case replacement([Int])
  /// All rows may have changed: reload them.
  case reload
}

extension KVListRowChange {
  /// Creates the change that an edit of the rows is.
  init(_ edit: IndexedEdit<some Any>) {
    switch edit.kind {
    case .insertion: self = .insertion(edit.indexes)
    case .removal: self = .removal(edit.indexes)
    case .replacement: self = .replacement(edit.indexes)
    case .setting: self = .reload
    }
  }
}

extension KVListRowChange: CustomStringConvertible {
  /// The kind of the change and the indexes, such as `insertion [0, 1]`.
  public var description: String {
    switch self {
    case .insertion(let rows): "insertion \(rows)"
    case .removal(let rows): "removal \(rows)"
    case .replacement(let rows): "replacement \(rows)"
    case .reload: "reload"
    }
  }
}
