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
