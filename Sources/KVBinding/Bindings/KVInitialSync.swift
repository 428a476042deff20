/// The endpoint whose value is propagated when a binding is made (BND.2).
public enum KVInitialSync: String, Sendable, Hashable, Codable, CaseIterable {
  /// The target if the direction is `toSource`, the source otherwise.
  case automatic
  /// The source.
  case fromSource
  /// The target.
  case fromTarget
  /// Neither. Both endpoints keep their values until one of them changes.
  case none
}
