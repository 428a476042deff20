/// The kind of a change (KVO.2).
public enum KVChangeKind: Sendable, Hashable {
  /// The value was set, or a manual change was made.
  case setting
  /// Elements were inserted into a collection.
  case insertion
  /// Elements were removed from a collection.
  case removal
  /// Elements of a collection were replaced.
  case replacement
}

extension KVChangeKind {
  /// Whether elements leave the collection: those that a change of this kind removes or replaces.
  @inlinable
  package var removes: Bool { self == .removal || self == .replacement }

  /// Whether elements enter the collection: those that a change of this kind inserts, or that replace others.
  @inlinable
  package var adds: Bool { self == .insertion || self == .replacement }

  /// The kind of the change that undoes one of this kind.
  @inlinable
  package var reversed: KVChangeKind {
    switch self {
    case .insertion: .removal
    case .removal: .insertion
    case .setting, .replacement: self
    }
  }
}
