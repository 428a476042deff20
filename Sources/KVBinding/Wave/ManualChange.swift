import KVCore

/// A manual change that has begun.
struct ManualChange {
  /// `nil` if the key had no observers, or if there is nothing to change at the indexes.
  let pending: PendingChange?
  let kind: KVChange.Kind
  /// The indexes as given.
  let indexes: [Int]?
  /// The indexes of the removed elements, as far as they exist.
  let removedIndexes: [Int]?
  /// The removed elements, or the given members of a set; nil if they cannot be read.
  let removed: [Any]?
  /// The collection before a change by members; nil if the value is none.
  let before: Set<AnyHashable>?
  /// Whether a delivery of the key was under way when the change began.
  let isNested: Bool
}
