import KVCore

/// An insertion, removal or replacement, by its notice.
final class ToManyEdit: BindingPayload {
  let kind: KVChange.Kind
  /// Nil for sets.
  let indexes: [Int]?
  let old: [Any]
  let new: [Any]

  init(_ notice: borrowing _KVChangeNotice) {
    kind = notice.kind
    indexes = notice.indexes
    old = Elements.list(notice.oldValue)
    new = Elements.list(notice.newValue)
  }
}
