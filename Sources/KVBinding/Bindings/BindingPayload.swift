import KVCore

/// A value that a binding propagates instead of the present value of an endpoint.
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

  private init(_ content: Content) {
    self.content = content
    hops = 0
  }

  /// Returns the payload of both changes, of which the other one is later; nil if only the present value stands for both.
  func composed(with later: BindingPayload?) -> BindingPayload? {
    switch (content, later?.content) {
    case (.members, .members): self
    case (.edit(let first), .edit(let second)): BindingPayload(.edit(first.composed(with: second)))
    default: nil
    }
  }

  /// Returns the payload of a change by elements; nil for a setting.
  @inline(__always)
  static func of(_ notice: borrowing _KVChangeNotice) -> BindingPayload? {
    if notice.kind == .setting { return nil }
    guard let indexes = notice.indexes else { return BindingPayload(.members) }
    return BindingPayload(.edit(IndexedEdit(notice.kind, at: indexes, from: notice.oldValue, to: notice.newValue)))
  }
}
