import KVCore

/// A manual change that has begun.
struct ManualChange {
  /// Nil if the key had no observers, or if there is nothing to change at the indexes.
  var run: ChangeRun?
  let kind: KVChange.Kind
  /// The indexes as given.
  let indexes: [Int]?
  /// The indexes of the removed elements, as far as they exist.
  var removedIndexes: [Int]?
  /// The removed elements, or the given members of a set; nil if they cannot be read.
  var removed: [Any]?
  /// The collection before a change by members; nil if the value is none.
  var before: Set<AnyHashable>?
}
