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

/// A change of a list.
///
/// The changes, applied in order to the old list, result in the current list.
public enum KVListChange: Hashable, Sendable {
  /// Rows of the section at an index changed.
  case rows(KVListRowChange, section: Int)
  /// A section was inserted, which now has this index.
  case sectionInsertion(Int)
  /// A section was removed, which had this index before.
  case sectionRemoval(Int)
  /// The section at this index was replaced.
  case sectionReplacement(Int)
  /// A section was moved from one index to another one.
  case sectionMove(from: Int, to: Int)
  /// All sections may have changed: reload them.
  case reload
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

extension KVListChange: CustomStringConvertible {
  /// The kind of the change and the indexes, such as `rows insertion [0, 1] of section 0`.
  public var description: String {
    switch self {
    case .rows(let change, let section): "rows \(change) of section \(section)"
    case .sectionInsertion(let section): "section insertion \(section)"
    case .sectionRemoval(let section): "section removal \(section)"
    case .sectionReplacement(let section): "section replacement \(section)"
    case .sectionMove(let from, let to): "section move from \(from) to \(to)"
    case .reload: "reload"
    }
  }
}
