import KVCore

/// What a binding propagates instead of the present value of an endpoint.
final class BindingPayload {
  enum Content {
    /// A value that was read and transformed on the thread of the change, and is set on an executor; nil if the path
    /// could not be resolved.
    case value(BindingCore.Outgoing?)
    /// An edit of an array.
    case edit(IndexedEdit<Any>)
    /// An insertion or removal of members of a set.
    case members
  }

  let content: Content
  /// The number of executors in sequence since the first change.
  let hops: Int

  init(_ outgoing: BindingCore.Outgoing?, hops: Int) {
    content = .value(outgoing)
    self.hops = hops
  }

  /// Returns the payload of a change by elements; nil for a setting.
  ///
  /// It is no initializer: one that fails has allocated the object before.
  static func make(_ notice: borrowing _KVChangeNotice) -> BindingPayload? {
    notice.kind == .setting ? nil : BindingPayload(notice)
  }

  private init(_ notice: borrowing _KVChangeNotice) {
    content =
      if let indexes = notice.indexes {
        .edit(IndexedEdit(notice.kind, at: indexes, from: notice.oldValue, to: notice.newValue))
      } else {
        .members
      }
    hops = 0
  }
}
