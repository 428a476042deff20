import KVCore

/// The state of a binding (BND.1).
public enum KVBindingState: String, Sendable, Hashable {
  /// The binding propagates changes.
  case active
  /// A path cannot be resolved, since a value in its middle is nil. The binding continues when that changes (BND.10).
  case unresolved
  /// The last change could not be propagated; see ``KVPathBinding/lastError``. The next one is tried again (BND.11).
  case failed
  /// The binding has ended, and cannot be resumed.
  case ended
}
