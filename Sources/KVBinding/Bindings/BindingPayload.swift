import KVCore

/// What a binding propagates instead of the present value of an endpoint.
class BindingPayload {}

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

/// A value that was read and transformed on the thread of the change, and is set on an executor.
final class TransformedValue: BindingPayload {
  /// Nil if the path could not be resolved.
  let outgoing: BindingCore.Outgoing?

  /// The number of executors in sequence since the first change.
  let hops: Int

  init(_ outgoing: BindingCore.Outgoing?, hops: Int) {
    self.outgoing = outgoing
    self.hops = hops
  }
}
