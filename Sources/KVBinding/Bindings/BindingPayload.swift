import KVCore

/// What a binding is to carry over, where that is not just the value that an end holds.
class BindingPayload {}

/// What was inserted, removed or replaced, as it was told.
final class ToManyEdit: BindingPayload {
  let kind: KVChange.Kind
  /// Nil for sets.
  let indexes: [Int]?
  let old: [Any]
  let new: [Any]

  init(_ notice: borrowing KVChangeNotice) {
    kind = notice.kind
    indexes = notice.indexes
    old = Elements.list(notice.oldValue)
    new = Elements.list(notice.newValue)
  }
}

/// A value that was read and transformed where it was changed, and is set elsewhere.
final class TransformedValue: BindingPayload {
  /// Nil where the path led nowhere.
  let outgoing: BindingCore.Outgoing?

  /// How many executors have been gone through since the change that began it.
  let hops: Int

  init(_ outgoing: BindingCore.Outgoing?, hops: Int) {
    self.outgoing = outgoing
    self.hops = hops
  }
}
