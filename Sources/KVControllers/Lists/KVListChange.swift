import KVBinding
import KVCore

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
