import KVCore

/// When a change of a binding's target is propagated to its source.
public enum KVUpdateTrigger: String, Sendable, Hashable, Codable, CaseIterable {
  /// At once.
  case onChange
  /// When it is committed: ``KVPathBinding/commit()``, or ``KVCore/KeyValueCoding/commitEditing()`` for all of an
  /// object.
  case onCommit
  /// When ``KVPathBinding/updateSource()`` is called. Changes of the source are also propagated only when
  /// ``KVPathBinding/updateTarget()`` is called.
  case explicit
}
