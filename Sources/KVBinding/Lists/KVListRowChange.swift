/// What has happened to the rows of a section.
///
/// Indexes ascend. Applied one after the other, these changes turn the rows as they were into the rows as they are.
public enum KVListRowChange: Hashable, Sendable {
  /// Rows have come, which have these indexes now.
  case insertion([Int])
  /// Rows have gone, which had these indexes before.
  case removal([Int])
  /// There are other rows at these indexes.
  case replacement([Int])
  /// Everything may be different: look at the rows anew.
  case reload
}

/// What has happened to a list.
///
/// Applied one after the other, these changes turn the list as it was into the list as it is.
public enum KVListChange: Hashable, Sendable {
  /// Rows of the section at an index have changed.
  case rows(KVListRowChange, section: Int)
  /// A section has come, which has this index now.
  case sectionInsertion(Int)
  /// A section has gone, which had this index before.
  case sectionRemoval(Int)
  /// There is another section at this index.
  case sectionReplacement(Int)
  /// A section has gone from one index, and has another one now.
  case sectionMove(from: Int, to: Int)
  /// Everything may be different: look at the sections anew.
  case reload
}

extension KVListRowChange: CustomStringConvertible {
  /// What has happened and where, as `insertion [0, 1]`.
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
  /// What has happened and where, as `rows insertion [0, 1] of section 0`.
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
