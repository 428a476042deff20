import KVCore

/// A manual change that has begun.
struct ManualChange {
  /// `nil` if the key had no observers, or if there is nothing to change at the indexes.
  let pending: PendingChange?
  let kind: KVChange.Kind
  /// The indexes as given.
  let indexes: [Int]?
  /// The removed elements and their indexes, as far as they exist, or the given members of a set.
  let removed: ManualElements
  /// The collection before a change by members; nil if the value is none.
  let before: Set<AnyHashable>?
  /// Whether a delivery of the key was under way when the change began.
  let isNested: Bool
}

/// The elements of a manual change.
struct ManualElements {
  var indexes: [Int]?
  /// Nil if they cannot be read.
  var elements: [Any]?
}
