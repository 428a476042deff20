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
